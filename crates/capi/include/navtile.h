/* navtile: navigation meshes for C, C++ and whatever calls C.
 *
 * Made from crates/capi by cargo xtask capi; do not edit.
 *
 * Every call returns an NtStatus, and writes its answer through a pointer. nt_last_error has the words of the last call of the
 * thread that was not NT_OK. Objects are handles: a struct of a number, passed by value; one of zeros is none. A handle that
 * was freed is an error, no crash. Every call may be made by any thread; calls on one object wait for each other, and a query
 * asks a snapshot, so that a mesh may change meanwhile. Arrays for answers are the caller's: a call says how long the answer
 * is, and writes as much as fits.
 *
 * Structs that begin with `size` can grow: set them by their _init function.
 *
 * Positions are metres from the anchor of the mesh, y upwards; those of pieces are metres in the world. */


#ifndef NAVTILE_H
#define NAVTILE_H

#include <stdint.h>
#include <stddef.h>

// How an agent keeps clear of others.
#define NT_AVOID_NONE 0

// By reciprocal velocity obstacles.
#define NT_AVOID_ORCA 1

// By trying velocities, as Detour's crowd does.
#define NT_AVOID_SAMPLING 2

// Side by side, the leader in the middle.
#define NT_FORMATION_LINE 0

// One behind another.
#define NT_FORMATION_COLUMN 1

// A wedge with the leader at its tip.
#define NT_FORMATION_WEDGE 2

// Rows of the same length, the leader in the middle of the first.
#define NT_FORMATION_BOX 3

// Slots of the caller's, by nt_crowd_set_slots.
#define NT_FORMATION_OWN 4

// A box of the extents x, y and z, on the middle of its bottom.
#define NT_BODY_BOX 0

// An upright cylinder: the first extent is its radius, the second its height; on the middle of its bottom.
#define NT_BODY_CYLINDER 1

// An upright capsule, likewise; at least twice its radius high.
#define NT_BODY_CAPSULE 2

// It is there: it can be stood on where it is flat enough, and stood under. `area` is that of its top, 0 if it cannot be walked on.
#define NT_EFFECT_SOLID 0

// The ground that an agent's body would meet it on is taken away. Costs less than a solid piece, and leaves nothing to stand on.
#define NT_EFFECT_BLOCKS 1

// The ground within it has the area `area`.
#define NT_EFFECT_MARKS 2

// The level vanishes there, from one cell above its bottom on.
#define NT_EFFECT_REMOVES 3

// The result of a call: 0 if it did what was asked, a positive number if there is no answer, a negative one for an error.
// nt_last_error has the words.
enum NtStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It is done, and all outputs are written.
  NT_OK = 0,
  // There is no answer: nothing walkable there, no wall within the radius, no such area. Outputs are untouched.
  NT_NOT_FOUND = 1,
  // The answer is longer than the caller's array: its beginning is written, and the count says how long it is.
  NT_TRUNCATED = 2,
  // An argument is NULL where it may not be, not finite, out of its range, or no UTF-8.
  NT_ERROR_ARGUMENT = -1,
  // A handle names nothing: it was freed, or never made, or is one of something else.
  NT_ERROR_HANDLE = -2,
  // A polygon reference names nothing: its tile was removed or replaced. Find the polygon again.
  NT_ERROR_REFERENCE = -3,
  // A file cannot be read.
  NT_ERROR_FILE = -4,
  // Bytes are not what they should be: no tile, no file, damaged, of another version; or a level that cannot be baked.
  NT_ERROR_DATA = -5,
  // A limit of the library or of the query would be exceeded.
  NT_ERROR_LIMIT = -6,
  // The caller's function asked to stop.
  NT_ERROR_CANCELLED = -7,
  // A fault of the library: please report it. The object of the call can only be freed.
  NT_ERROR_INTERNAL = -8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtStatus NtStatus;
#else
typedef int32_t NtStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a point of a route.
enum NtCornerKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_CORNER_START = 0,
  // The route bends here.
  NT_CORNER_TURN = 1,
  // It goes straight on over an edge.
  NT_CORNER_CROSSING = 2,
  // An off-mesh link starts here; the next point is its end.
  NT_CORNER_LINK_START = 3,
  NT_CORNER_LINK_END = 4,
  // The goal, or where the route ends.
  NT_CORNER_END = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtCornerKind NtCornerKind;
#else
typedef uint32_t NtCornerKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a straight walk ends.
enum NtWalkEnd
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_WALK_GOAL = 0,
  NT_WALK_WALL = 1,
  NT_WALK_OUT_OF_NODES = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtWalkEnd NtWalkEnd;
#else
typedef uint32_t NtWalkEnd;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The doings of an agent.
enum NtAgentState
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_AGENT_IDLE = 0,
  // Its path is being searched for.
  NT_AGENT_SEARCHING = 1,
  NT_AGENT_WALKING = 2,
  NT_AGENT_ARRIVED = 3,
  // At the start of an off-mesh link that others are on.
  NT_AGENT_WAITING = 4,
  NT_AGENT_ON_LINK = 5,
  // There is no ground under it.
  NT_AGENT_LOST = 6,
  // On its way off ground that was taken.
  NT_AGENT_STEPPING_OUT = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtAgentState NtAgentState;
#else
typedef uint32_t NtAgentState;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kinds of events.
enum NtEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_EVENT_ARRIVED = 0,
  // It comes no nearer: others are in its way.
  NT_EVENT_STUCK_CROWDED = 1,
  // It waits for a busy off-mesh link.
  NT_EVENT_STUCK_LINK_BUSY = 2,
  // It stands at the end of a path that does not lead to its target.
  NT_EVENT_STUCK_NO_WAY = 3,
  NT_EVENT_STUCK_SLOW = 4,
  // Its path ends before its target.
  NT_EVENT_PATH_PARTIAL = 5,
  // Tiles or flags changed, and a new path is searched for.
  NT_EVENT_PATH_LOST = 6,
  NT_EVENT_GROUND_LOST = 7,
  NT_EVENT_GROUND_FOUND = 8,
  NT_EVENT_STEPPING_OUT = 9,
  NT_EVENT_SLOT_CHANGED = 10,
  NT_EVENT_LINK_ENTERED = 11,
  NT_EVENT_LINK_LEFT = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtEventKind NtEventKind;
#else
typedef uint32_t NtEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kinds of lines of nt_mesh_lines.
enum NtLineKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // An edge between two polygons of a tile.
  NT_LINE_INNER = 0,
  // An edge with nothing to walk on behind it.
  NT_LINE_WALL = 1,
  // An edge on the border of its tile, through which one gets into the next, if that is there.
  NT_LINE_PORTAL = 2,
  // The border of a tile, at the height of its base.
  NT_LINE_TILE = 3,
  // An off-mesh link: an arc, with a head at each end that it leads to.
  NT_LINE_LINK = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtLineKind NtLineKind;
