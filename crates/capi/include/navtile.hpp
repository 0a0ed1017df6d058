/* navtile for C++17: the C interface with owners that free, exceptions, and vectors.
 *
 * Every object is moved, not copied. A call that finds nothing returns an empty optional; an error throws navtile::Error, whose
 * what() states the problem, its place, and the remedy. Threads as in navtile.h. */
#ifndef NAVTILE_HPP
#define NAVTILE_HPP

#include "navtile.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif

namespace navtile {

#if defined(__cpp_lib_span)
template <class T> using Span = std::span<T>;
#else
/** A view of elements that it does not own: std::span for C++17. */
template <class T> class Span {
public:
    constexpr Span() = default;
    constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
    template <class C, class = decltype(std::declval<C&>().data())> constexpr Span(C& of) : data_(of.data()), size_(of.size()) {}
    constexpr T* data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + size_; }
    constexpr T& operator[](std::size_t at) const { return data_[at]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/** A call that failed. */
class Error : public std::runtime_error {
public:
    explicit Error(NtStatus status) : std::runtime_error(nt_last_error()), status_(status) {}
    NtStatus status() const noexcept { return status_; }

private:
    NtStatus status_;
};

namespace detail {

inline void check(NtStatus status) {
    if (status != NT_OK) throw Error(status);
}

/** Returns true if there is an answer. */
inline bool found(NtStatus status) {
    if (status != NT_OK && status != NT_NOT_FOUND) throw Error(status);
    return status == NT_OK;
}

/** A list from a call that takes an array, its capacity and an output for the count. */
template <class T, class Call> std::vector<T> list(std::size_t guess, Call call) {
    std::vector<T> found(guess);
    std::size_t count = 0;
    NtStatus status = call(found.data(), found.size(), &count);
    if (status == NT_TRUNCATED) {
        found.resize(count);
        status = call(found.data(), found.size(), &count);
    }
    check(status);
    found.resize(count);
    return found;
}

/** A handle that is freed with its owner. */
template <class H, NtStatus (*Free)(H)> class Owner {
public:
    Owner() = default;
    explicit Owner(H handle) : handle_(handle) {}
    Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, H{})) {}
    Owner& operator=(Owner&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owner() {
        if (handle_.id != 0) Free(handle_);
    }
    /** The handle, for the C interface. */
    H get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.id != 0; }

protected:
    H handle_{};
};

} // namespace detail

/** Bytes that the library made. */
class Bytes : public detail::Owner<NtBytes, nt_bytes_free> {
public:
    using Owner::Owner;
    Span<const std::uint8_t> view() const {
        const std::uint8_t* data = nullptr;
        std::size_t length = 0;
        detail::check(nt_bytes_data(get(), &data, &length));
        return {data, length};
    }
};

/** A mesh: tiles with their links. */
class Mesh : public detail::Owner<NtMesh, nt_mesh_free> {
public:
    using Owner::Owner;
    /** Without tiles. */
    static Mesh empty(const double* anchor = nullptr) {
        NtMesh mesh;
        detail::check(nt_mesh_new(anchor, &mesh));
        return Mesh(mesh);
    }
    static Mesh open(const std::string& path, const double* anchor = nullptr) {
        NtMesh mesh;
        detail::check(nt_mesh_open(path.c_str(), anchor, &mesh));
        return Mesh(mesh);
    }
    static Mesh from_bytes(Span<const std::uint8_t> bytes, const double* anchor = nullptr) {
        NtMesh mesh;
        detail::check(nt_mesh_from_bytes(bytes.data(), bytes.size(), anchor, &mesh));
        return Mesh(mesh);
    }
    /** A snapshot, which later changes do not affect. */
    Mesh snapshot() const {
        NtMesh mesh;
        detail::check(nt_mesh_copy(get(), &mesh));
        return Mesh(mesh);
    }
    NtMeshInfo info() const {
        NtMeshInfo info;
        detail::check(nt_mesh_info(get(), &info));
        return info;
    }
    std::optional<std::uint8_t> area(const std::string& name) const {
        std::uint8_t area = 0;
        if (!detail::found(nt_mesh_area(get(), name.c_str(), &area))) return std::nullopt;
        return area;
    }
    void add_tile(Span<const std::uint8_t> tile) { detail::check(nt_mesh_add_tile(get(), tile.data(), tile.size())); }
    void replace_tile(Span<const std::uint8_t> tile) { detail::check(nt_mesh_replace_tile(get(), tile.data(), tile.size())); }
    void remove_tile(std::int32_t x, std::int32_t z, std::int32_t layer = 0) { detail::check(nt_mesh_remove_tile(get(), x, z, layer)); }
    NtPolygonInfo polygon(NtPolyRef polygon) const {
        NtPolygonInfo info;
        detail::check(nt_mesh_polygon(get(), polygon, &info));
        return info;
    }
    std::vector<NtPolyRef> polygons() const {
        return detail::list<NtPolyRef>(info().polygons, [this](NtPolyRef* out, std::size_t capacity, std::size_t* count) { return nt_mesh_polygons(get(), out, capacity, count); });
    }
    /** The lines of the mesh for a debug renderer; `kinds` as in nt_mesh_lines. */
    std::vector<NtLine> lines(std::uint32_t kinds = 0) const {
        return detail::list<NtLine>(4 * info().polygons, [this, kinds](NtLine* out, std::size_t capacity, std::size_t* count) { return nt_mesh_lines(get(), kinds, out, capacity, count); });
    }
    std::vector<NtVec3> corners(NtPolyRef polygon) const {
        return detail::list<NtVec3>(12, [this, polygon](NtVec3* out, std::size_t capacity, std::size_t* count) { return nt_mesh_corners(get(), polygon, out, capacity, count); });
    }
    std::vector<NtTileCoord> tiles() const {
        return detail::list<NtTileCoord>(info().tiles, [this](NtTileCoord* out, std::size_t capacity, std::size_t* count) { return nt_mesh_tiles(get(), out, capacity, count); });
    }
    std::vector<NtPolyRef> off_mesh_links() const {
        return detail::list<NtPolyRef>(16, [this](NtPolyRef* out, std::size_t capacity, std::size_t* count) { return nt_mesh_off_mesh_links(get(), out, capacity, count); });
    }
    NtOffMeshLink off_mesh(NtPolyRef link) const {
        NtOffMeshLink described;
        detail::check(nt_mesh_off_mesh(get(), link, &described));
        return described;
    }
    /**
     * The start and the end of a link's crossing that begins nearest to a point; empty if the link is not
     * joined.
     */
    std::optional<std::array<NtPlace, 2>> link_crossing(NtPolyRef link, bool backwards, NtVec3 point) const {
        std::array<NtPlace, 2> ends;
        if (!detail::found(nt_mesh_link_crossing(get(), link, backwards ? 1 : 0, point, &ends[0], &ends[1]))) return std::nullopt;
        return ends;
    }
    /** Flags and areas that were set at run time, for saved games. */
    Bytes store_state(NtTileCoord tile) const {
        NtBytes bytes;
        detail::check(nt_mesh_store_state(get(), tile.x, tile.z, tile.layer, &bytes));
        return Bytes(bytes);
    }
    void restore_state(NtTileCoord tile, Span<const std::uint8_t> state) { detail::check(nt_mesh_restore_state(get(), tile.x, tile.z, tile.layer, state.data(), state.size())); }
    void set_flags(NtPolyRef polygon, std::uint32_t flags) { detail::check(nt_mesh_set_flags(get(), polygon, flags)); }
    void set_area(NtPolyRef polygon, std::uint8_t area) { detail::check(nt_mesh_set_area(get(), polygon, area)); }
};

