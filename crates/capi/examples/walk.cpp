// Bakes a level file, walks along a route by a corridor, drops a crate onto it, follows a far path, and shows
// errors: C++.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <navtile.hpp>

namespace {

/** Crosses a level of small tiles on a far route, and closes all portals to its goal. Returns true if all is well. */
bool far_route(navtile::Span<const NtFile> files) {
    const auto baked = navtile::Bake::of_files(files, "tile_size = 5.0\n[hierarchy]\ncluster = 5.0\nspacing = 2.0\n").run();
    const auto mesh = navtile::Mesh::from_bytes(baked.at(0).view());
    auto hierarchy = navtile::Hierarchy::from_bytes(baked.at(0).view());
    const auto agents = hierarchy.agents("default");
    const navtile::Query query(mesh);
    std::uint64_t state = 3;
    const auto start = query.random_place(state), goal = query.random_place(state);
    if (!start || !goal || !agents) return false;
    const auto plan = hierarchy.plan(query, *agents, *start, *goal);
    if (!plan) return false;
    navtile::FarRoute route(query);
    const auto stops = query.far_stops();
    for (const auto& stop : stops) route.advance({stop.point[0], stop.point[1], stop.point[2]});
    const auto ahead = route.ahead();
    const bool arrives = route.legs_left() == 1 && std::equal(ahead.point, ahead.point + 3, stops.back().point);

    const auto portals = hierarchy.portals_in({-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6});
    const auto changed = hierarchy.set_closed(portals);
    const bool is_shut = !hierarchy.plan(query, *agents, *start, *goal) && hierarchy.closed().size() == portals.size();
    const bool replans = route.needs_replan(changed) && hierarchy.portal_ends(portals.at(0));
    hierarchy.set_closed({});
    const auto tiles = mesh.tiles();
    const bool unchanged = hierarchy.update(mesh, tiles).empty();
    std::printf("a far path of %.1f to %.1f m: %zu stops, %zu columns of tiles ahead at the goal, %zu portals\n", plan->lower, plan->upper, stops.size(), route.columns_ahead(4).size(), portals.size());
    return arrives && is_shut && replans && unchanged;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return std::fputs("usage: walk LEVEL.obj\n", stderr), 2;
    try {
        std::ifstream stream(arguments[1], std::ios::binary);
        const std::vector<char> level{std::istreambuf_iterator<char>(stream), {}};
        const std::array<NtFile, 1> files{{{"level.obj", reinterpret_cast<const std::uint8_t*>(level.data()), level.size()}}};
        const auto baked = navtile::Bake::of_files(files).run([](float) { return true; });
        const auto mesh = navtile::Mesh::from_bytes(baked.at(0).view());
        const navtile::Query query(mesh);

        std::uint64_t state = 1;
        const auto start = query.random_place(state), goal = query.random_place(state);
        if (!start || !goal) return 1;
        const auto route = query.route(start->point, goal->point);
        if (!route) return 1;
        std::printf("%u polygons; a route of %.2f m over %zu polygons%s\n", mesh.info().polygons, route->about.length, route->polygons.size(), route->complete() ? "" : ", not all the way");

        navtile::Corridor corridor(*start);
        corridor.set_path(query, goal->point);
        int steps = 0;
        for (; steps < 100000; steps++) {
            const auto corners = corridor.corners(query);
            if (corners.empty()) break;
            const NtVec3 at = corridor.position().point, to = corners[0].point;
            const float away = std::hypot(to.x - at.x, to.z - at.z), step = std::min(0.05f, away) / away;
            corridor.move(query, {at.x + (to.x - at.x) * step, at.y, at.z + (to.z - at.z) * step});
        }
        std::printf("walked in %d steps\n", steps);

        auto cache = navtile::Cache::from_bytes(navtile::Bake::of_files(files).run_dynamic().view());
        auto changing = cache.mesh();
        const NtVec3 at = route->points.at(route->points.size() / 2);
        const auto crate = cache.add(navtile::obstacle(NT_BODY_BOX, NT_EFFECT_BLOCKS, {1, 1, 1}, navtile::turned(30, at.x, at.y, at.z)));
        const auto update = cache.wait();
        const auto applied = cache.apply(changing);
        std::printf("a crate: %u tiles baked, %u replaced, %zu obstacles; %s\n", update.baked, applied.replaced, cache.obstacles().size(), cache.failures().empty() ? "none failed" : cache.failures().c_str());
        cache.remove(crate);
        cache.wait();
        cache.apply(changing);

        if (!far_route(files)) return std::fputs("a far route went wrong\n", stderr), 1;
        try {
            mesh.corners(7);
        } catch (const navtile::Error& error) {
            std::printf("a wrong reference: %s\n", error.what());
        }
        return 0;
    } catch (const navtile::Error& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