#else
typedef uint32_t NtLineKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a path ends.
enum NtPathEnd
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // At its goal.
  NT_PATH_COMPLETE = 0,
  // Where the query's nodes ran out.
  NT_PATH_OUT_OF_NODES = 1,
  // As near as the mesh leads: nothing leads to the goal.
  NT_PATH_UNREACHABLE = 2,
  // The same, as the filter shuts the goal off.
  NT_PATH_GOAL_EXCLUDED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtPathEnd NtPathEnd;
#else
typedef uint32_t NtPathEnd;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A file of a level: its name with its ending, by which others name it, and its content.
typedef struct NtFile {
  const char *name;
  const uint8_t *bytes;
  size_t length;
} NtFile;

// A level with its settings, ready to bake. Freed by nt_bake_free.
typedef struct NtBake {
  uint64_t id;
} NtBake;

// Is called again and again while a level is baked, by any thread of the library's pool, several at once, with the part that is
// done, 0 to 1. Returns 0 to end the bake.
typedef int32_t (*NtProgress)(void *context, float part);

// Bytes that the library made. Freed by nt_bytes_free.
typedef struct NtBytes {
  uint64_t id;
} NtBytes;

// A level whose pieces come, move and go. Freed by nt_cache_free.
typedef struct NtCache {
  uint64_t id;
} NtCache;

// A mesh: tiles with their links. Freed by nt_mesh_free.
typedef struct NtMesh {
  uint64_t id;
} NtMesh;

// From a piece's own space to the world, metres: three rows of four, x, y and z. The last of each row is added, so that it is where
// the piece's zero is.
typedef struct NtTransform {
  double rows[3][4];
} NtTransform;

// A piece of a level. Set by nt_piece_init, which makes it a solid box of one metre at the world's zero, before changes.
typedef struct NtPieceParams {
  // Of this struct.
  uint32_t size;
  // NT_BODY_BOX, NT_BODY_CYLINDER or NT_BODY_CAPSULE. Hulls and meshes have calls of their own, and do not read this.
  uint32_t body;
  // NT_EFFECT_SOLID, NT_EFFECT_BLOCKS, NT_EFFECT_MARKS or NT_EFFECT_REMOVES.
  uint32_t effect;
  // 0 to 255; 63 is the library's ground. Read by NT_EFFECT_SOLID and NT_EFFECT_MARKS.
  uint32_t area;
  // 1 to reach further by the agent's radius. Read by NT_EFFECT_BLOCKS and NT_EFFECT_MARKS.
  uint32_t inflate;
  // 0.
  uint32_t reserved;
  // Metres.
  double extents[3];
  struct NtTransform place;
} NtPieceParams;

// A piece in a cache; 0 is none. A handle of a piece that was removed names nothing.
typedef uint64_t NtPiece;

// The work of an update.
typedef struct NtUpdate {
  // Tiles that changed.
  uint32_t changed;
  // Tiles that were baked.
  uint32_t baked;
  // Tiles that are again as they are in the file, and were taken from there.
  uint32_t from_file;
  // Tiles that could not be baked, and stay as they were until a piece in them changes: see nt_cache_failures.
  uint32_t failed;
  // Tiles that wait.
  uint32_t left;
} NtUpdate;

// The result of swapping tiles in a mesh.
typedef struct NtApplied {
  uint32_t added;
  uint32_t replaced;
  uint32_t removed;
  // Polygons whose flags or area had been changed at run time, and that kept them, as they are still there.
  uint32_t kept;
  // Likewise, but they are not there any more.
  uint32_t lost;
  // Islands that became one, read by nt_cache_joined; and that fell apart, read by nt_cache_parted.
  uint32_t joined;
  uint32_t parted;
} NtApplied;

// A reference to a polygon or an off-mesh link of a mesh; 0 is none. Valid as long as its tile stays in the mesh: afterwards it
// names nothing, even when another tile is there.
typedef uint64_t NtPolyRef;

// A part of an island that became one with others, or fell apart.
typedef struct NtIslandPart {
  // A polygon of the mesh, as it is now, on the part.
  NtPolyRef polygon;
  // Parts of the same island have the same number, from 0 on.
  uint32_t island;
} NtIslandPart;

// A point or a direction, metres from the anchor of its mesh: x and z in the plane, y upwards.
typedef struct NtVec3 {
  float x;
  float y;
  float z;
} NtVec3;

// A place on a mesh: a polygon, and a point on it.
typedef struct NtPlace {
  NtPolyRef polygon;
  struct NtVec3 point;
} NtPlace;

// The path that one character keeps while it walks. Freed by nt_corridor_free.
typedef struct NtCorridor {
  uint64_t id;
} NtCorridor;

// Questions to a mesh, with their memory: one for each thread is best. Freed by nt_query_free.
typedef struct NtQuery {
  uint64_t id;
} NtQuery;

// A point of a route, with the polygon or link that is entered there.
typedef struct NtCorner {
  struct NtVec3 point;
  NtCornerKind kind;
  NtPolyRef polygon;
} NtCorner;

// Settings of a crowd. Set by nt_crowd_settings_init before changes.
typedef struct NtCrowdSettings {
  // Of this struct.
  uint32_t size;
  // Polygons that all searches for paths together may visit in a step. At least 1.
  uint32_t search_nodes;
  // Avoidance is worked out anew for each agent in every n-th step. At least 1.
  uint32_t avoid_every;
  // Agents far from all points of interest are worked out anew in every n-th step. 1 to 60.
  uint32_t far_every;
  // An agent that has come no nearer to its target for so long is stuck, seconds.
  float stuck_after;
  // Nodes that the search for a field may use, about three for each polygon that it reaches. At least 1.
  uint32_t field_nodes;
} NtCrowdSettings;

// Properties of an agent. Set by nt_agent_params_init, which makes it a walking person, before changes.
typedef struct NtAgentParams {
  // Of this struct.
  uint32_t size;
  // The number of a filter, as nt_crowd_add_filter gives it; 0 lets everything pass.
  uint32_t filter;
  // Metres.
  float radius;
  float height;
  // Metres a second, and a second squared.
  float max_speed;
  float max_acceleration;
  // Radians a second; infinite for at once.
  float turn_rate;
  // It has arrived when it is this near to its target, metres.
  float stopping_distance;
  // How far ahead collisions are avoided, seconds.
  float horizon;
  // How fast it goes along off-mesh links, metres a second; 0 if the caller takes it over, by nt_crowd_finish_link.
  float link_speed;
  // NT_AVOID_NONE, NT_AVOID_ORCA or NT_AVOID_SAMPLING.
  uint32_t avoidance;
  // Agents give way to those of higher priority, 0 to 255.
  uint32_t priority;
  // The layers that it is on, and those of the agents that it avoids: a bit for each.
  uint32_t layers;
  uint32_t avoids;
  // 1 if it slows down before its target, so as to stop there.
  uint32_t brakes;
} NtAgentParams;

// Characters that walk around each other. Freed by nt_crowd_free.
typedef struct NtCrowd {
  uint64_t id;
} NtCrowd;

