// Files of Detour's tile cache: `make LEVEL OUT.tset` cuts a level into layers, `build IN.tset OUT.mset`
// builds the tiles of all layers. tests/tile_cache.rs compiles and runs it, and compares the results with our
// import.

#include "common.h"

namespace {

void make(const char* from, const char* to) {
    const Level level = read_level(from);
    int columns = 0, rows = 0;
    CacheHeader header = header_of(level, columns, rows);
    dtTileCacheAlloc memory;
    Compressor compressor;
    dtTileCache cache;
    require(dtStatusSucceed(cache.init(&header.cache, &memory, &compressor, 0)), "no cache");
    for (int z = 0; z < rows; ++z)
        for (int x = 0; x < columns; ++x) add_layers(cache, compressor, level, x, z);
    for (int i = 0; i < cache.getTileCount(); ++i) header.count += cache.getTile(i)->header != 0;
    FILE* file = std::fopen(to, "wb");
    require(file, "the cache cannot be written");
    std::fwrite(&header, sizeof(header), 1, file);
    for (int i = 0; i < cache.getTileCount(); ++i) {
        const dtCompressedTile* tile = cache.getTile(i);
        if (!tile->header) continue;
        const TileHeader head = {cache.getTileRef(tile), tile->dataSize};
        std::fwrite(&head, sizeof(head), 1, file);
        std::fwrite(tile->data, tile->dataSize, 1, file);
    }
    require(std::fclose(file) == 0, "the cache cannot be written");
}

void build(const char* from, const char* to) {
    FILE* file = std::fopen(from, "rb");
    require(file, "the cache cannot be read");
    CacheHeader header;
    require(std::fread(&header, sizeof(header), 1, file) == 1, "the cache is cut short");
    require(header.magic == CACHE_MAGIC && header.version == SET_VERSION, "no cache");
    dtTileCacheAlloc memory;
    Compressor compressor;
    Walkable process;
    dtTileCache cache;
    dtNavMesh mesh;
    require(dtStatusSucceed(mesh.init(&header.mesh)), "no mesh");
    require(dtStatusSucceed(cache.init(&header.cache, &memory, &compressor, &process)), "no cache");
    for (int i = 0; i < header.count; ++i) {
        TileHeader head;
        require(std::fread(&head, sizeof(head), 1, file) == 1, "the cache is cut short");
        unsigned char* data = (unsigned char*)dtAlloc(head.size, DT_ALLOC_PERM);
        require(std::fread(data, head.size, 1, file) == 1, "the cache is cut short");
        dtCompressedTileRef reference = 0;
        require(dtStatusSucceed(cache.addTile(data, head.size, DT_COMPRESSEDTILE_FREE_DATA, &reference)), "no place for a layer");
        require(dtStatusSucceed(cache.buildNavMeshTile(reference, &mesh)), "no tile of a layer");
    }
    std::fclose(file);
    const dtNavMesh& built = mesh;
    MeshHeader written = {MESH_MAGIC, SET_VERSION, 0, header.mesh};
    for (int i = 0; i < built.getMaxTiles(); ++i) written.count += built.getTile(i)->header != 0;
    file = std::fopen(to, "wb");
    require(file, "the mesh cannot be written");
    std::fwrite(&written, sizeof(written), 1, file);
    for (int i = 0; i < built.getMaxTiles(); ++i) {
        const dtMeshTile* tile = built.getTile(i);
        if (!tile->header) continue;
        const TileHeader head = {built.getTileRef(tile), tile->dataSize};
        std::fwrite(&head, sizeof(head), 1, file);
        std::fwrite(tile->data, tile->dataSize, 1, file);
    }
    require(std::fclose(file) == 0, "the mesh cannot be written");
}

}  // namespace

int main(int count, char** arguments) {
    require(count == 4, "give `make LEVEL OUT.tset` or `build IN.tset OUT.mset`");
    if (std::strcmp(arguments[1], "make") == 0)
        make(arguments[2], arguments[3]);
    else
        build(arguments[2], arguments[3]);
    return 0;
}
