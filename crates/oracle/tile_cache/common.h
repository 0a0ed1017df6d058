// Detour's tile cache as RecastDemo sets it up: reads a level from text, cuts it into tiles, and makes their
// layers.
//
// LEVEL is text: cell size and height; agent height, radius, climb and slope; cells of a tile; error of
// contours; numbers of vertices and triangles; the vertices and triangles; smallest and largest corner of a
// box whose ground is of area 5.

#pragma once

#include "DetourCommon.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourTileCache.h"
#include "DetourTileCacheBuilder.h"
#include "Recast.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// The library's own sources are compiled as C++, this one too.
int fastlz_compress(const void* input, int length, void* output);
int fastlz_decompress(const void* input, int length, void* output, int maxout);

namespace {

const int SET_VERSION = 1;
const int CACHE_MAGIC = 'T' << 24 | 'S' << 16 | 'E' << 8 | 'T';
const int MESH_MAGIC = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';

struct CacheHeader {
    int magic, version, count;
    dtNavMeshParams mesh;
    dtTileCacheParams cache;
};

struct MeshHeader {
    int magic, version, count;
    dtNavMeshParams mesh;
};

struct TileHeader {
    unsigned int reference;
    int size;
};

void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

void require(bool holds, const char* what) {
    if (!holds) fail(what);
}

struct Compressor : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override { return size + size / 20 + 66; }

    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int, int* packed) override {
        *packed = fastlz_compress(from, size, to);
        return DT_SUCCESS;
    }

    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int most, int* unpacked) override {
        *unpacked = fastlz_decompress(from, size, to, most);
        return *unpacked > 0 ? DT_SUCCESS : DT_FAILURE;
    }
};

// All polygons can be walked on; areas stay as they are.
struct Walkable : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char*, unsigned short* flags) override {
        for (int i = 0; i < params->polyCount; ++i) flags[i] = 1;
    }
};

struct Level {
    rcConfig config;
    float height, radius, climb;
    float box[6];
    std::vector<float> vertices;
    std::vector<int> triangles;
};

Level read_level(const char* path) {
    FILE* file = std::fopen(path, "r");
    require(file, "the level cannot be read");
    Level level = {};
    rcConfig& config = level.config;
    int vertices = 0, triangles = 0;
    bool complete = std::fscanf(file, "%f %f %f %f %f %f %d %f %d %d", &config.cs, &config.ch, &level.height,
                                &level.radius, &level.climb, &config.walkableSlopeAngle, &config.tileSize,
                                &config.maxSimplificationError, &vertices, &triangles) == 10;
    level.vertices.resize(3 * vertices);
    level.triangles.resize(3 * triangles);
    for (float& value : level.vertices) complete = complete && std::fscanf(file, "%f", &value) == 1;
    for (int& value : level.triangles) complete = complete && std::fscanf(file, "%d", &value) == 1;
    for (float& value : level.box) complete = complete && std::fscanf(file, "%f", &value) == 1;
    std::fclose(file);
    require(complete, "the level is cut short");
    config.walkableHeight = (int)std::ceil(level.height / config.ch);
    config.walkableClimb = (int)std::floor(level.climb / config.ch);
    config.walkableRadius = (int)std::ceil(level.radius / config.cs);
    config.borderSize = config.walkableRadius + 3;
    config.width = config.height = config.tileSize + 2 * config.borderSize;
    rcCalcBounds(level.vertices.data(), vertices, config.bmin, config.bmax);
    return level;
}

// The box of a tile, border included.
rcConfig config_of(const Level& level, int x, int z) {
    rcConfig config = level.config;
    const float side = config.tileSize * config.cs, border = config.borderSize * config.cs;
    config.bmin[0] = level.config.bmin[0] + x * side - border;
    config.bmin[2] = level.config.bmin[2] + z * side - border;
    config.bmax[0] = level.config.bmin[0] + (x + 1) * side + border;
    config.bmax[2] = level.config.bmin[2] + (z + 1) * side + border;
    return config;
}

rcHeightfield* empty_heightfield(rcContext& context, const rcConfig& config) {
    rcHeightfield* solid = rcAllocHeightfield();
    require(rcCreateHeightfield(&context, *solid, config.width, config.height, config.bmin, config.bmax, config.cs, config.ch),
            "no heightfield");
    return solid;
}