// Which ground is walked on, and what a metre of it costs. Freed by nt_filter_free.
typedef struct NtFilter {
  uint64_t id;
} NtFilter;

// An agent of a crowd; 0 is none. A handle of an agent that was removed names nothing.
typedef uint64_t NtAgent;

// An agent as it is after a step.
typedef struct NtAgentView {
  NtAgent agent;
  struct NtPlace place;
  // Metres a second.
  struct NtVec3 velocity;
  // A horizontal unit vector.
  struct NtVec3 heading;
  NtAgentState state;
  // The off-mesh link that it waits for or is on; 0 if none.
  NtPolyRef link;
} NtAgentView;

// Something that happened to an agent.
typedef struct NtEvent {
  NtAgent agent;
  NtEventKind kind;
  // The link that was entered or left; 0 for other events.
  NtPolyRef link;
} NtEvent;

// The costs of the ways from everywhere to the nearest of some goals. Freed by nt_field_free.
typedef struct NtField {
  uint64_t id;
} NtField;

// The way on from a place to the nearest goal of a field.
typedef struct NtFieldStep {
  // The cost of the whole way.
  float cost;
  // A horizontal unit vector; zeros at a goal, and where an off-mesh link is to be taken.
  struct NtVec3 direction;
  // The next point, which can be walked to straight.
  struct NtVec3 point;
  // NT_CORNER_TURN, NT_CORNER_CROSSING, NT_CORNER_LINK_START, or NT_CORNER_END for a goal.
  NtCornerKind kind;
  // The off-mesh link that starts there; 0 if none.
  NtPolyRef link;
} NtFieldStep;

// A group of agents of a crowd. A handle of a group that was dissolved names nothing.
typedef uint64_t NtGroup;

// A group as it is now. Its followers are read by nt_crowd_followers.
typedef struct NtGroupView {
  NtAgent leader;
  uint32_t followers;
  // NT_FORMATION_LINE and so on.
  uint32_t formation;
  // Distance of neighbours, metres.
  float spacing;
} NtGroupView;

// The slot of a follower in its group.
typedef struct NtSlot {
  // Where the agent is to be: the slot, or a place in the leader's track if there is no room for it.
  struct NtVec3 position;
  // Its number: 0 for the slot nearest to the leader.
  uint32_t number;
  // 1 if it goes in the leader's track.
  uint8_t is_folded;
} NtSlot;

// A field of a crowd. A handle of a field that was removed names nothing.
typedef uint64_t NtCrowdField;

// A round thing that agents avoid, and that the caller moves: a cart, a player.
typedef struct NtDisc {
  // Its middle, at its feet.
  struct NtVec3 position;
  // Metres a second.
  struct NtVec3 velocity;
  // Metres, 0 to 100.
  float radius;
  float height;
  // The layers that it is on: a bit for each.
  uint32_t layers;
} NtDisc;

// An off-mesh link: a ladder, a jump, a door.
typedef struct NtOffMeshLink {
  // The number that the level's author gave it.
  uint64_t user_id;
  // Its ends on the ground, the middles of its edges if it leads between edges; zeros as long as one of them has none.
  struct NtPlace start;
  struct NtPlace end;
  // From the middle of either edge to its end, metres: the link can be crossed anywhere along them. Zeros if it leads between points.
  struct NtVec3 half_edge;
  uint32_t flags;
  // 1 to 255.
  uint8_t area;
  // 1 if it can be taken from end to start too.
  uint8_t both_ways;
  // 1 if both ends are on ground.
  uint8_t is_joined;
} NtOffMeshLink;

// The off-mesh link that a character comes to next.
typedef struct NtLinkAhead {
  NtPolyRef link;
  // Where it is entered, and left.
  struct NtPlace start;
  struct NtPlace end;
  // From the character to the start as seen from above, metres.
  float distance;
  // 1 if the character is on the polygon that the link starts on, so that it can walk there straight.
  uint8_t is_on_start_polygon;
} NtLinkAhead;

// A mesh in numbers.
typedef struct NtMeshInfo {
  // The point that positions are measured from, world metres.
  double anchor[3];
  // The smallest and the largest corner around all tiles; zeros without tiles.
  struct NtVec3 low;
  struct NtVec3 high;
  // The agent that it was baked for, metres and degrees; zeros without tiles.
  float agent_radius;
  float agent_height;
  float agent_climb;
  float agent_slope;
  uint32_t tiles;
  uint32_t polygons;
} NtMeshInfo;

// A polygon, or an off-mesh link.
typedef struct NtPolygonInfo {
  uint32_t flags;
  // 1 to 255.
  uint8_t area;
  // 1 for an off-mesh link, 0 for a polygon.
  uint8_t is_off_mesh_link;
  // Corners of the polygon; 0 for a link.
  uint16_t corners;
} NtPolygonInfo;

// A line to draw, from one point to another.
typedef struct NtLine {
  struct NtVec3 from;
  struct NtVec3 to;
  NtLineKind kind;
} NtLine;

// Where a tile is.
typedef struct NtTileCoord {
  int32_t x;
  int32_t z;
  // For several tiles at one place.
  int32_t layer;
} NtTileCoord;

// A piece of a polygon's outline.
typedef struct NtSegment {
  struct NtVec3 from;
  struct NtVec3 to;
  // The polygon beyond; 0 for a wall.
  NtPolyRef beyond;
} NtSegment;

// The ground nearest to a position.
typedef struct NtNearest {
  struct NtPlace place;
  // From the position to the place, metres; and as seen from above.
  float distance;
  float horizontal_distance;
  // 1 if the place is straight below or above the position.
  uint8_t is_over;
} NtNearest;

// How a route is found. Set by nt_route_options_init before changes.
typedef struct NtRouteOptions {
  // Of this struct.
  uint32_t size;
  // 1 for exactly the shortest as seen from above, where all areas cost the same; takes about ten times as long.
  uint32_t shortest;
  // How far start and goal may lie from the mesh along each axis, metres: 2, 4 and 2.
  struct NtVec3 reach;
  // 1 for a point at each edge that is crossed, so that the points follow slopes more closely.
  uint32_t crossings;
} NtRouteOptions;

// A route. Its points and polygons are read by nt_query_points and nt_query_polygons.
typedef struct NtRoute {
  NtPathEnd end;
  // Points to walk along; the first is the start.
  uint32_t points;
  uint32_t polygons;
  // Sum of the distances between the points, metres; and as seen from above.
  float length;
  float length_from_above;
  // How far start and goal were moved onto the mesh, metres.
  float start_moved;
  float goal_moved;
  double cost;
} NtRoute;

// A straight walk. Its polygons are read by nt_query_polygons.
typedef struct NtRay {
  NtWalkEnd end;
  // The part of the way that is free, 0 to 1.
  float fraction;
  // Where it ends, and the polygon there.
  struct NtPlace place;
  // Away from the wall, a horizontal unit vector; zeros without a wall.
  struct NtVec3 normal;
} NtRay;