/** The walkable ground and its cost per metre. */
class Filter : public detail::Owner<NtFilter, nt_filter_free> {
public:
    using Owner::Owner;
    /** The filter of a mesh's file. */
    static Filter of(const Mesh& mesh) {
        NtFilter filter;
        detail::check(nt_filter_new(mesh.get(), &filter));
        return Filter(filter);
    }
    Filter& cost(std::uint8_t area, float cost) {
        detail::check(nt_filter_set_cost(get(), area, cost));
        return *this;
    }
    Filter& exclude(std::uint8_t area) {
        detail::check(nt_filter_exclude_area(get(), area));
        return *this;
    }
    Filter& flags(std::uint32_t include, std::uint32_t exclude = 0) {
        detail::check(nt_filter_set_flags(get(), include, exclude));
        return *this;
    }
};

/** A route, with its points on the surface and its polygons. */
struct Route {
    NtRoute about;
    std::vector<NtVec3> points;
    std::vector<NtPolyRef> polygons;
    bool complete() const { return about.end == NT_PATH_COMPLETE; }
};

/** Queries of a snapshot of a mesh; one for each thread. */
class Query : public detail::Owner<NtQuery, nt_query_free> {
public:
    using Owner::Owner;
    explicit Query(const Mesh& mesh, const Filter& filter = Filter(), std::uint32_t max_nodes = 0) {
        detail::check(nt_query_new(mesh.get(), filter.get(), max_nodes, &handle_));
    }
    /** Updates the snapshot to the current mesh. */
    void update(const Mesh& mesh) { detail::check(nt_query_update(get(), mesh.get())); }
    void set_filter(const Filter& filter) { detail::check(nt_query_set_filter(get(), filter.get())); }
    std::optional<NtNearest> nearest(NtVec3 position, const NtVec3* within = nullptr) const {
        NtNearest nearest;
        if (!detail::found(nt_query_nearest(get(), position, within, &nearest))) return std::nullopt;
        return nearest;
    }
    /** Empty if there is no ground near the start or the goal. */
    std::optional<Route> route(NtVec3 start, NtVec3 goal, const NtRouteOptions* options = nullptr) const {
        Route route;
        if (!detail::found(nt_query_route(get(), start, goal, options, &route.about))) return std::nullopt;
        route.points = detail::list<NtVec3>(route.about.points, [this](NtVec3* out, std::size_t capacity, std::size_t* count) { return nt_query_points(get(), out, capacity, count); });
        route.polygons = polygons(route.about.polygons);
        return route;
    }
    /** Places of the last far path: the start, the crossings between clusters of tiles, and the goal. */
    std::vector<NtFarStop> far_stops() const {
        return detail::list<NtFarStop>(32, [this](NtFarStop* out, std::size_t capacity, std::size_t* count) { return nt_query_far_stops(get(), out, capacity, count); });
    }
    /** Corners of the last route, with the starts and ends of off-mesh links. */
    std::vector<NtCorner> corners() const {
        return detail::list<NtCorner>(32, [this](NtCorner* out, std::size_t capacity, std::size_t* count) { return nt_query_corners(get(), out, capacity, count); });
    }
    /** Polygons of the last answer that has polygons. */
    std::vector<NtPolyRef> polygons(std::size_t guess = 32) const {
        return detail::list<NtPolyRef>(guess, [this](NtPolyRef* out, std::size_t capacity, std::size_t* count) { return nt_query_polygons(get(), out, capacity, count); });
    }
    /** The path as polygons and corners, which `polygons` and `corners` read. */
    NtPath path(NtPlace start, NtPlace goal) const {
        NtPath path;
        detail::check(nt_query_path(get(), start, goal, &path));
        return path;
    }
    /** Shortens the last path or route; returns the number of legs that were replaced. */
    std::size_t shortcut(float reach) const {
        std::size_t legs = 0;
        detail::check(nt_query_shortcut(get(), reach, &legs));
        return legs;
    }
    std::optional<NtPlace> nearest_anywhere(NtVec3 position) const {
        return place([&](NtPlace* out) { return nt_query_nearest_anywhere(get(), position, out); });
    }
    std::optional<NtPlace> nearest_reachable(NtPolyRef start, NtVec3 goal) const {
        return place([&](NtPlace* out) { return nt_query_nearest_reachable(get(), start, goal, out); });
    }
    std::optional<NtPlace> below(NtVec3 position, float reach) const {
        return place([&](NtPlace* out) { return nt_query_below(get(), position, reach, out); });
    }
    std::optional<NtPlace> above(NtVec3 position, float reach) const {
        return place([&](NtPlace* out) { return nt_query_above(get(), position, reach, out); });
    }
    std::vector<NtPolyRef> box(NtVec3 centre, NtVec3 half_extents) const {
        std::size_t count = 0;
        detail::check(nt_query_box(get(), centre, half_extents, &count));
        return polygons(count);
    }
    std::vector<NtPolyRef> shape(NtPlace start, Span<const NtVec3> outline) const {
        std::size_t count = 0;
        detail::check(nt_query_shape(get(), start, outline.data(), outline.size(), &count));
        return polygons(count);
    }
    /** At most `limit` polygons that do not overlap each other. */
    std::vector<NtPolyRef> neighbourhood(NtPlace start, float radius, std::size_t limit) const {
        std::size_t count = 0;
        const NtStatus status = nt_query_neighbourhood(get(), start, radius, limit, &count);
        if (status != NT_TRUNCATED) detail::check(status);
        return polygons(count);
    }
    /** Walls, and edges to other polygons. */
    std::vector<NtSegment> outline(NtPolyRef polygon) const {
        return detail::list<NtSegment>(16, [this, polygon](NtSegment* out, std::size_t capacity, std::size_t* count) { return nt_query_outline(get(), polygon, out, capacity, count); });
    }
    NtVec3 boundary_point(NtPolyRef polygon, NtVec3 position) const {
        NtVec3 point;
        detail::check(nt_query_boundary_point(get(), polygon, position, &point));
        return point;
    }
    NtRay raycast(NtPlace start, NtVec3 goal) const {
        NtRay ray;
        detail::check(nt_query_raycast(get(), start, goal, &ray));
        return ray;
    }
    NtSlide slide(NtPlace start, NtVec3 goal) const {
        NtSlide slide;
        detail::check(nt_query_slide(get(), start, goal, &slide));
        return slide;
    }
    std::optional<float> height(NtPolyRef polygon, NtVec3 position) const {
        float height = 0;
        if (!detail::found(nt_query_height(get(), polygon, position, &height))) return std::nullopt;
        return height;
    }
    NtVec3 closest_point(NtPolyRef polygon, NtVec3 position) const {
        NtVec3 point;
        detail::check(nt_query_closest_point(get(), polygon, position, &point));
        return point;
    }
    std::optional<NtWall> wall(NtPlace start, float radius) const {
        NtWall wall;
        if (!detail::found(nt_query_wall(get(), start, radius, &wall))) return std::nullopt;
        return wall;
    }
    std::vector<NtPolyRef> around(NtPlace start, float radius) const {
        std::size_t count = 0;
        detail::check(nt_query_around(get(), start, radius, &count));
        return polygons(count);
    }
    bool reachable(NtPolyRef start, NtPolyRef goal) const {
        std::uint8_t answer = 0;
        detail::check(nt_query_reachable(get(), start, goal, &answer));
        return answer != 0;
    }
    std::optional<NtPlace> random_place(std::uint64_t& state, const NtPlace* around = nullptr, float radius = 0) const {
        NtPlace place;
        if (!detail::found(nt_query_random_place(get(), around, radius, &state, &place))) return std::nullopt;
        return place;
    }

private:
    template <class Call> static std::optional<NtPlace> place(Call call) {
        NtPlace place;
        if (!detail::found(call(&place))) return std::nullopt;
        return place;
    }
};

