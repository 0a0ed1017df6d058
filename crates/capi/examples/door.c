/* Bakes a level that can change, and closes and opens a door in it. A route around a wall is
 * found before, in between and after. */
#include <navtile.h>
#include <stdio.h>
#include <stdlib.h>

static void check(NtStatus status, const char* what) {
    if (status == NT_OK) return;
    fprintf(stderr, "%s: %s\n", what, nt_last_error());
    exit(1);
}

/* Bakes the tiles that wait, two in a frame, and swaps them in the mesh. */
static NtApplied frames(NtCache cache, NtMesh mesh) {
    NtUpdate update;
    do {
        check(nt_cache_update(cache, 2, 0, &update), "an update");
    } while (update.left > 0);
    NtApplied applied;
    check(nt_cache_apply(cache, mesh, &applied), "swapping tiles");
    return applied;
}

static NtPathEnd ask(NtQuery query, NtMesh mesh, const char* when) {
    check(nt_query_update(query, mesh), "the mesh as it is now");
    NtRoute route;
    check(nt_query_route(query, (NtVec3){2, 0, 2}, (NtVec3){18, 0, 2}, NULL, &route), "a route");
    printf("%s: %.2f m%s\n", when, route.length, route.end == NT_PATH_COMPLETE ? "" : ", and no way on");
    return route.end;
}

int main(void) {
    /* A floor of 20 by 12 metres. */
    static const float vertices[] = {0, 0, 0, 0, 0, 12, 20, 0, 12, 20, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const char* settings = "cell_size = 0.2\ntile_size = 5\n[agent]\nradius = 0.4\n";
    NtBake bake;
    check(nt_bake_from_triangles(vertices, 4, triangles, 2, settings, &bake), "the level");
    NtBytes file;
    check(nt_bake_dynamic(bake, NULL, NULL, &file), "the bake");
    check(nt_bake_free(bake), "freeing the bake");
    const uint8_t* bytes;
    size_t length;
    check(nt_bytes_data(file, &bytes, &length), "the file");
    NtCache cache;
    check(nt_cache_from_bytes(bytes, length, &cache), "the cache");
    check(nt_bytes_free(file), "freeing the file");
    NtMesh mesh;
    check(nt_cache_mesh(cache, NULL, &mesh), "the mesh");
    NtQuery query;
    check(nt_query_new(mesh, (NtFilter){0}, 0, &query), "a query");

    /* A wall across the floor that leaves 2 metres free at the far end, and a door that fits there. */
    NtObstacleParams wall, door;
    check(nt_obstacle_init(&wall), "an obstacle");
    wall.extents[0] = 0.4, wall.extents[1] = 3, wall.extents[2] = 10;
    check(nt_transform_turned(0, 10, 0, 5, &wall.place), "its place");
    check(nt_obstacle_init(&door), "an obstacle");
    door.effect = NT_EFFECT_BLOCKS;
    door.extents[0] = 0.4, door.extents[1] = 3, door.extents[2] = 2;
    check(nt_transform_turned(0, 10, 0, 11, &door.place), "its place");

    NtPathEnd open = ask(query, mesh, "without a wall");
    NtObstacle standing, shut;
    check(nt_cache_add(cache, &wall, &standing), "the wall");
    frames(cache, mesh);
    NtPathEnd around = ask(query, mesh, "around the wall");
    check(nt_cache_add(cache, &door, &shut), "the door");
    NtApplied applied = frames(cache, mesh);
    printf("the door has shut: %u island fell apart\n", applied.parted);
    NtPathEnd closed = ask(query, mesh, "with the door shut");
    check(nt_cache_remove(cache, shut), "opening the door");
    applied = frames(cache, mesh);
    printf("the door is open: %u island joined\n", applied.joined);
    NtPathEnd again = ask(query, mesh, "around the wall again");

    check(nt_query_free(query), "freeing the query");
    check(nt_mesh_free(mesh), "freeing the mesh");
    check(nt_cache_free(cache), "freeing the cache");
    int good = open == NT_PATH_COMPLETE && around == NT_PATH_COMPLETE && closed == NT_PATH_UNREACHABLE && again == NT_PATH_COMPLETE;
    return good ? 0 : 1;
}