// A move along the surface. Its polygons are read by nt_query_polygons.
typedef struct NtSlide {
  NtWalkEnd end;
  struct NtPlace place;
} NtSlide;

// The wall nearest to a place.
typedef struct NtWall {
  // As seen from above, metres.
  float distance;
  struct NtVec3 point;
  // From the point to the place, a horizontal unit vector.
  struct NtVec3 normal;
  // The polygon that it bounds.
  NtPolyRef polygon;
} NtWall;

// A path. Its polygons are read by nt_query_polygons, its corners by nt_query_corners.
typedef struct NtPath {
  NtPathEnd end;
  uint32_t polygons;
  // Where it ends: at the goal, or at the nearest point of its last polygon.
  struct NtVec3 last_point;
  // Estimated.
  double cost;
} NtPath;

// A search for a path that goes on in slices. Freed by nt_search_free.
typedef struct NtSearch {
  uint64_t id;
} NtSearch;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Reads a level and its settings: OBJ, glTF, GLB or a geometry set, with the files that they name; all are one level.
// `settings` is the text of a settings file, or NULL for the library's.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error has every problem, a line each). Any thread.
NtStatus nt_bake_new(const struct NtFile *files,
                     size_t count,
                     const char *settings,
                     struct NtBake *out);

// Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and `triangle_count` triangles of three
// indices, counter-clockwise seen from above where they can be walked on. `settings` as in nt_bake_new.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
NtStatus nt_bake_from_triangles(const float *vertices,
                                size_t vertex_count,
                                const uint32_t *triangles,
                                size_t triangle_count,
                                const char *settings,
                                struct NtBake *out);

// How many files nt_bake_run makes: one for each agent of the settings.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_agents(struct NtBake bake, size_t *out);

// Bakes the level for all agents, on the threads of the library's pool, into an array of `count` handles of .navtile files, in the
// order of the settings' agents: the number that nt_bake_agents gives. The bytes are those of the program. `progress` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several bakes at once share the pool.
NtStatus nt_bake_run(struct NtBake bake,
                     NtProgress progress,
                     void *context,
                     struct NtBytes *out,
                     size_t count);

// The part of nt_bake_run or nt_bake_dynamic that is done, 0 to 1, for another thread: of the run that began last.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_progress(struct NtBake bake,
                          float *out);

// Ends nt_bake_run or nt_bake_dynamic from another thread, soon, if it is under way: the run that began last.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_cancel(struct NtBake bake);

// Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open: what the program bakes with --dynamic.
// `progress` as in nt_bake_run.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; it works on the threads of the
// library's pool.
NtStatus nt_bake_dynamic(struct NtBake bake,
                         NtProgress progress,
                         void *context,
                         struct NtBytes *out);

// Frees a bake.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_free(struct NtBake bake);

// Where the bytes are, and how many. They stay there until nt_bytes_free.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bytes_data(struct NtBytes bytes, const uint8_t **data, size_t *length);

// Frees bytes.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bytes_free(struct NtBytes bytes);

// Opens a file that was baked with --dynamic, or by nt_bake_dynamic, without pieces.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_open(const char *path, struct NtCache *out);

// The same from the bytes of a file, which are copied.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_from_bytes(const uint8_t *bytes, size_t length, struct NtCache *out);

// Frees a cache. Meshes that were made from it stay.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_free(struct NtCache cache);

// Makes a mesh of all tiles as they are now; `anchor` as in nt_mesh_new. Changes from now on come into it by nt_cache_apply.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_mesh(struct NtCache cache,
                       const double *anchor,
                       struct NtMesh *out);

// Adds a piece, so that the tiles that it touches wait for nt_cache_update; `out` gets its handle. Positions are metres in the world,
// not from an anchor. NULL for a box of one metre at the world's zero.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add(struct NtCache cache,
                      const struct NtPieceParams *params,
                      NtPiece *out);

// The same for the convex hull of `count` points of three numbers in the piece's own space, 4 to 256 of them.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add_hull(struct NtCache cache,
                           const struct NtPieceParams *params,
                           const double *points,
                           size_t count,
                           NtPiece *out);

// The same for a mesh, which is its surface alone: `vertex_count` points of three numbers, and `triangle_count` triangles of three
// indices, counter-clockwise seen from above where they can be walked on.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add_mesh(struct NtCache cache,
                           const struct NtPieceParams *params,
                           const double *vertices,
                           size_t vertex_count,
                           const uint32_t *triangles,
                           size_t triangle_count,
                           NtPiece *out);

// Moves a piece. `counts` gets 1, or 0 if it stays where it was applied last, as the move is below the movement threshold; it may be
// NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such piece, or a place that is too far away; nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_move(struct NtCache cache,
                       NtPiece piece,
                       const struct NtTransform *place,
                       uint8_t *counts);

// Removes a piece.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such piece), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_remove(struct NtCache cache, NtPiece piece);

// All pieces, into an array of `capacity` handles.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_pieces(struct NtCache cache, NtPiece *out, size_t capacity, size_t *count);

// The place where a piece was applied last, which a saved game keeps, and the one that it was moved to last. Either may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such piece), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_places(struct NtCache cache,
                         NtPiece piece,
                         struct NtTransform *applied,
                         struct NtTransform *moved_to);

// Sets how far a corner of a piece must be moved for the move to count, metres; at 0 every move counts. Smaller moves add up. By
// default it is half the smaller of cell size and cell height.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_movement_threshold(struct NtCache cache,
                                         double metres);

// Sets the memory that unpacked tiles may take, bytes: 32 MiB by default. At 0 each bake of a tile begins at the file.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_held_limit(struct NtCache cache,
                                 uint64_t bytes);

// Sets the places near which tiles are baked first: `count` points of three numbers, metres in the world. Without any, the longest
// waiting are.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_focus(struct NtCache cache,
                            const double *places,
                            size_t count);

// How many tiles wait to be baked again.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_waiting(struct NtCache cache, size_t *out);

// Bakes tiles that wait, the most urgent first: at most `tiles`, which are the same on every machine, or for about `seconds`, or all if
// both are 0. Meshes change by nt_cache_apply alone.
// Returns NT_OK, NT_ERROR_ARGUMENT (both are given, or the seconds are no time; or no ground is where everything must be reachable from:
// the tiles wait on), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread; it works on the threads of the library's pool, and other calls on the
// cache wait for it.
NtStatus nt_cache_update(struct NtCache cache,
                         size_t tiles,
                         double seconds,
                         struct NtUpdate *out);

// The tiles that the last update could not bake, as a text: a line each, with the reason.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_failures(struct NtCache cache, struct NtBytes *out);

// Swaps the tiles that changed since the last time, all at once, in the mesh that nt_cache_mesh made. Flags and areas that were
// set at run time stay on polygons that are still there. Queries go on with their snapshot until nt_query_update. `out` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another level; it is as it was), NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread;
// other calls on the cache and the mesh wait for it.
NtStatus nt_cache_apply(struct NtCache cache,
                        struct NtMesh mesh,
                        struct NtApplied *out);