/** A path search in slices. */
class Search : public detail::Owner<NtSearch, nt_search_free> {
public:
    using Owner::Owner;
    Search(const Query& query, NtPlace start, NtPlace goal) { detail::check(nt_search_new(query.get(), start, goal, &handle_)); }
    /** Visits at most `polygons` more polygons; returns true if the path is found. */
    bool update(std::uint32_t polygons) {
        std::uint8_t is_done = 0;
        detail::check(nt_search_update(get(), polygons, &is_done));
        return is_done != 0;
    }
    /** Makes the path the last answer of a query; empty until it is found. */
    std::optional<NtPath> finish(const Query& query) const {
        NtPath path;
        if (!detail::found(nt_search_finish(get(), query.get(), &path))) return std::nullopt;
        return path;
    }
};

/** The costs of the paths from everywhere to the nearest of several goals. */
class Field : public detail::Owner<NtField, nt_field_free> {
public:
    using Owner::Owner;
    Field(const Query& query, Span<const NtPlace> goals, float bound) { detail::check(nt_field_new(query.get(), goals.data(), goals.size(), bound, &handle_)); }
    /** Updates it to the query's snapshot; returns true if it was searched again. */
    bool refresh(const Query& query) {
        std::uint8_t searched = 0;
        detail::check(nt_field_refresh(get(), query.get(), &searched));
        return searched != 0;
    }
    /** Empty if there is no path to a goal. */
    std::optional<NtFieldStep> next(const Query& query, NtPlace from) const {
        NtFieldStep step;
        if (!detail::found(nt_field_next(get(), query.get(), from, &step))) return std::nullopt;
        return step;
    }
    bool complete() const {
        std::uint8_t answer = 0;
        detail::check(nt_field_complete(get(), &answer));
        return answer != 0;
    }
};

