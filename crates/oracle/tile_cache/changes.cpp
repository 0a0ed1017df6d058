// Adds and removes an obstacle by two methods, and prints the time of each: `changes LEVEL`, then commands by
// line:
//
//   cache X Y Z RADIUS HEIGHT    Detour's tile cache: adds a cylinder, and updates until all tiles are built
//   uncache                      removes it, and updates until all tiles are built
//   mark X Y Z RADIUS HEIGHT     kept voxels: builds the tiles that a cylinder touches, border included,
//                                without its ground
//   solid X Y Z SIDE             kept voxels: builds the tiles that a box touches, with the box
//   none                         kept voxels: builds the same tiles without either
//
// The answer to each is the number of tiles built and the CPU time of the thread, nanoseconds. Any other line
// ends the program.
// With kept voxels a tile is built as DotRecast does it: the spans of the level, as rasterized, are put into
// a heightfield. Then the obstacle is added, and all of Recast runs from the filters on, with RecastDemo's
// settings: watershed, contours, polygons, detail mesh, and the tile in its mesh.

#include "common.h"
#include <ctime>
#include <memory>

namespace {

struct Obstacle {
    enum Kind { NONE, MARK, SOLID } kind;
    float at[3];
    // The radius of a cylinder, or half the side of a box.
    float half;
    float height;
};

struct KeptSpan {
    int x, z;
    unsigned short low, high;
    unsigned char area;
};

struct World {
    Level level;
    int columns, rows;
    Compressor compressor;
    Walkable process;
    dtTileCacheAlloc memory;
    dtTileCache cache;
    dtNavMesh cached, built;
    std::vector<std::vector<KeptSpan>> kept;
};

long long now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

std::vector<KeptSpan> spans_of(const Level& level, int x, int z) {
    rcContext context(false);
    rcHeightfield* solid = rasterized(context, config_of(level, x, z), level);
    std::vector<KeptSpan> kept;
    for (int row = 0; row < solid->height; ++row)
        for (int column = 0; column < solid->width; ++column)
            for (const rcSpan* span = solid->spans[column + row * solid->width]; span; span = span->next)
                kept.push_back({column, row, (unsigned short)span->smin, (unsigned short)span->smax, (unsigned char)span->area});
    rcFreeHeightField(solid);
    return kept;
}

void add_box(rcContext& context, const rcConfig& config, const Obstacle& obstacle, rcHeightfield& solid) {
    float corners[8 * 3];
    for (int i = 0; i < 8; ++i) {
        corners[3 * i] = obstacle.at[0] + (i & 1 ? obstacle.half : -obstacle.half);
        corners[3 * i + 1] = obstacle.at[1] + (i & 2 ? obstacle.height : 0);
        corners[3 * i + 2] = obstacle.at[2] + (i & 4 ? obstacle.half : -obstacle.half);
    }
    const int faces[12 * 3] = {2, 6, 7, 2, 7, 3, 0, 1, 5, 0, 5, 4, 0, 2, 3, 0, 3, 1,
                               4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    unsigned char areas[12] = {};
    rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, corners, 8, faces, 12, areas);
    require(rcRasterizeTriangles(&context, corners, 8, faces, areas, 12, solid, config.walkableClimb), "no box");
}

// The regions, contours and polygons of floors, as a tile of a mesh; nothing without ground.
unsigned char* tile_data(rcContext& context, const Level& level, const rcConfig& config, int x, int z, rcCompactHeightfield& field,
                         int& size) {
    require(rcBuildDistanceField(&context, field), "no distances");
    require(rcBuildRegions(&context, field, config.borderSize, 64, 400), "no regions");
    rcContourSet* contours = rcAllocContourSet();
    require(rcBuildContours(&context, field, config.maxSimplificationError, (int)(12 / config.cs), *contours), "no contours");
    rcPolyMesh* mesh = rcAllocPolyMesh();
    rcPolyMeshDetail* detail = rcAllocPolyMeshDetail();
    require(rcBuildPolyMesh(&context, *contours, 6, *mesh), "no polygons");
    require(rcBuildPolyMeshDetail(&context, *mesh, field, 6 * config.cs, config.ch, *detail), "no detail");
    for (int i = 0; i < mesh->npolys; ++i) mesh->flags[i] = 1;
    dtNavMeshCreateParams params = {};
    params.verts = mesh->verts;
    params.vertCount = mesh->nverts;
    params.polys = mesh->polys;
    params.polyAreas = mesh->areas;
    params.polyFlags = mesh->flags;
    params.polyCount = mesh->npolys;
    params.nvp = mesh->nvp;
    params.detailMeshes = detail->meshes;
    params.detailVerts = detail->verts;
    params.detailVertsCount = detail->nverts;
    params.detailTris = detail->tris;
    params.detailTriCount = detail->ntris;
    params.walkableHeight = level.height;
    params.walkableRadius = level.radius;
    params.walkableClimb = level.climb;
    params.tileX = x;
    params.tileY = z;
    dtVcopy(params.bmin, mesh->bmin);
    dtVcopy(params.bmax, mesh->bmax);
    params.cs = config.cs;
    params.ch = config.ch;
    params.buildBvTree = true;
    unsigned char* data = 0;
    if (mesh->npolys > 0) require(dtCreateNavMeshData(&params, &data, &size), "no tile");
    rcFreePolyMeshDetail(detail);
    rcFreePolyMesh(mesh);
    rcFreeContourSet(contours);
    return data;
}

void build_tile(World& world, int x, int z, const Obstacle& obstacle) {
    rcContext context(false);
    const rcConfig config = config_of(world.level, x, z);
    rcHeightfield* solid = empty_heightfield(context, config);
    for (const KeptSpan& span : world.kept[x + z * world.columns])
        require(rcAddSpan(&context, *solid, span.x, span.z, span.low, span.high, span.area, config.walkableClimb), "no span");
    if (obstacle.kind == Obstacle::SOLID) add_box(context, config, obstacle, *solid);
    rcCompactHeightfield* field = floors_of(context, config, solid);
    if (obstacle.kind == Obstacle::MARK) rcMarkCylinderArea(&context, obstacle.at, obstacle.half, obstacle.height, RC_NULL_AREA, *field);
    int size = 0;
    unsigned char* data = tile_data(context, world.level, config, x, z, *field, size);
    rcFreeCompactHeightfield(field);
    rcFreeHeightField(solid);
    world.built.removeTile(world.built.getTileRefAt(x, z, 0), 0, 0);
    if (data) require(dtStatusSucceed(world.built.addTile(data, size, DT_TILE_FREE_DATA, 0, 0)), "no place for a tile");
}

// Builds the tiles that an obstacle at this place touches.
int rebuild(World& world, const Obstacle& place, const Obstacle& obstacle) {
    const Level& level = world.level;
    const float side = level.config.tileSize * level.config.cs, border = level.config.borderSize * level.config.cs;
    int first[2], last[2];
    const int counts[2] = {world.columns, world.rows};
    for (int i = 0; i < 2; ++i) {
        const float at = place.at[2 * i] - level.config.bmin[2 * i], reach = place.half + border;
        first[i] = dtMax(0, (int)std::floor((at - reach) / side));
        last[i] = dtMin(counts[i] - 1, (int)std::floor((at + reach) / side));
    }
    int count = 0;
    for (int z = first[1]; z <= last[1]; ++z)
        for (int x = first[0]; x <= last[0]; ++x, ++count) build_tile(world, x, z, obstacle);
    return count;
}

void update(World& world) {
    bool is_done = false;
    while (!is_done) require(dtStatusSucceed(world.cache.update(0, &world.cached, &is_done)), "no update");
}

void open(World& world, const char* path) {
    world.level = read_level(path);
    CacheHeader header = header_of(world.level, world.columns, world.rows);
    require(dtStatusSucceed(world.cached.init(&header.mesh)) && dtStatusSucceed(world.built.init(&header.mesh)), "no mesh");
    require(dtStatusSucceed(world.cache.init(&header.cache, &world.memory, &world.compressor, &world.process)), "no cache");
    for (int z = 0; z < world.rows; ++z)
        for (int x = 0; x < world.columns; ++x) {
            add_layers(world.cache, world.compressor, world.level, x, z);
            require(dtStatusSucceed(world.cache.buildNavMeshTilesAt(x, z, &world.cached)), "no tile of a layer");
            world.kept.push_back(spans_of(world.level, x, z));
            build_tile(world, x, z, Obstacle());
        }
}

void serve(World& world) {
    char line[256], name[16];
    dtObstacleRef cached = 0;
    Obstacle obstacle = {};
    while (std::fgets(line, sizeof line, stdin)) {
        if (line[0] == '\n') return;
        Obstacle given = {};
        const int read = std::sscanf(line, "%15s %f %f %f %f %f", name, given.at, given.at + 1, given.at + 2, &given.half, &given.height);
        int tiles = 0;
        const long long start = now();
        if (!std::strcmp(name, "cache") && read == 6) {
            require(dtStatusSucceed(world.cache.addObstacle(given.at, given.half, given.height, &cached)), "no obstacle");
            update(world);
            tiles = world.cache.getObstacleByRef(cached)->ntouched;
        } else if (!std::strcmp(name, "uncache") && read == 1) {
            tiles = world.cache.getObstacleByRef(cached)->ntouched;
            require(dtStatusSucceed(world.cache.removeObstacle(cached)), "no such obstacle");
            update(world);
        } else if (!std::strcmp(name, "mark") && read == 6) {
            obstacle = given;
            obstacle.kind = Obstacle::MARK;
            tiles = rebuild(world, obstacle, obstacle);
        } else if (!std::strcmp(name, "solid") && read == 5) {
            obstacle = given;
            obstacle.kind = Obstacle::SOLID;
            obstacle.height = given.half;
            obstacle.half = given.half / 2;
            tiles = rebuild(world, obstacle, obstacle);
        } else if (!std::strcmp(name, "none") && read == 1) {
            tiles = rebuild(world, obstacle, Obstacle());
        } else {
            fail("give cache, uncache, mark, solid or none, and the numbers of each");
        }
        std::printf("%d %lld\n", tiles, now() - start);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** arguments) {
    require(count == 2, "give LEVEL");
    const std::unique_ptr<World> world(new World());
    open(*world, arguments[1]);
    serve(*world);
    return 0;
}