// The islands that the last nt_cache_apply made one, a polygon on the ground of each, into an array of `capacity` parts.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_joined(struct NtCache cache,
                         struct NtIslandPart *out,
                         size_t capacity,
                         size_t *count);

// The islands that fell apart with the last nt_cache_apply, a polygon on each part, into an array of `capacity` parts: a door has
// shut.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_parted(struct NtCache cache,
                         struct NtIslandPart *out,
                         size_t capacity,
                         size_t *count);

// The .navtile file of the level with the pieces that are there now: the bytes that a bake with these pieces writes.
// Returns NT_OK, NT_ERROR_ARGUMENT (tiles wait), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread.
NtStatus nt_cache_write(struct NtCache cache,
                        struct NtBytes *out);

// Makes the corridor of a character that stands at a place and has no target yet.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_new(struct NtPlace at, struct NtCorridor *out);

// Frees a corridor.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_free(struct NtCorridor corridor);

// Takes the last route of the query (nt_query_route) as the corridor's path; `target` is where it leads. The character may have moved
// along the route since.
// Returns NT_OK, NT_NOT_FOUND (the route does not lead over the polygon under the character: find it anew),
// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_set_path(struct NtCorridor corridor,
                              struct NtQuery query,
                              struct NtVec3 target);

// Where the character is, and where its path leads. Either may be NULL.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_ends(struct NtCorridor corridor,
                          struct NtPlace *position,
                          struct NtPlace *target);

// The next corners to steer to, nearest first, at most `capacity` of them; none if the character is at its target.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_corners(struct NtCorridor corridor,
                             struct NtQuery query,
                             struct NtCorner *out,
                             size_t capacity,
                             size_t *count);

// Moves the character towards a point along the surface, sliding along walls, and its path with it.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_move(struct NtCorridor corridor,
                          struct NtQuery query,
                          struct NtVec3 to,
                          NtWalkEnd *end);

// Moves the target likewise: a chase without a search.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_move_target(struct NtCorridor corridor,
                                 struct NtQuery query,
                                 struct NtVec3 to);

// Shortens the path: straight on to `next`, a corner ahead within `reach` metres, where nothing is in the way; and by a search of 32
// polygons around the character. Now and then is enough.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_optimise(struct NtCorridor corridor,
                              struct NtQuery query,
                              struct NtVec3 next,
                              float reach);

// Cuts the path off where the mesh does not lead on any more, after nt_query_update. `safe` is a place to stand if the polygon under
// the character is gone.
// Returns NT_OK (all of it is left), NT_NOT_FOUND (it was cut: find a path anew), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_repair(struct NtCorridor corridor,
                            struct NtQuery query,
                            struct NtPlace safe);

// Sets the settings to those of the library.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_crowd_settings_init(struct NtCrowdSettings *settings);

// Sets the properties to those of a walking person.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_agent_params_init(struct NtAgentParams *params);

// Makes a crowd without agents; NULL for the library's settings. The same calls give the same positions, bit for bit, on every
// machine and with any number of threads.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_crowd_new(const struct NtCrowdSettings *settings,
                      struct NtCrowd *out);

// Frees a crowd with its agents.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_free(struct NtCrowd crowd);

// Adds a filter, as it is now, for the field `filter` of agents' properties: 1 for the first.
// Returns NT_OK, NT_ERROR_ARGUMENT (there are 255), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_add_filter(struct NtCrowd crowd, struct NtFilter filter, uint32_t *out);

// Adds an agent on the ground nearest to a position; NULL for a walking person.
// Returns NT_OK, NT_ERROR_ARGUMENT (a property out of its range, or no ground near), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_add(struct NtCrowd crowd,
                      struct NtMesh mesh,
                      struct NtVec3 position,
                      const struct NtAgentParams *params,
                      NtAgent *out);

// Gives an agent other properties.
// Returns NT_OK, NT_ERROR_ARGUMENT (out of range, or no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_params(struct NtCrowd crowd,
                             NtAgent agent,
                             const struct NtAgentParams *params);

// Removes an agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove(struct NtCrowd crowd, NtAgent agent);

// Sends an agent to a place of the mesh, as nt_query_nearest finds it.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_send(struct NtCrowd crowd,
                       NtAgent agent,
                       struct NtPlace to);

// Sends an agent after another, wherever that goes.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_chase(struct NtCrowd crowd, NtAgent agent, NtAgent other);

// Lets an agent walk at a horizontal velocity, metres a second, along walls where they are in its way.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_velocity(struct NtCrowd crowd,
                               NtAgent agent,
                               float x,
                               float z);

// Stops an agent: it stands, and steps aside for others.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_stop(struct NtCrowd crowd, NtAgent agent);

// Takes an agent with a link_speed of 0 over the off-mesh link that it is on, when its animation has ended.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or on no link), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_finish_link(struct NtCrowd crowd,
                              NtAgent agent);

// Sets the points of interest: agents farther than `radius` from all of them are worked out more rarely. None: all are near.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_interest(struct NtCrowd crowd,
                               const struct NtVec3 *points,
                               size_t count,
                               float radius);

// Moves all agents by `seconds` over what the mesh is now: one step of the game, of the same length each time. On the threads of the
// library's pool.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_step(struct NtCrowd crowd,
                       struct NtMesh mesh,
                       float seconds);

// All agents, in the order of their places in the crowd, into an array of `capacity` views.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_agents(struct NtCrowd crowd,
                         struct NtAgentView *out,
                         size_t capacity,
                         size_t *count);

// One agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_agent(struct NtCrowd crowd, NtAgent agent, struct NtAgentView *out);

// The polygons and off-mesh links from an agent to its target, as far as they are known, into an array of `capacity`
// references: for debug views.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_corridor(struct NtCrowd crowd,
                           NtAgent agent,
                           NtPolyRef *out,
                           size_t capacity,
                           size_t *count);

// The events of the last step, in the order of the agents, into an array of `capacity` events.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_events(struct NtCrowd crowd, struct NtEvent *out, size_t capacity, size_t *count);

// A hash of all positions and velocities: the same for the same run on any machine.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_hash(struct NtCrowd crowd, uint64_t *out);

// The crowd as bytes, for nt_crowd_restore: saved games, rollback.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_save(struct NtCrowd crowd, struct NtBytes *out);

// Goes on from bytes of nt_crowd_save, bit for bit. The crowd must have the same filters, and the mesh must be the same.
// Returns NT_OK, NT_ERROR_ARGUMENT (the bytes are not those of a crowd; it is as it was), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_restore(struct NtCrowd crowd,
                          struct NtMesh mesh,
                          const uint8_t *bytes,
                          size_t length);

// Finds what the cheapest ways from everywhere to one of `count` goals cost, up to `bound`, which may be infinite; on the snapshot and
// with the filter of the query, and with its nodes.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_field_new(struct NtQuery query,
                      const struct NtPlace *goals,
                      size_t count,
                      float bound,
                      struct NtField *out);