/** Plans far paths over clusters of a world's tiles. */
class Hierarchy : public detail::Owner<NtHierarchy, nt_hierarchy_free> {
public:
    using Owner::Owner;
    /** Reads the hierarchy of a file; its tiles are not read. */
    static Hierarchy open(const std::string& path) {
        NtHierarchy hierarchy;
        detail::check(nt_hierarchy_open(path.c_str(), &hierarchy));
        return Hierarchy(hierarchy);
    }
    static Hierarchy from_bytes(Span<const std::uint8_t> bytes) {
        NtHierarchy hierarchy;
        detail::check(nt_hierarchy_from_bytes(bytes.data(), bytes.size(), &hierarchy));
        return Hierarchy(hierarchy);
    }
    /** The number of a class of agents. */
    std::optional<std::uint32_t> agents(const std::string& name) const {
        std::uint32_t number = 0;
        if (!detail::found(nt_hierarchy_class(get(), name.c_str(), &number))) return std::nullopt;
        return number;
    }
    /** Plans a far path between two places of a query; empty if no path exists. */
    std::optional<NtFarBounds> plan(const Query& query, std::uint32_t agents, NtPlace start, NtPlace goal) const {
        NtFarBounds bounds;
        if (!detail::found(nt_query_far_path(query.get(), get(), agents, start, goal, &bounds))) return std::nullopt;
        return bounds;
    }
    /** The portals in a box, both corners in world metres. */
    std::vector<NtPortal> portals_in(const std::array<double, 3>& low, const std::array<double, 3>& high) const {
        return detail::list<NtPortal>(16, [&](NtPortal* out, std::size_t capacity, std::size_t* count) { return nt_hierarchy_portals_in(get(), low.data(), high.data(), out, capacity, count); });
    }
    std::optional<NtPortalEnds> portal_ends(const NtPortal& portal) const {
        NtPortalEnds ends;
        if (!detail::found(nt_hierarchy_portal_ends(get(), &portal, &ends))) return std::nullopt;
        return ends;
    }
    /** The closed portals, for a saved game. */
    std::vector<NtPortal> closed() const {
        return detail::list<NtPortal>(16, [this](NtPortal* out, std::size_t capacity, std::size_t* count) { return nt_hierarchy_closed(get(), out, capacity, count); });
    }
    /** Closes these portals and opens all others. Returns the clusters that changed, for FarRoute::needs_replan. */
    std::vector<NtCluster> set_closed(Span<const NtPortal> portals) {
        detail::check(nt_hierarchy_set_closed(get(), portals.data(), portals.size(), nullptr));
        return changed();
    }
    /** Updates it after tiles of a mesh of the whole level have changed. Returns the clusters that changed. */
    std::vector<NtCluster> update(const Mesh& mesh, Span<const NtTileCoord> tiles) {
        detail::check(nt_hierarchy_update(get(), mesh.get(), tiles.data(), tiles.size(), nullptr));
        return changed();
    }

private:
    std::vector<NtCluster> changed() const {
        return detail::list<NtCluster>(16, [this](NtCluster* out, std::size_t capacity, std::size_t* count) { return nt_hierarchy_changed(get(), out, capacity, count); });
    }
};

/** Follows a far path, leg by leg. */
class FarRoute : public detail::Owner<NtFarRoute, nt_far_route_free> {
public:
    using Owner::Owner;
    /** Along the last far path of a query. The agent walks to the stop this many legs ahead; 0 for the default. */
    explicit FarRoute(const Query& query, std::uint32_t legs_ahead = 0) { detail::check(nt_far_route_new(query.get(), legs_ahead, &handle_)); }
    /** Moves on with the agent at a position, world metres; true if it has come to a later leg. */
    bool advance(const std::array<double, 3>& position) {
        std::uint8_t has_moved = 0;
        detail::check(nt_far_route_advance(get(), position.data(), &has_moved));
        return has_moved != 0;
    }
    /** The stop to walk to. */
    NtFarStop ahead() const {
        NtFarStop stop;
        detail::check(nt_far_route_ahead(get(), &stop));
        return stop;
    }
    std::uint32_t legs_left() const {
        std::uint32_t legs = 0;
        detail::check(nt_far_route_legs_left(get(), &legs));
        return legs;
    }
    /** The columns of tiles for the next legs, the most urgent first. */
    std::vector<NtColumn> columns_ahead(std::uint32_t legs) const {
        return detail::list<NtColumn>(64, [this, legs](NtColumn* out, std::size_t capacity, std::size_t* count) { return nt_far_route_columns(get(), legs, out, capacity, count); });
    }
    /** Returns true if one of these clusters is still ahead: plan again from where the agent is. */
    bool needs_replan(Span<const NtCluster> changed) const {
        std::uint8_t answer = 0;
        detail::check(nt_far_route_needs_replan(get(), changed.data(), changed.size(), &answer));
        return answer != 0;
    }
};

