// Bakes a level file, walks along a route by a corridor, drops a crate onto it, and shows what errors look
// like: C++.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <navtile.hpp>

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