// Brings a field up to the snapshot of a query of the same mesh; it is searched again only if something that it depends on has changed,
// and `searched` gets 1 then, else 0. `searched` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (no goal has ground now), NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_refresh(struct NtField field,
                          struct NtQuery query,
                          uint8_t *searched);

// The way on from a place of the query's snapshot.
// Returns NT_OK, NT_NOT_FOUND (no way within the bound, or the field is of another snapshot), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_field_next(struct NtField field,
                       struct NtQuery query,
                       struct NtPlace from,
                       struct NtFieldStep *out);

// Whether the query's nodes sufficed for the field: 1, or 0 if costs are known near its goals alone.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_complete(struct NtField field,
                           uint8_t *out);

// Frees a field.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_free(struct NtField field);

// Makes a group: the followers keep their slots around the leader, which goes where it is sent, at the pace of the slowest and waiting
// for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN, NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance of
// neighbours, metres. An agent can be in one group; up to 255 can follow one leader.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or in a group already), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_add_group(struct NtCrowd crowd,
                            NtAgent leader,
                            const NtAgent *followers,
                            size_t count,
                            uint32_t form,
                            float spacing,
                            NtGroup *out);

// Sends a group to a place: its leader, and so all who follow.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_send_group(struct NtCrowd crowd,
                             NtGroup group,
                             struct NtPlace to);

// Changes the formation of a group; slots are given out anew, to those that are near them. `form` and `spacing` as in
// nt_crowd_add_group.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_formation(struct NtCrowd crowd,
                                NtGroup group,
                                uint32_t form,
                                float spacing);

// Gives a group slots of its own: `count` pairs of metres from the leader, to the right of its way and along it. Followers for whom there
// is no slot go in a column, `spacing` metres apart.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_slots(struct NtCrowd crowd,
                            NtGroup group,
                            const float *slots,
                            size_t count,
                            float spacing);

// Adds a follower to a group.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_join(struct NtCrowd crowd,
                       NtGroup group,
                       NtAgent agent);

// Takes an agent out of its group, if it is in one; it stays where it is. After a leader, the follower in the first slot takes over.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_leave_group(struct NtCrowd crowd,
                              NtAgent agent);

// Dissolves a group; its followers have no target from now on.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove_group(struct NtCrowd crowd, NtGroup group);

// A group as it is now.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_group(struct NtCrowd crowd, NtGroup group, struct NtGroupView *out);

// The followers of a group, in the order in which they joined, into an array of `capacity` handles.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_followers(struct NtCrowd crowd,
                            NtGroup group,
                            NtAgent *out,
                            size_t capacity,
                            size_t *count);

// The group that an agent is in.
// Returns NT_OK, NT_NOT_FOUND (it is in none), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_group_of(struct NtCrowd crowd,
                           NtAgent agent,
                           NtGroup *out);

// The slot of a follower, as of the last step.
// Returns NT_OK, NT_NOT_FOUND (the agent follows nobody, or there was no step yet), NT_ERROR_ARGUMENT (no such agent),
// NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_slot(struct NtCrowd crowd,
                       NtAgent agent,
                       struct NtSlot *out);

// Adds a field that agents can follow: it leads to the nearest of `count` goals by the cheapest way, with one search for any number of
// agents, done at once and again when the mesh has changed where it reaches. `filter` is that of the agents, as in NtAgentParams; no way
// leads from places whose way costs more than `bound`, which may be infinite.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_add_field(struct NtCrowd crowd,
                            struct NtMesh mesh,
                            const struct NtPlace *goals,
                            size_t count,
                            float bound,
                            uint32_t filter,
                            NtCrowdField *out);

// Removes a field; agents that follow it have no target from now on.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove_field(struct NtCrowd crowd, NtCrowdField field);

// Lets an agent follow a field of its own filter, to the nearest goal.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or one of another filter), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_follow_field(struct NtCrowd crowd,
                               NtAgent agent,
                               NtCrowdField field);

// The cost of the way from a place to the nearest goal of a field, on the mesh of the last step or of nt_crowd_add_field.
// Returns NT_OK, NT_NOT_FOUND (no way leads to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
// Any thread.
NtStatus nt_crowd_field_cost(struct NtCrowd crowd,
                             struct NtMesh mesh,
                             NtCrowdField field,
                             struct NtPlace from,
                             float *out);

// Lets an agent go to its slot in its group again, after it was sent elsewhere.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it follows nobody in the group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_follow_group(struct NtCrowd crowd,
                               NtAgent agent,
                               NtGroup group);

// Lets the caller move an agent, by nt_crowd_place, for 1; or gives it back to the crowd, for 0. Others avoid it; it avoids nobody.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_kinematic(struct NtCrowd crowd,
                                NtAgent agent,
                                uint8_t is_kinematic);

// Puts an agent elsewhere, on the ground nearest to a position, with a velocity, metres a second: a teleport, or the step of an agent
// that the caller moves.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or no ground near), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_place(struct NtCrowd crowd,
                        struct NtMesh mesh,
                        NtAgent agent,
                        struct NtVec3 position,
                        struct NtVec3 velocity);

// Replaces all discs by `count` others, for the next steps.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_discs(struct NtCrowd crowd, const struct NtDisc *discs, size_t count);

// How many agents wait for a path.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_waiting(struct NtCrowd crowd, size_t *out);

// The properties of an agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_params(struct NtCrowd crowd, NtAgent agent, struct NtAgentParams *out);

// All off-mesh links of a mesh, joined to ground or not, into an array of `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_off_mesh_links(struct NtMesh mesh, NtPolyRef *out, size_t capacity, size_t *count);

// Describes an off-mesh link.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or a link that is gone). Any thread.
NtStatus nt_mesh_off_mesh(struct NtMesh mesh,
                          NtPolyRef link,
                          struct NtOffMeshLink *out);

// The crossing of an off-mesh link that begins as near to a point as one can: where it begins, and where it ends. `is_backwards` is
// 0 to take the link from its start, 1 from its end. `start` and `end` may be NULL.
// Returns NT_OK, NT_NOT_FOUND (the link is not joined to ground), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or
// a link that is gone). Any thread.
NtStatus nt_mesh_link_crossing(struct NtMesh mesh,
                               NtPolyRef link,
                               uint8_t is_backwards,
                               struct NtVec3 point,
                               struct NtPlace *start,
                               struct NtPlace *end);

// The off-mesh link that comes next on the way of a character.
// Returns NT_OK, NT_NOT_FOUND (none comes, or the mesh does not have it any more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_link_ahead(struct NtCorridor corridor,
                                struct NtQuery query,
                                struct NtLinkAhead *out);

// Takes the character over the off-mesh link that comes next, once it is near enough; `out` gets the far end, and may be NULL.
// Returns NT_OK, NT_NOT_FOUND (another link comes next, or none; nothing changes), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_move_over_link(struct NtCorridor corridor,
                                    struct NtQuery query,
                                    NtPolyRef link,
                                    struct NtPlace *out);

