/* Bakes a level from arrays, asks for a route, and lets a crowd walk: all in C. */
#include <navtile.h>
#include <stdio.h>
#include <stdlib.h>

static void check(NtStatus status, const char* what) {
    if (status == NT_OK) return;
    fprintf(stderr, "%s: %s\n", what, nt_last_error());
    exit(1);
}

int main(void) {
    /* A floor of 20 by 12 metres, and a wall across it that leaves 2 metres free at the far end. */
    static const float vertices[] = {
        0, 0, 0, 0, 0, 12, 20, 0, 12, 20, 0, 0,
        9.8f, 0, 0, 9.8f, 3, 0, 9.8f, 0, 10, 9.8f, 3, 10, 10.2f, 0, 0, 10.2f, 3, 0, 10.2f, 0, 10, 10.2f, 3, 10,
    };
    static const uint32_t triangles[] = {
        0, 1, 2, 0, 2, 3,
        4, 6, 7, 4, 7, 5, 8, 9, 11, 8, 11, 10, 5, 7, 11, 5, 11, 9, 6, 10, 11, 6, 11, 7, 4, 5, 9, 4, 9, 8,
    };
    const char* settings = "cell_size = 0.2\ntile_size = \"off\"\n[agent]\nradius = 0.4\n";
    NtBake bake;
    check(nt_bake_from_triangles(vertices, sizeof vertices / sizeof *vertices / 3, triangles, sizeof triangles / sizeof *triangles / 3, settings, &bake), "the level");
    NtBytes file;
    check(nt_bake_run(bake, NULL, NULL, &file, 1), "the bake");
    check(nt_bake_free(bake), "freeing the bake");

    const uint8_t* bytes;
    size_t length;
    check(nt_bytes_data(file, &bytes, &length), "the file");
    NtMesh mesh;
    check(nt_mesh_from_bytes(bytes, length, NULL, &mesh), "the mesh");
    check(nt_bytes_free(file), "freeing the file");
    NtMeshInfo info;
    check(nt_mesh_info(mesh, &info), "its figures");
    printf("%zu bytes, %u polygons\n", length, info.polygons);

    NtQuery query;
    NtFilter none = {0};
    check(nt_query_new(mesh, none, 0, &query), "a query");
    NtVec3 from = {2, 0, 2}, to = {18, 0, 2};
    NtRoute route;
    check(nt_query_route(query, from, to, NULL, &route), "a route");
    NtVec3 points[32];
    size_t count;
    check(nt_query_points(query, points, 32, &count), "its points");
    printf("%.2f m around the wall:", route.length);
    for (size_t i = 0; i < count; i++) printf(" (%.2f, %.2f)", points[i].x, points[i].z);
    printf("\n");

    NtNearest goal;
    check(nt_query_nearest(query, to, NULL, &goal), "the goal");
    NtCrowd crowd;
    check(nt_crowd_new(NULL, &crowd), "a crowd");
    for (int i = 0; i < 10; i++) {
        NtAgent agent;
        NtVec3 at = {1.0f + 1.2f * (float)(i % 5), 0, 1.0f + 1.2f * (float)(i / 5)};
        check(nt_crowd_add(crowd, mesh, at, NULL, &agent), "an agent");
        check(nt_crowd_send(crowd, agent, goal.place), "its way");
    }
    int arrived = 0;
    for (int step = 0; step < 60 * 60 && arrived < 10; step++) {
        check(nt_crowd_step(crowd, mesh, 1.0f / 60), "a step");
        NtEvent events[64];
        check(nt_crowd_events(crowd, events, 64, &count), "its events");
        for (size_t i = 0; i < count; i++) arrived += events[i].kind == NT_EVENT_ARRIVED;
    }
    uint64_t hash;
    check(nt_crowd_hash(crowd, &hash), "its hash");
    printf("%d of 10 arrived, hash %016llx\n", arrived, (unsigned long long)hash);
    check(nt_crowd_free(crowd), "freeing the crowd");
    check(nt_query_free(query), "freeing the query");
    check(nt_mesh_free(mesh), "freeing the mesh");
    return arrived == 10 ? 0 : 1;
}