/** The path that one character keeps while it walks. */
class Corridor : public detail::Owner<NtCorridor, nt_corridor_free> {
public:
    using Owner::Owner;
    explicit Corridor(NtPlace at) { detail::check(nt_corridor_new(at, &handle_)); }
    /** Takes the query's last route; false if it does not cross the ground under the character. */
    bool set_path(const Query& query, NtVec3 target) { return detail::found(nt_corridor_set_path(get(), query.get(), target)); }
    NtPlace position() const {
        NtPlace place;
        detail::check(nt_corridor_ends(get(), &place, nullptr));
        return place;
    }
    NtPlace target() const {
        NtPlace place;
        detail::check(nt_corridor_ends(get(), nullptr, &place));
        return place;
    }
    /** The next corners, at most `most`. */
    std::vector<NtCorner> corners(const Query& query, std::size_t most = 4) const {
        return detail::list<NtCorner>(most, [&](NtCorner* out, std::size_t capacity, std::size_t* count) { return nt_corridor_corners(get(), query.get(), out, capacity, count); });
    }
    NtWalkEnd move(const Query& query, NtVec3 to) {
        NtWalkEnd end;
        detail::check(nt_corridor_move(get(), query.get(), to, &end));
        return end;
    }
    void move_target(const Query& query, NtVec3 to) { detail::check(nt_corridor_move_target(get(), query.get(), to)); }
    void optimise(const Query& query, NtVec3 next, float reach) { detail::check(nt_corridor_optimise(get(), query.get(), next, reach)); }
    std::optional<NtLinkAhead> link_ahead(const Query& query) const {
        NtLinkAhead ahead;
        if (!detail::found(nt_corridor_link_ahead(get(), query.get(), &ahead))) return std::nullopt;
        return ahead;
    }
    /** Takes the next link; returns its far end, or empty if the next link is another one. */
    std::optional<NtPlace> move_over_link(const Query& query, NtPolyRef link) {
        NtPlace end;
        if (!detail::found(nt_corridor_move_over_link(get(), query.get(), link, &end))) return std::nullopt;
        return end;
    }
    /** False if no part of the path could be kept: find a new path. */
    bool fix_start(const Query& query, NtPlace at) { return detail::found(nt_corridor_fix_start(get(), query.get(), at)); }
    void reset(NtPlace at) { detail::check(nt_corridor_reset(get(), at)); }
    std::vector<NtPolyRef> polygons() const {
        return detail::list<NtPolyRef>(64, [this](NtPolyRef* out, std::size_t capacity, std::size_t* count) { return nt_corridor_polygons(get(), out, capacity, count); });
    }
    bool is_valid(const Query& query, std::size_t lookahead) const {
        std::uint8_t answer = 0;
        detail::check(nt_corridor_is_valid(get(), query.get(), lookahead, &answer));
        return answer != 0;
    }
    /** False if the path was cut: find a new path. */
    bool repair(const Query& query, NtPlace safe) { return detail::found(nt_corridor_repair(get(), query.get(), safe)); }
};