// Puts the character at a place by force, as it was pushed, and keeps as much of its path as possible.
// Returns NT_OK, NT_NOT_FOUND (nothing could be kept: find a path anew), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
// Any thread.
NtStatus nt_corridor_fix_start(struct NtCorridor corridor,
                               struct NtQuery query,
                               struct NtPlace at);

// Puts the character at a place, without a target.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_reset(struct NtCorridor corridor, struct NtPlace at);

// The polygons and off-mesh links from the character to its target, into an array of `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_polygons(struct NtCorridor corridor,
                              NtPolyRef *out,
                              size_t capacity,
                              size_t *count);

// Whether the next `lookahead` polygons of the path are still in the query's snapshot and pass its filter: 1, or 0 if it is to be
// repaired.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_is_valid(struct NtCorridor corridor,
                              struct NtQuery query,
                              size_t lookahead,
                              uint8_t *out);

// Makes a mesh without tiles. `anchor`, three numbers, is the point that positions are measured from, world metres; NULL for the world's zero. Near it
// single precision is finest: give a point of the level where that lies far from zero.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_mesh_new(const double *anchor,
                     struct NtMesh *out);

// Opens a .navtile file with all its tiles, each verified, on the threads of the library's pool. `anchor` as in nt_mesh_new.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_mesh_open(const char *path,
                      const double *anchor,
                      struct NtMesh *out);

// The same from the bytes of a file, which are copied.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_mesh_from_bytes(const uint8_t *bytes,
                            size_t length,
                            const double *anchor,
                            struct NtMesh *out);

// Makes another handle of what a mesh is now. It costs a reference count; changes of one do not reach the other.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_copy(struct NtMesh mesh,
                      struct NtMesh *out);

// Frees a mesh. Queries and crowds that were given it keep the snapshot that they have.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_free(struct NtMesh mesh);

// The mesh in numbers.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_info(struct NtMesh mesh, struct NtMeshInfo *out);

// The number of an area by its name in the file.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_area(struct NtMesh mesh, const char *name, uint8_t *out);

// Adds a tile from its bytes, which are verified and copied, and links it to its neighbours.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is a tile, or it is of another lattice), NT_ERROR_HANDLE, NT_ERROR_DATA,
// NT_ERROR_LIMIT. Any thread; questions meanwhile are asked of the mesh before.
NtStatus nt_mesh_add_tile(struct NtMesh mesh,
                          const uint8_t *bytes,
                          size_t length);

// Replaces the tile at the coordinate of the one in `bytes`; references to its polygons become stale.
// Returns as nt_mesh_add_tile; NT_ERROR_ARGUMENT if there is no tile. Any thread.
NtStatus nt_mesh_replace_tile(struct NtMesh mesh,
                              const uint8_t *bytes,
                              size_t length);

// Removes a tile; references to its polygons become stale.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is none), NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_remove_tile(struct NtMesh mesh, int32_t x, int32_t z, int32_t layer);

// The flags and the area of a polygon or an off-mesh link, as they are now.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_polygon(struct NtMesh mesh, NtPolyRef reference, struct NtPolygonInfo *out);

// The corners of a polygon, counter-clockwise seen from above, into an array of `capacity` points.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_corners(struct NtMesh mesh,
                         NtPolyRef reference,
                         struct NtVec3 *out,
                         size_t capacity,
                         size_t *count);

// All polygons of the mesh, tile by tile, into an array of `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_polygons(struct NtMesh mesh, NtPolyRef *out, size_t capacity, size_t *count);

// The mesh as lines, for whatever draws lines: edges tile by tile, borders of tiles, off-mesh links, into an array of `capacity`
// lines. `kinds` has the bit 1 << kind for each NtLineKind that is wanted; 0 is all. They lie on the ground: raise them a little. They
// are the same until the mesh changes. For a path, draw from point to point of nt_query_points.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_lines(struct NtMesh mesh,
                       uint32_t kinds,
                       struct NtLine *out,
                       size_t capacity,
                       size_t *count);

// Sets the flags of a polygon or an off-mesh link at run time: doors that shut, bridges that fall.
// Returns NT_OK, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_set_flags(struct NtMesh mesh, NtPolyRef reference, uint32_t flags);

// Sets the area of a polygon or an off-mesh link at run time, 1 to 255.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_set_area(struct NtMesh mesh, NtPolyRef reference, uint8_t area);

// The tiles of the mesh, into an array of `capacity` coordinates.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_tiles(struct NtMesh mesh, struct NtTileCoord *out, size_t capacity, size_t *count);

// The flags and areas of a tile that were set at run time, as bytes for nt_mesh_restore_state: saved games.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_store_state(struct NtMesh mesh,
                             int32_t x,
                             int32_t z,
                             int32_t layer,
                             struct NtBytes *out);

// Sets the flags and areas of a tile from bytes of nt_mesh_store_state; all others become those of the tile again.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE, NT_ERROR_DATA (damaged, or of another tile; nothing
// changes). Any thread.
NtStatus nt_mesh_restore_state(struct NtMesh mesh,
                               int32_t x,
                               int32_t z,
                               int32_t layer,
                               const uint8_t *bytes,
                               size_t length);

// Makes a filter that lets everything pass that has a flag of the mesh's areas, at the costs that its file gives them. For a mesh
// without a file, or a handle of zeros, everything passes at a cost of 1.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_new(struct NtMesh mesh,
                       struct NtFilter *out);

// Sets what a metre in an area costs: 0.001 to 1e20. Queries take a filter as it is when they are given it.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_set_cost(struct NtFilter filter,
                            uint8_t area,
                            float cost);

// Shuts an area off.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_exclude_area(struct NtFilter filter, uint8_t area);

// Lets pass only what has one of the flags of `include` and none of `exclude`. With UINT32_MAX for `include`, what has no
// flag at all passes too.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_set_flags(struct NtFilter filter,
                             uint32_t include,
                             uint32_t exclude);

// Frees a filter. Queries that were given it keep it.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_free(struct NtFilter filter);

// The ground nearest to a position, wherever that is. Takes time in proportion to the tiles.
// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_nearest_anywhere(struct NtQuery query,
                                   struct NtVec3 position,
                                   struct NtPlace *out);

// The ground nearest to a goal on the island of a polygon: where to go if the goal itself cannot be reached.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_nearest_reachable(struct NtQuery query,
                                    NtPolyRef start,
                                    struct NtVec3 goal,
                                    struct NtPlace *out);

// The highest ground straight below a position, or at its height, at most `reach` metres away.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_below(struct NtQuery query,
                        struct NtVec3 position,
                        float reach,
                        struct NtPlace *out);

// The lowest ground straight above a position, or at its height, at most `reach` metres away.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_above(struct NtQuery query,
                        struct NtVec3 position,
                        float reach,
                        struct NtPlace *out);

// The polygons that meet a box around a centre, half as large along each axis: `count` of them, read by nt_query_polygons.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_box(struct NtQuery query,
                      struct NtVec3 centre,
                      struct NtVec3 half_extents,
                      size_t *count);