// The spans of a tile.
rcHeightfield* rasterized(rcContext& context, const rcConfig& config, const Level& level) {
    rcHeightfield* solid = empty_heightfield(context, config);
    const int count = (int)level.triangles.size() / 3, vertices = (int)level.vertices.size() / 3;
    std::vector<unsigned char> areas(count, 0);
    rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, level.vertices.data(), vertices, level.triangles.data(), count,
                            areas.data());
    require(rcRasterizeTriangles(&context, level.vertices.data(), vertices, level.triangles.data(), areas.data(), count, *solid,
                                 config.walkableClimb),
            "no spans");
    return solid;
}

// The eroded floors among spans, which are filtered.
rcCompactHeightfield* floors_of(rcContext& context, const rcConfig& config, rcHeightfield* solid) {
    rcCompactHeightfield* field = rcAllocCompactHeightfield();
    rcFilterLowHangingWalkableObstacles(&context, config.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, config.walkableHeight, config.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, *solid);
    require(rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *solid, *field), "no field");
    require(rcErodeWalkableArea(&context, config.walkableRadius, *field), "no erosion");
    return field;
}

// Adds the layers of a tile to the cache.
void add_layers(dtTileCache& cache, Compressor& compressor, const Level& level, int x, int z) {
    rcContext context(false);
    const rcConfig config = config_of(level, x, z);
    rcHeightfield* solid = rasterized(context, config, level);
    rcCompactHeightfield* field = floors_of(context, config, solid);
    rcHeightfieldLayerSet* layers = rcAllocHeightfieldLayerSet();
    rcMarkBoxArea(&context, level.box, level.box + 3, 5, *field);
    require(rcBuildHeightfieldLayers(&context, *field, config.borderSize, config.walkableHeight, *layers), "no layers");
    for (int number = 0; number < layers->nlayers; ++number) {
        const rcHeightfieldLayer& layer = layers->layers[number];
        dtTileCacheLayerHeader header = {};
        header.magic = DT_TILECACHE_MAGIC;
        header.version = DT_TILECACHE_VERSION;
        header.tx = x;
        header.ty = z;
        header.tlayer = number;
        dtVcopy(header.bmin, layer.bmin);
        dtVcopy(header.bmax, layer.bmax);
        header.width = (unsigned char)layer.width;
        header.height = (unsigned char)layer.height;
        header.minx = (unsigned char)layer.minx;
        header.maxx = (unsigned char)layer.maxx;
        header.miny = (unsigned char)layer.miny;
        header.maxy = (unsigned char)layer.maxy;
        header.hmin = (unsigned short)layer.hmin;
        header.hmax = (unsigned short)layer.hmax;
        unsigned char* data = 0;
        int size = 0;
        require(dtStatusSucceed(dtBuildTileCacheLayer(&compressor, &header, layer.heights, layer.areas, layer.cons, &data, &size)),
                "no data of a layer");
        require(dtStatusSucceed(cache.addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, 0)), "no place for a layer");
    }
    rcFreeHeightfieldLayerSet(layers);
    rcFreeCompactHeightfield(field);
    rcFreeHeightField(solid);
}

// The parameters of the cache of a level and of its mesh, and how many tiles there are.
CacheHeader header_of(const Level& level, int& columns, int& rows) {
    const rcConfig& config = level.config;
    int width = 0, depth = 0;
    rcCalcGridSize(config.bmin, config.bmax, config.cs, &width, &depth);
    columns = (width + config.tileSize - 1) / config.tileSize;
    rows = (depth + config.tileSize - 1) / config.tileSize;
    CacheHeader header = {};
    header.magic = CACHE_MAGIC;
    header.version = SET_VERSION;
    dtTileCacheParams& params = header.cache;
    dtVcopy(params.orig, config.bmin);
    params.cs = config.cs;
    params.ch = config.ch;
    params.width = params.height = config.tileSize;
    params.walkableHeight = level.height;
    params.walkableRadius = level.radius;
    params.walkableClimb = level.climb;
    params.maxSimplificationError = config.maxSimplificationError;
    params.maxTiles = columns * rows * 8;
    params.maxObstacles = 128;
    dtVcopy(header.mesh.orig, config.bmin);
    header.mesh.tileWidth = header.mesh.tileHeight = config.tileSize * config.cs;
    const int bits = dtMin((int)dtIlog2(dtNextPow2(columns * rows * 8)), 14);
    header.mesh.maxTiles = 1 << bits;
    header.mesh.maxPolys = 1 << (22 - bits);
    return header;
}

}  // namespace