/** Characters that avoid each other while they walk. */
class Crowd : public detail::Owner<NtCrowd, nt_crowd_free> {
public:
    using Owner::Owner;
    static Crowd make(const NtCrowdSettings* settings = nullptr) {
        NtCrowd crowd;
        detail::check(nt_crowd_new(settings, &crowd));
        return Crowd(crowd);
    }
    /// Shares of the speed of agents with a filter in an area, up and down.
    void set_area_speed(std::uint32_t filter, std::uint8_t area, float up, float down) {
        detail::check(nt_crowd_set_area_speed(get(), filter, area, up, down));
    }
    std::uint32_t add_filter(const Filter& filter) {
        std::uint32_t number = 0;
        detail::check(nt_crowd_add_filter(get(), filter.get(), &number));
        return number;
    }
    NtAgent add(const Mesh& mesh, NtVec3 position, const NtAgentParams* params = nullptr) {
        NtAgent agent = 0;
        detail::check(nt_crowd_add(get(), mesh.get(), position, params, &agent));
        return agent;
    }
    NtAgentParams params(NtAgent agent) const {
        NtAgentParams params;
        detail::check(nt_crowd_params(get(), agent, &params));
        return params;
    }
    /** Moves an agent by force, to the ground nearest to a position. */
    /** Carries an agent off the mesh, as on a raft; place() ends the ride. */
    void carry(NtAgent agent, NtVec3 position, NtVec3 heading) { detail::check(nt_crowd_carry(get(), agent, position, heading)); }
    void place(const Mesh& mesh, NtAgent agent, NtVec3 position, NtVec3 velocity) { detail::check(nt_crowd_place(get(), mesh.get(), agent, position, velocity)); }
    /** Lets the caller move an agent, by `place`. */
    void set_kinematic(NtAgent agent, bool is_kinematic) { detail::check(nt_crowd_set_kinematic(get(), agent, is_kinematic ? 1 : 0)); }
    void set_discs(Span<const NtDisc> discs) { detail::check(nt_crowd_set_discs(get(), discs.data(), discs.size())); }
    std::size_t waiting() const {
        std::size_t waiting = 0;
        detail::check(nt_crowd_waiting(get(), &waiting));
        return waiting;
    }
    /** A group in a formation: NT_FORMATION_LINE, ... */
    NtGroup add_group(NtAgent leader, Span<const NtAgent> followers, std::uint32_t formation, float spacing) {
        NtGroup group = 0;
        detail::check(nt_crowd_add_group(get(), leader, followers.data(), followers.size(), formation, spacing, &group));
        return group;
    }
    void remove_group(NtGroup group) { detail::check(nt_crowd_remove_group(get(), group)); }
    void send_group(NtGroup group, NtPlace to) { detail::check(nt_crowd_send_group(get(), group, to)); }
    void set_formation(NtGroup group, std::uint32_t formation, float spacing) { detail::check(nt_crowd_set_formation(get(), group, formation, spacing)); }
    /** Two numbers a slot: to the right of the leader's direction, and along it. */
    void set_slots(NtGroup group, Span<const float> slots, float spacing) { detail::check(nt_crowd_set_slots(get(), group, slots.data(), slots.size() / 2, spacing)); }
    void join(NtGroup group, NtAgent agent) { detail::check(nt_crowd_join(get(), group, agent)); }
    void leave_group(NtAgent agent) { detail::check(nt_crowd_leave_group(get(), agent)); }
    void follow_group(NtAgent agent, NtGroup group) { detail::check(nt_crowd_follow_group(get(), agent, group)); }
    NtGroupView group(NtGroup group) const {
        NtGroupView view;
        detail::check(nt_crowd_group(get(), group, &view));
        return view;
    }
    std::vector<NtAgent> followers(NtGroup group) const {
        return detail::list<NtAgent>(16, [this, group](NtAgent* out, std::size_t capacity, std::size_t* count) { return nt_crowd_followers(get(), group, out, capacity, count); });
    }
    std::optional<NtGroup> group_of(NtAgent agent) const {
        NtGroup group = 0;
        if (!detail::found(nt_crowd_group_of(get(), agent, &group))) return std::nullopt;
        return group;
    }
    std::optional<NtSlot> slot(NtAgent agent) const {
        NtSlot slot;
        if (!detail::found(nt_crowd_slot(get(), agent, &slot))) return std::nullopt;
        return slot;
    }
    /** One search for all agents with the same goals. */
    NtCrowdField add_field(const Mesh& mesh, Span<const NtPlace> goals, float bound, std::uint32_t filter = 0) {
        NtCrowdField field = 0;
        detail::check(nt_crowd_add_field(get(), mesh.get(), goals.data(), goals.size(), bound, filter, &field));
        return field;
    }
    void remove_field(NtCrowdField field) { detail::check(nt_crowd_remove_field(get(), field)); }
    void follow_field(NtAgent agent, NtCrowdField field) { detail::check(nt_crowd_follow_field(get(), agent, field)); }
    std::optional<float> field_cost(const Mesh& mesh, NtCrowdField field, NtPlace from) const {
        float cost = 0;
        if (!detail::found(nt_crowd_field_cost(get(), mesh.get(), field, from, &cost))) return std::nullopt;
        return cost;
    }
    /** Exits that agents choose among by queue as well as by distance. */
    NtCrowdExits add_exits(const Mesh& mesh, Span<const NtExit> exits, std::uint32_t filter = 0) {
        NtCrowdExits made = 0;
        detail::check(nt_crowd_add_exits(get(), mesh.get(), exits.data(), exits.size(), filter, &made));
        return made;
    }
    void remove_exits(NtCrowdExits exits) { detail::check(nt_crowd_remove_exits(get(), exits)); }
    void follow_exits(NtAgent agent, NtCrowdExits exits) { detail::check(nt_crowd_follow_exits(get(), agent, exits)); }
    /** Why an agent is much slower than it wants to be; nothing if nothing holds it up. */
    std::optional<NtHoldUp> hold_up(NtAgent agent) const {
        NtHoldUp held;
        if (!detail::found(nt_crowd_hold_up(get(), agent, &held))) return std::nullopt;
        return held;
    }
    std::optional<std::uint32_t> exit_of(NtAgent agent) const {
        std::uint32_t exit = 0;
        if (!detail::found(nt_crowd_exit_of(get(), agent, &exit))) return std::nullopt;
        return exit;
    }
    void remove(NtAgent agent) { detail::check(nt_crowd_remove(get(), agent)); }
    void set_params(NtAgent agent, const NtAgentParams& params) { detail::check(nt_crowd_set_params(get(), agent, &params)); }
    void send(NtAgent agent, NtPlace to) { detail::check(nt_crowd_send(get(), agent, to)); }
    void chase(NtAgent agent, NtAgent other) { detail::check(nt_crowd_chase(get(), agent, other)); }
    void set_velocity(NtAgent agent, float x, float z) { detail::check(nt_crowd_set_velocity(get(), agent, x, z)); }
    void stop(NtAgent agent) { detail::check(nt_crowd_stop(get(), agent)); }
    void finish_link(NtAgent agent) { detail::check(nt_crowd_finish_link(get(), agent)); }
    void set_interest(Span<const NtVec3> points, float radius) { detail::check(nt_crowd_set_interest(get(), points.data(), points.size(), radius)); }
    void step(const Mesh& mesh, float seconds) { detail::check(nt_crowd_step(get(), mesh.get(), seconds)); }
    NtAgentView agent(NtAgent agent) const {
        NtAgentView view;
        detail::check(nt_crowd_agent(get(), agent, &view));
        return view;
    }
    std::vector<NtAgentView> agents() const {
        return detail::list<NtAgentView>(256, [this](NtAgentView* out, std::size_t capacity, std::size_t* count) { return nt_crowd_agents(get(), out, capacity, count); });
    }
    /** The known polygons and off-mesh links from an agent to its target. */
    std::vector<NtPolyRef> corridor(NtAgent agent) const {
        return detail::list<NtPolyRef>(64, [this, agent](NtPolyRef* out, std::size_t capacity, std::size_t* count) { return nt_crowd_corridor(get(), agent, out, capacity, count); });
    }
    std::vector<NtEvent> events() const {
        return detail::list<NtEvent>(64, [this](NtEvent* out, std::size_t capacity, std::size_t* count) { return nt_crowd_events(get(), out, capacity, count); });
    }
    std::uint64_t hash() const {
        std::uint64_t hash = 0;
        detail::check(nt_crowd_hash(get(), &hash));
        return hash;
    }
    Bytes save() const {
        NtBytes bytes;
        detail::check(nt_crowd_save(get(), &bytes));
        return Bytes(bytes);
    }
    void restore(const Mesh& mesh, Span<const std::uint8_t> bytes) { detail::check(nt_crowd_restore(get(), mesh.get(), bytes.data(), bytes.size())); }
};