// As nt_query_around, through portals that meet a convex outline of `corners` points, as seen from above.
// Returns NT_OK, NT_ERROR_ARGUMENT (not convex), NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not complete). Any thread.
NtStatus nt_query_shape(struct NtQuery query,
                        struct NtPlace start,
                        const struct NtVec3 *outline,
                        size_t corners,
                        size_t *count);

// At most `limit` polygons around a place, through portals within `radius` metres, none of which overlaps another as seen from above:
// `count` of them, read by nt_query_polygons.
// Returns NT_OK, NT_TRUNCATED (there are more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_neighbourhood(struct NtQuery query,
                                struct NtPlace start,
                                float radius,
                                size_t limit,
                                size_t *count);

// The outline of a polygon, cut where the polygon beyond changes: walls, and edges to others, into an array of `capacity` segments.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_outline(struct NtQuery query,
                          NtPolyRef reference,
                          struct NtSegment *out,
                          size_t capacity,
                          size_t *count);

// A position itself where it lies over a polygon, with its own height; else the point of the outline that is closest to it.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_boundary_point(struct NtQuery query,
                                 NtPolyRef reference,
                                 struct NtVec3 position,
                                 struct NtVec3 *out);

// Sets a piece to a solid box of one metre at the world's zero.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_piece_init(struct NtPieceParams *params);

// A place turned about the vertical by `yaw` degrees, from the x axis towards the z axis, then moved to a point of the world, metres.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_transform_turned(double yaw,
                             double x,
                             double y,
                             double z,
                             struct NtTransform *out);

// Makes a query of what a mesh is now, with a filter; a handle of zeros for that of the mesh's file. A search visits at most
// `max_nodes` polygons; 0 for the library's own limit. Calls on one query wait for each other: make one for each thread.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_new(struct NtMesh mesh,
                      struct NtFilter filter,
                      uint32_t max_nodes,
                      struct NtQuery *out);

// Asks what a mesh is now from now on: after tiles, flags or areas have changed. It costs a reference count.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_update(struct NtQuery query,
                         struct NtMesh mesh);

// Takes a filter, as it is now, from now on.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_set_filter(struct NtQuery query, struct NtFilter filter);

// Frees a query.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_free(struct NtQuery query);

// The ground nearest to a position, within a box of half the size `reach` around it; NULL for 2, 4 and 2 metres.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_nearest(struct NtQuery query,
                          struct NtVec3 position,
                          const struct NtVec3 *within,
                          struct NtNearest *out);

// Sets the options to those of the library.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_route_options_init(struct NtRouteOptions *options);

// The route between two positions: both are moved onto the mesh, a path is found, and pulled straight. NULL for the library's
// options. A route that does not reach its goal is an answer too: see its `end`.
// Returns NT_OK, NT_NOT_FOUND (no ground near the start or the goal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_route(struct NtQuery query,
                        struct NtVec3 start,
                        struct NtVec3 goal,
                        const struct NtRouteOptions *options,
                        struct NtRoute *out);

// The points of the last route of this query, on the surface, into an array of `capacity` points.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_points(struct NtQuery query, struct NtVec3 *out, size_t capacity, size_t *count);

// The polygons of the last route, ray, slide, box or neighbourhood of this query, into an array of `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_polygons(struct NtQuery query,
                           NtPolyRef *out,
                           size_t capacity,
                           size_t *count);

// The corners of the last route, which say where off-mesh links start and end, into an array of `capacity` corners. Their
// heights are those of the polygons, not of the surface. Ask directly after nt_query_route.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (there was no route), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_corners(struct NtQuery query,
                          struct NtCorner *out,
                          size_t capacity,
                          size_t *count);

// Walks from a place straight towards a goal, of which x and z matter, until a wall.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_raycast(struct NtQuery query,
                          struct NtPlace start,
                          struct NtVec3 goal,
                          struct NtRay *out);

// Moves from a place towards a goal, of which x and z matter, along the surface and sliding along walls: the step of a frame.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_slide(struct NtQuery query,
                        struct NtPlace start,
                        struct NtVec3 goal,
                        struct NtSlide *out);

// The height of the surface of a polygon straight below or above a position.
// Returns NT_OK, NT_NOT_FOUND (the position is beside the polygon), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_height(struct NtQuery query,
                         NtPolyRef reference,
                         struct NtVec3 position,
                         float *out);

// The point of a polygon's surface that is closest to a position as seen from above.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_closest_point(struct NtQuery query,
                                NtPolyRef reference,
                                struct NtVec3 position,
                                struct NtVec3 *out);

// The wall nearest to a place within `radius` metres.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT. Any thread.
NtStatus nt_query_wall(struct NtQuery query,
                       struct NtPlace start,
                       float radius,
                       struct NtWall *out);

// The polygons that can be walked to from a place through portals within `radius` metres: `count` of them, nearest first by cost,
// read by nt_query_polygons.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not complete). Any thread.
NtStatus nt_query_around(struct NtQuery query,
                         struct NtPlace start,
                         float radius,
                         size_t *count);

// Whether a goal may be reached from a start, in constant time: 0 if no search will find a path, 1 if they are on one island.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_reachable(struct NtQuery query,
                            NtPolyRef start,
                            NtPolyRef goal,
                            uint8_t *out);

// A random place of the mesh, or of what can be walked to within `radius` metres of `around`; NULL for all of it. Evenly spread
// over the area. `state` is any number, and is changed: the same states give the same places.
// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_random_place(struct NtQuery query,
                               const struct NtPlace *around,
                               float radius,
                               uint64_t *state,
                               struct NtPlace *out);

// The path between two places as polygons: what corridors follow, without its points.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_path(struct NtQuery query,
                       struct NtPlace start,
                       struct NtPlace goal,
                       struct NtPath *out);

// Shortens the last path or route of the query by straight ways of up to `reach` metres, and writes how many of its legs were replaced;
// then read its polygons and corners.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_shortcut(struct NtQuery query,
                           float reach,
                           size_t *out);

// Begins a search for the path between two places, on the snapshot and with the filter that the query has now.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_search_new(struct NtQuery query,
                       struct NtPlace start,
                       struct NtPlace goal,
                       struct NtSearch *out);

// Visits at most `polygons` more polygons; `is_done` gets 1 once the path is found, else 0.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread.
NtStatus nt_search_update(struct NtSearch search, uint32_t polygons, uint8_t *is_done);

// Makes the path that was found the last answer of a query: the one that nt_query_path would have given.
// Returns NT_OK, NT_NOT_FOUND (the search is not done), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_search_finish(struct NtSearch search,
                          struct NtQuery query,
                          struct NtPath *out);

// Frees a search.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_search_free(struct NtSearch search);

// The text of the last call of this thread that did not return NT_OK: what was wrong, where, and what to do. UTF-8, never
// NULL, empty if there was none. Valid until the next such call of the same thread.
const char *nt_last_error(void);

// The version of the library, as `0.1.0`. Any thread.
const char *nt_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NAVTILE_H */