/**
 * Turns by `yaw` degrees about the vertical, from the x axis towards the z axis, then moves; metres in the
 * world.
 */
inline NtTransform turned(double yaw, double x, double y, double z) {
    NtTransform place;
    detail::check(nt_transform_turned(yaw, x, y, z, &place));
    return place;
}

/** An obstacle from its body (NT_BODY_BOX, ...), its effect (NT_EFFECT_SOLID, ...), its extents and its place. */
inline NtObstacleParams obstacle(std::uint32_t body, std::uint32_t effect, std::array<double, 3> extents, const NtTransform& place) {
    NtObstacleParams params;
    detail::check(nt_obstacle_init(&params));
    params.body = body, params.effect = effect, params.place = place;
    for (std::size_t axis = 0; axis < 3; axis++) params.extents[axis] = extents[axis];
    return params;
}

/** A level with obstacles that are added, moved and removed. */
class Cache : public detail::Owner<NtCache, nt_cache_free> {
public:
    using Owner::Owner;
    static Cache open(const std::string& path) {
        NtCache cache;
        detail::check(nt_cache_open(path.c_str(), &cache));
        return Cache(cache);
    }
    static Cache from_bytes(Span<const std::uint8_t> bytes) {
        NtCache cache;
        detail::check(nt_cache_from_bytes(bytes.data(), bytes.size(), &cache));
        return Cache(cache);
    }
    /** A mesh of the current state of all tiles, for `apply`. */
    Mesh mesh(const double* anchor = nullptr) {
        NtMesh mesh;
        detail::check(nt_cache_mesh(get(), anchor, &mesh));
        return Mesh(mesh);
    }
    NtObstacle add(const NtObstacleParams& params) {
        NtObstacle obstacle = 0;
        detail::check(nt_cache_add(get(), &params, &obstacle));
        return obstacle;
    }
    /** Three numbers a point. */
    NtObstacle add_hull(const NtObstacleParams& params, Span<const double> points) {
        NtObstacle obstacle = 0;
        detail::check(nt_cache_add_hull(get(), &params, points.data(), points.size() / 3, &obstacle));
        return obstacle;
    }
    /** Three numbers a vertex, three indices a triangle. */
    NtObstacle add_mesh(const NtObstacleParams& params, Span<const double> vertices, Span<const std::uint32_t> triangles) {
        NtObstacle obstacle = 0;
        detail::check(nt_cache_add_mesh(get(), &params, vertices.data(), vertices.size() / 3, triangles.data(), triangles.size() / 3, &obstacle));
        return obstacle;
    }
    /** Returns true if the move counts. Small moves count once they have added up. */
    bool move(NtObstacle obstacle, const NtTransform& place) {
        std::uint8_t counts = 0;
        detail::check(nt_cache_move(get(), obstacle, &place, &counts));
        return counts != 0;
    }
    void remove(NtObstacle obstacle) { detail::check(nt_cache_remove(get(), obstacle)); }
    std::vector<NtObstacle> obstacles() const {
        return detail::list<NtObstacle>(64, [this](NtObstacle* out, std::size_t capacity, std::size_t* count) { return nt_cache_obstacles(get(), out, capacity, count); });
    }
    /** The last place at which the obstacle was applied, for saved games. */
    NtTransform place(NtObstacle obstacle) const {
        NtTransform place;
        detail::check(nt_cache_places(get(), obstacle, &place, nullptr));
        return place;
    }
    void set_movement_threshold(double metres) { detail::check(nt_cache_set_movement_threshold(get(), metres)); }
    /** Gives an obstacle an effect only while it keeps still; nullptr for an effect at every place. */
    void set_stationary(NtObstacle obstacle, const NtStationary* rule) { detail::check(nt_cache_set_stationary(get(), obstacle, rule)); }
    /** Counts time for obstacles that have an effect only while they keep still. */
    void advance(double seconds) { detail::check(nt_cache_advance(get(), seconds)); }
    bool is_moving(NtObstacle obstacle) const {
        std::uint8_t moves;
        detail::check(nt_cache_is_moving(get(), obstacle, &moves));
        return moves != 0;
    }
    void set_held_limit(std::uint64_t bytes) { detail::check(nt_cache_set_held_limit(get(), bytes)); }
    /** Three numbers a place, metres in the world. */
    void set_focus(Span<const double> places) { detail::check(nt_cache_set_focus(get(), places.data(), places.size() / 3)); }
    std::size_t waiting() const {
        std::size_t waiting = 0;
        detail::check(nt_cache_waiting(get(), &waiting));
        return waiting;
    }
    /** Bakes at most `tiles` waiting tiles. */
    NtUpdate update(std::size_t tiles) { return baked(tiles, 0); }
    /** Bakes for about this long. */
    NtUpdate update_for(double seconds) { return baked(0, seconds); }
    /** Bakes all waiting tiles. */
    NtUpdate wait() { return baked(0, 0); }
    /** The tiles that the last update could not bake, with the reason, one per line. */
    std::string failures() const {
        NtBytes bytes;
        detail::check(nt_cache_failures(get(), &bytes));
        const Bytes owner(bytes);
        const auto view = owner.view();
        return {reinterpret_cast<const char*>(view.data()), view.size()};
    }
    /** Replaces the changed tiles in the mesh that `mesh` made. */
    NtApplied apply(Mesh& mesh) {
        NtApplied applied;
        detail::check(nt_cache_apply(get(), mesh.get(), &applied));
        return applied;
    }
    std::vector<NtIslandPart> joined() const {
        return detail::list<NtIslandPart>(16, [this](NtIslandPart* out, std::size_t capacity, std::size_t* count) { return nt_cache_joined(get(), out, capacity, count); });
    }
    std::vector<NtIslandPart> parted() const {
        return detail::list<NtIslandPart>(16, [this](NtIslandPart* out, std::size_t capacity, std::size_t* count) { return nt_cache_parted(get(), out, capacity, count); });
    }
    /** The file of the level with its obstacles. */
    Bytes write() const {
        NtBytes bytes;
        detail::check(nt_cache_write(get(), &bytes));
        return Bytes(bytes);
    }

private:
    NtUpdate baked(std::size_t tiles, double seconds) {
        NtUpdate update;
        detail::check(nt_cache_update(get(), tiles, seconds, &update));
        return update;
    }
};

/** A level with its settings, ready to bake. */
class Bake : public detail::Owner<NtBake, nt_bake_free> {
public:
    using Owner::Owner;
    static Bake of_files(Span<const NtFile> files, const char* settings = nullptr) {
        NtBake bake;
        detail::check(nt_bake_new(files.data(), files.size(), settings, &bake));
        return Bake(bake);
    }
    /** Three numbers a vertex, three indices a triangle. */
    static Bake of_triangles(Span<const float> vertices, Span<const std::uint32_t> triangles, const char* settings = nullptr) {
        NtBake bake;
        detail::check(nt_bake_from_triangles(vertices.data(), vertices.size() / 3, triangles.data(), triangles.size() / 3, settings, &bake));
        return Bake(bake);
    }
    /**
     * A .navtile file for each agent. `progress` gets the finished part, on any thread, and returns false to
     * cancel the bake.
     */
    std::vector<Bytes> run(const std::function<bool(float)>& progress = nullptr) const {
        std::size_t agents = 0;
        detail::check(nt_bake_agents(get(), &agents));
        std::vector<NtBytes> handles(agents);
        auto call = [](void* context, float part) -> std::int32_t { return (*static_cast<const std::function<bool(float)>*>(context))(part); };
        void* context = const_cast<void*>(static_cast<const void*>(&progress));
        detail::check(nt_bake_run(get(), progress ? static_cast<NtProgress>(call) : nullptr, context, handles.data(), handles.size()));
        return {handles.begin(), handles.end()};
    }
    /** The finished part of `run`, for another thread. */
    float progress() const {
        float part = 0;
        detail::check(nt_bake_progress(get(), &part));
        return part;
    }
    /** Cancels `run` from another thread. */
    void cancel() const { detail::check(nt_bake_cancel(get())); }
    /** A file for a Cache, for the first agent; `progress` as in `run`. */
    Bytes run_dynamic(const std::function<bool(float)>& progress = nullptr) const {
        auto call = [](void* context, float part) -> std::int32_t { return (*static_cast<const std::function<bool(float)>*>(context))(part); };
        void* context = const_cast<void*>(static_cast<const void*>(&progress));
        NtBytes bytes;
        detail::check(nt_bake_dynamic(get(), progress ? static_cast<NtProgress>(call) : nullptr, context, &bytes));
        return Bytes(bytes);
    }
};

} // namespace navtile

#endif
