/* navtile: navigation meshes for C, C++ and every language that calls C.
 *
 * Made from crates/capi by cargo xtask capi; do not edit.
 *
 * Every call returns an NtStatus, and writes its answer through a pointer. nt_last_error has the error message of the
 * thread's last call that was not NT_OK. Objects are handles: a struct of a number, passed by value; zeros mean no
 * object. A freed handle is an error, not a crash. Any thread may make every call. Calls on one object wait for each
 * other. A query uses a snapshot, so that the mesh may change at the same time. The caller owns the arrays for
 * answers: a call writes the elements that fit, and the length of the answer.
 *
 * Structs that begin with `size` can grow: set them by their _init function.
 *
 * Positions are metres from the anchor of the mesh, y upwards; positions of obstacles are metres in the world. */


#ifndef NAVTILE_H
#define NAVTILE_H

#include <stdint.h>
#include <stddef.h>

// No avoidance of other agents.
#define NT_AVOID_NONE 0

// By reciprocal velocity obstacles.
#define NT_AVOID_ORCA 1

// An agent walks at its full speed as far as others leave room.
#define NT_FLOW_FREE 0

// An agent walks slower the more others are ahead of it, as people do.
#define NT_FLOW_PEOPLE 1

// If the ground under the agent is removed, it walks to the nearest remaining ground.
#define NT_GROUND_LOSS_STEP_OUT 0

// It keeps still until there is ground at its place again.
#define NT_GROUND_LOSS_WAIT 1

// It falls to the ground below it, at most `fall_height` deep.
#define NT_GROUND_LOSS_FALL 2

// It is removed from the crowd.
#define NT_GROUND_LOSS_REMOVE 3

// Side by side, the leader in the middle.
#define NT_FORMATION_LINE 0

// One behind another.
#define NT_FORMATION_COLUMN 1

// A wedge with the leader at its tip.
#define NT_FORMATION_WEDGE 2

// Rows of the same length, the leader in the middle of the first.
#define NT_FORMATION_BOX 3

// Slots that the caller sets by nt_crowd_set_slots.
#define NT_FORMATION_OWN 4

// A box of the extents x, y and z. Its origin is the centre of its bottom.
#define NT_BODY_BOX 0

// An upright cylinder: the first extent is its radius, the second its height. Its origin is the centre of
// its bottom.
#define NT_BODY_CYLINDER 1

// An upright capsule: the first extent is its radius, the second its height, at least twice the radius. Its
// origin is the centre of its bottom.
#define NT_BODY_CAPSULE 2

// A solid: agents can walk on its flat parts and under it. `area` is the area of its top, 0 if the top is
// not walkable.
#define NT_EFFECT_SOLID 0

// Removes the ground on which an agent's body would touch the obstacle. Costs less than a solid obstacle,
// and adds no ground.
#define NT_EFFECT_BLOCKS 1

// The ground within it has the area `area`.
#define NT_EFFECT_MARKS 2

// Removes the level within the obstacle, from one cell above its bottom.
#define NT_EFFECT_REMOVES 3

// A part of the open border between two clusters, up to 16 metres of it.
#define NT_PORTAL_BORDER 0

// An off-mesh link from one cluster to another.
#define NT_PORTAL_LINK 1

// One path to each polygon is searched: a route is little longer than the shortest. The default.
#define NT_OPTIMALITY_FAST 0

// Several paths to each polygon are searched: almost always the shortest route as seen from above, if all
// areas cost the same. Takes about twice as long.
#define NT_OPTIMALITY_NEAR 1

// The exact shortest route as seen from above. Refused if areas differ in cost.
#define NT_OPTIMALITY_SHORTEST 2

// The result of a call: 0 if it succeeded, a positive number if there is no answer, a negative number for an
// error. nt_last_error has the error message.
enum NtStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Success; all outputs are written.
  NT_OK = 0,
  // There is no answer: nothing walkable there, no wall within the radius, no such area. Outputs are
  // untouched.
  NT_NOT_FOUND = 1,
  // The answer is longer than the caller's array. The array holds its beginning, and the count is the
  // whole length.
  NT_TRUNCATED = 2,
  // An argument is NULL but must not be, is not finite, is out of its range, or is not valid UTF-8.
  NT_ERROR_ARGUMENT = -1,
  // A handle is invalid: its object was freed or never made, or is of another kind.
  NT_ERROR_HANDLE = -2,
  // A polygon reference is stale: its tile was removed or replaced. Find the polygon again.
  NT_ERROR_REFERENCE = -3,
  // A file cannot be read.
  NT_ERROR_FILE = -4,
  // Bytes are invalid: they are not a tile or a file, are damaged, or have another version; or a level
  // cannot be baked.
  NT_ERROR_DATA = -5,
  // A limit of the library or of the query would be exceeded.
  NT_ERROR_LIMIT = -6,
  // The caller's function asked to stop.
  NT_ERROR_CANCELLED = -7,
  // A bug in the library: please report it. The object of the call can only be freed.
  NT_ERROR_INTERNAL = -8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtStatus NtStatus;
#else
typedef int32_t NtStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Kinds of points of a route.
enum NtCornerKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_CORNER_START = 0,
  // The route turns here.
  NT_CORNER_TURN = 1,
  // The route crosses an edge without a turn.
  NT_CORNER_CROSSING = 2,
  // An off-mesh link starts here; the next point is its end.
  NT_CORNER_LINK_START = 3,
  NT_CORNER_LINK_END = 4,
  // The goal, or the last point of a route that does not reach it.
  NT_CORNER_END = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtCornerKind NtCornerKind;
#else
typedef uint32_t NtCornerKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Results of a straight walk.
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

// States of an agent.
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
  // At the start of an off-mesh link that other agents are using.
  NT_AGENT_WAITING = 4,
  NT_AGENT_ON_LINK = 5,
  // There is no ground under the agent.
  NT_AGENT_LOST = 6,
  // The ground under the agent was removed, and it leaves that place.
  NT_AGENT_STEPPING_OUT = 7,
  // The ground under the agent was removed, and it falls to the ground below.
  NT_AGENT_FALLING = 8,
  // The caller carries the agent: see nt_crowd_carry.
  NT_AGENT_CARRIED = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtAgentState NtAgentState;
#else
typedef uint32_t NtAgentState;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reasons why an agent is held up.
enum NtHoldUpCause
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Another body blocks it.
  NT_HELD_CROWDED = 1,
  // It makes room in a jam for another agent, which goes first.
  NT_HELD_RIGHT_OF_WAY = 2,
  // It waits for an off-mesh link that another agent is on.
  NT_HELD_LINK_BUSY = 3,
  // It leads a group and waits for its followers.
  NT_HELD_FOLLOWERS = 4,
  // Its path is being searched for.
  NT_HELD_SEARCHING = 5,
  // No path leads to its target, and it is as near to the target as it can get.
  NT_HELD_NO_WAY = 6,
  // There is no ground under it.
  NT_HELD_GROUND_LOST = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtHoldUpCause NtHoldUpCause;
#else
typedef uint32_t NtHoldUpCause;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kinds of events.
enum NtEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  NT_EVENT_ARRIVED = 0,
  // Other agents block the agent, and it makes no progress.
  NT_EVENT_STUCK_CROWDED = 1,
  // The agent waits for a busy off-mesh link.
  NT_EVENT_STUCK_LINK_BUSY = 2,
  // The agent is at the end of a path that does not lead to its target.
  NT_EVENT_STUCK_NO_WAY = 3,
  NT_EVENT_STUCK_SLOW = 4,
  // The agent's path ends before its target.
  NT_EVENT_PATH_PARTIAL = 5,
  // Tiles or flags changed, and a search for a new path begins; or the agent that it pursued was removed.
  NT_EVENT_PATH_LOST = 6,
  NT_EVENT_GROUND_LOST = 7,
  NT_EVENT_GROUND_FOUND = 8,
  NT_EVENT_STEPPING_OUT = 9,
  NT_EVENT_SLOT_CHANGED = 10,
  NT_EVENT_LINK_ENTERED = 11,
  NT_EVENT_LINK_LEFT = 12,
  NT_EVENT_FALLING = 13,
  // The ground under the agent was removed, and so was the agent. Its handle is invalid.
  NT_EVENT_REMOVED = 14,
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
  // An edge with no walkable ground beyond it.
  NT_LINE_WALL = 1,
  // An edge on the border of its tile that leads into the next tile, if that is loaded.
  NT_LINE_PORTAL = 2,
  // The border of a tile, at the height of its base.
  NT_LINE_TILE = 3,
  // An off-mesh link: an arc, with an arrowhead at each end that it leads to.
  NT_LINE_LINK = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtLineKind NtLineKind;
#else
typedef uint32_t NtLineKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Results of a path search.
enum NtPathEnd
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The path reaches its goal.
  NT_PATH_COMPLETE = 0,
  // The search ran out of nodes.
  NT_PATH_OUT_OF_NODES = 1,
  // The goal is unreachable; the path leads as near to it as possible.
  NT_PATH_UNREACHABLE = 2,
  // The filter excludes the goal; the path leads as near to it as possible.
  NT_PATH_GOAL_EXCLUDED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NtPathEnd NtPathEnd;
#else
typedef uint32_t NtPathEnd;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Properties of an agent. Before changing them, set them by nt_agent_params_init, which makes it a walking
// person.
typedef struct NtAgentParams {
  // Size of this struct, bytes.
  uint32_t size;
  // The number of a filter, as nt_crowd_add_filter gives it; 0 lets everything pass.
  uint32_t filter;
  // Metres.
  float radius;
  float height;
  // Metres a second, and a second squared.
  float max_speed;
  float max_acceleration;
  // Radians a second; infinity to turn at once.
  float turn_rate;
  // The agent has arrived when it is this near to its target, metres.
  float stopping_distance;
  // Avoidance looks ahead this far, seconds.
  float horizon;
  // Speed along off-mesh links, metres a second; 0 if the caller moves the agent and calls
  // nt_crowd_finish_link.
  float link_speed;
  // NT_AVOID_NONE or NT_AVOID_ORCA.
  uint32_t avoidance;
  // Agents give way to those of higher priority, 0 to 255.
  uint32_t priority;
  // The layers that the agent is on, and the layers of the agents that it avoids: one bit for each layer.
  uint32_t layers;
  uint32_t avoids;
  // 1 if the agent slows down before its target, so that it stops there.
  uint32_t brakes;
  // NT_FLOW_FREE or NT_FLOW_PEOPLE.
  uint32_t flow;
  // NT_GROUND_LOSS_STEP_OUT, NT_GROUND_LOSS_WAIT, NT_GROUND_LOSS_FALL or NT_GROUND_LOSS_REMOVE.
  uint32_t ground_loss;
  // The greatest depth of a fall, metres.
  float fall_height;
} NtAgentParams;

// A file of a level: its content, and its name with extension, which other files refer to.
typedef struct NtFile {
  const char *name;
  const uint8_t *bytes;
  size_t length;
} NtFile;

// A level with its settings, ready to bake. Freed by nt_bake_free.
typedef struct NtBake {
  uint64_t id;
} NtBake;

// Called repeatedly during a bake with the finished part, 0 to 1. Threads of the library's pool call it,
// several at once. Returns 0 to cancel the bake.
typedef int32_t (*NtProgress)(void *context, float part);

// Bytes that the library made. Freed by nt_bytes_free.
typedef struct NtBytes {
  uint64_t id;
} NtBytes;

// A level with obstacles that are added, moved and removed. Freed by nt_cache_free.
typedef struct NtCache {
  uint64_t id;
} NtCache;

// A mesh: tiles with their links. Freed by nt_mesh_free.
typedef struct NtMesh {
  uint64_t id;
} NtMesh;

// A transform from an obstacle's own space to the world, metres: three rows of four, x, y and z. The last
// number of each row is added; it is the position of the obstacle's origin.
typedef struct NtTransform {
  double rows[3][4];
} NtTransform;

// An obstacle of a level. Set it by nt_obstacle_init, which makes it a solid box of one metre at the world's
// origin, before you change it.
typedef struct NtObstacleParams {
  // Size of this struct, bytes.
  uint32_t size;
  // NT_BODY_BOX, NT_BODY_CYLINDER or NT_BODY_CAPSULE. Hulls and meshes have calls of their own that do not
  // read this.
  uint32_t body;
  // NT_EFFECT_SOLID, NT_EFFECT_BLOCKS, NT_EFFECT_MARKS or NT_EFFECT_REMOVES.
  uint32_t effect;
  // 0 to 255; 63 is the library's default ground. Read by NT_EFFECT_SOLID and NT_EFFECT_MARKS.
  uint32_t area;
  // 1 to extend the obstacle by the agent's radius. Read by NT_EFFECT_BLOCKS and NT_EFFECT_MARKS.
  uint32_t inflate;
  // 0.
  uint32_t reserved;
  // Metres.
  double extents[3];
  struct NtTransform place;
} NtObstacleParams;

// An obstacle in a cache; 0 means no obstacle. The handle of a removed obstacle is invalid.
typedef uint64_t NtObstacle;

// The rule of an obstacle that has an effect only while it keeps still: see nt_cache_set_stationary.
typedef struct NtStationary {
  // Time without a move after which the obstacle has its effect again, seconds, 0 or more.
  double time_to_stationary;
  // A move counts if it brings a corner of the obstacle at least this far from its last place that
  // counted, metres, 0 or more.
  double move_threshold;
} NtStationary;

// The results of an update.
typedef struct NtUpdate {
  // Tiles that changed.
  uint32_t changed;
  // Tiles that were baked.
  uint32_t baked;
  // Tiles that are the same as in the file again, and were taken from it.
  uint32_t from_file;
  // Tiles that could not be baked. They keep their state until an obstacle in them changes: see
  // nt_cache_failures.
  uint32_t failed;
  // Tiles that still wait.
  uint32_t left;
} NtUpdate;

// The result of swapping tiles in a mesh.
typedef struct NtApplied {
  uint32_t added;
  uint32_t replaced;
  uint32_t removed;
  // Polygons whose flags or area had been changed at run time, and that kept them because the polygons
  // still exist.
  uint32_t kept;
  // Polygons with such changes that no longer exist.
  uint32_t lost;
  // Islands that were joined, read by nt_cache_joined, and that were parted, read by nt_cache_parted.
  uint32_t joined;
  uint32_t parted;
} NtApplied;

// A reference to a polygon or an off-mesh link of a mesh; 0 means no polygon. It is valid while its tile is
// in the mesh, and stale afterwards, even if another tile replaces it.
typedef uint64_t NtPolyRef;

// A part of an island that was joined with others, or parted from them.
typedef struct NtIslandPart {
  // A polygon on the part, of the mesh as it is now.
  NtPolyRef polygon;
  // Parts of the same island have the same number, from 0.
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

// Queries of a mesh, with their memory: one for each thread is best. Freed by nt_query_free.
typedef struct NtQuery {
  uint64_t id;
} NtQuery;

// A point of a route, with the polygon or link that the route enters there.
typedef struct NtCorner {
  struct NtVec3 point;
  NtCornerKind kind;
  NtPolyRef polygon;
} NtCorner;

// Settings of a crowd. Set them by nt_crowd_settings_init before you change them.
typedef struct NtCrowdSettings {
  // Size of this struct, bytes.
  uint32_t size;
  // Number of polygons that all path searches together may visit in a step. At least 1.
  uint32_t search_nodes;
  // Avoidance is computed for each agent in every n-th step. At least 1.
  uint32_t avoid_every;
  // Agents far from all points of interest are steered in every n-th step, and walk straight in between. 1
  // to 60.
  uint32_t far_every;
  // An agent that has made no progress towards its target for this long is stuck, seconds.
  float stuck_after;
  // Number of nodes that the search for a field may use, about three for each polygon that it reaches. At
  // least 1.
  uint32_t field_nodes;
  // Length of the detour that agents accept around a passage that a body holds, metres: a body that has
  // kept still for a second and does not step aside, such as a kinematic agent in a doorway. At 0 paths
  // ignore bodies.
  float held_detour;
} NtCrowdSettings;

// Characters that avoid each other while they walk. Freed by nt_crowd_free.
typedef struct NtCrowd {
  uint64_t id;
} NtCrowd;

// The walkable ground and its cost per metre. Freed by nt_filter_free.
typedef struct NtFilter {
  uint64_t id;
} NtFilter;

// An agent of a crowd; 0 means no agent. The handle of a removed agent is invalid.
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
  // The off-mesh link that the agent waits for or is using; 0 without one.
  NtPolyRef link;
} NtAgentView;

// The reason why an agent is held up.
typedef struct NtHoldUp {
  // The agent that it waits for; 0 if it waits for something else, such as a disc, or for nobody.
  NtAgent by;
  NtHoldUpCause cause;
} NtHoldUp;

// Something that happened to an agent.
typedef struct NtEvent {
  NtAgent agent;
  NtEventKind kind;
  // The link that was entered or left; 0 for other events.
  NtPolyRef link;
} NtEvent;

// Plans far paths over clusters of a world's tiles. Freed by nt_hierarchy_free.
typedef struct NtHierarchy {
  uint64_t id;
} NtHierarchy;

// The bounds of the cost of the cheapest far path: metres, if a metre costs 1.
typedef struct NtFarBounds {
  double lower;
  // The cost of the plan.
  double upper;
} NtFarBounds;

// A place of a plan, and the tiles of the leg to it.
typedef struct NtFarStop {
  // World metres.
  double point[3];
  // The first column (x) and row (z) of the tiles that the leg to it leads over.
  int32_t first_x;
  int32_t first_z;
  // The number of these columns, and of rows.
  uint32_t columns;
} NtFarStop;

// Follows a far path, leg by leg. Freed by nt_far_route_free.
typedef struct NtFarRoute {
  uint64_t id;
} NtFarRoute;

// A column (x) and row (z) of the grid of tiles, which may have tiles of several layers.
typedef struct NtColumn {
  int32_t x;
  int32_t z;
} NtColumn;

// A cluster of tiles: its place in the grid of clusters.
typedef struct NtCluster {
  int32_t x;
  int32_t z;
} NtCluster;

// The costs of the paths from everywhere to the nearest of several goals. Freed by nt_field_free.
typedef struct NtField {
  uint64_t id;
} NtField;

// The next step from a place to the nearest goal of a field.
typedef struct NtFieldStep {
  // The cost of the whole path.
  float cost;
  // A horizontal unit vector; zeros at a goal, and at the start of an off-mesh link.
  struct NtVec3 direction;
  // The next point, which can be reached in a straight line.
  struct NtVec3 point;
  // NT_CORNER_TURN, NT_CORNER_CROSSING, NT_CORNER_LINK_START, or NT_CORNER_END for a goal.
  NtCornerKind kind;
  // The off-mesh link that starts there; 0 if none.
  NtPolyRef link;
} NtFieldStep;

// A group of agents of a crowd. The handle of a dissolved group is invalid.
typedef uint64_t NtGroup;

// A group as it is now. Its followers are read by nt_crowd_followers.
typedef struct NtGroupView {
  NtAgent leader;
  uint32_t followers;
  // NT_FORMATION_LINE and so on.
  uint32_t formation;
  // Distance between neighbours, metres.
  float spacing;
} NtGroupView;

// The slot of a follower in its group.
typedef struct NtSlot {
  // The position that the agent is sent to: the slot, or a place in the leader's track if there is no room
  // for the slot.
  struct NtVec3 position;
  // Number of the slot: 0 for the slot nearest to the leader.
  uint32_t number;
  // 1 if the agent follows the leader's track.
  uint8_t is_folded;
} NtSlot;

// A field of a crowd. The handle of a removed field is invalid.
typedef uint64_t NtCrowdField;

// An exit that agents of a crowd may choose.
typedef struct NtExit {
  // Behind the exit: an agent is through when it arrives there. Agents that have arrived are around it.
  struct NtPlace place;
  // Number of agents that the exit lets through per second, 0.001 to 1000: for people, about 1.3 for each
  // metre of its width.
  float rate;
} NtExit;

// Exits of a crowd that were added together. The handle of removed exits is invalid.
typedef uint64_t NtCrowdExits;

// A moving disc that agents avoid and the caller moves: a cart, a player.
typedef struct NtDisc {
  // Centre of the disc, at its bottom.
  struct NtVec3 position;
  // Metres a second.
  struct NtVec3 velocity;
  // Metres, 0 to 100.
  float radius;
  float height;
  // The layers that the disc is on: one bit for each.
  uint32_t layers;
} NtDisc;

// An off-mesh link: a ladder, a jump, a door.
typedef struct NtOffMeshLink {
  // The number that the level's author gave to the link.
  uint64_t user_id;
  // The link's ends on the ground, or the midpoints of its edges if it leads between edges; zeros while
  // one end has no ground.
  struct NtPlace start;
  struct NtPlace end;
  // From the midpoint of either edge to its end, metres. The link can be crossed anywhere along the edges.
  // Zeros if it leads between points.
  struct NtVec3 half_edge;
  uint32_t flags;
  // 1 to 255.
  uint8_t area;
  // 1 if the link can also be taken from end to start.
  uint8_t both_ways;
  // 1 if both ends are on ground.
  uint8_t is_joined;
} NtOffMeshLink;

// The next off-mesh link on a character's path.
typedef struct NtLinkAhead {
  NtPolyRef link;
  // The places where the link is entered and left.
  struct NtPlace start;
  struct NtPlace end;
  // Distance from the character to the start as seen from above, metres.
  float distance;
  // 1 if the character is on the polygon that the link starts on, and so can walk straight to it.
  uint8_t is_on_start_polygon;
} NtLinkAhead;

// Figures of a mesh.
typedef struct NtMeshInfo {
  // The point that positions are relative to, world metres.
  double anchor[3];
  // Lowest and highest corner of the box around all tiles; zeros without tiles.
  struct NtVec3 low;
  struct NtVec3 high;
  // The agent that the mesh was baked for, metres and degrees; zeros without tiles.
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

// The coordinate of a tile.
typedef struct NtTileCoord {
  int32_t x;
  int32_t z;
  // Distinguishes several tiles at one place.
  int32_t layer;
} NtTileCoord;

// A segment of a polygon's outline.
typedef struct NtSegment {
  struct NtVec3 from;
  struct NtVec3 to;
  // The polygon on the other side; 0 for a wall.
  NtPolyRef beyond;
} NtSegment;

// A connection between two clusters, which can be closed. It keeps its numbers while the tiles at its ends
// stay as they are, also from one run to the next, so that a game can save it. It has no padding.
typedef struct NtPortal {
  // NT_PORTAL_BORDER or NT_PORTAL_LINK.
  uint32_t kind;
  // The middle of a part of a border: steps along the border; 0 for a link.
  uint32_t along;
  // Its height, on the lattice of the bake; 0 for a link.
  int64_t height;
  // The clusters that it connects.
  struct NtCluster from;
  struct NtCluster to;
  // The start and the end of a link on the lattice of the bake, x, height and z; zeros for a border.
  int64_t start[3];
  int64_t end[3];
} NtPortal;

// The ends of a portal, for drawing: of a part of a border, or of an off-mesh link.
typedef struct NtPortalEnds {
  // World metres.
  double start[3];
  double end[3];
} NtPortalEnds;

// The ground nearest to a position.
typedef struct NtNearest {
  struct NtPlace place;
  // Distance from the position to the place, metres, and as seen from above.
  float distance;
  float horizontal_distance;
  // 1 if the place is straight below or above the position.
  uint8_t is_over;
} NtNearest;

// Options of nt_query_route. Set them by nt_route_options_init before you change them.
typedef struct NtRouteOptions {
  // Size of this struct, bytes.
  uint32_t size;
  // NT_OPTIMALITY_FAST, NT_OPTIMALITY_NEAR or NT_OPTIMALITY_SHORTEST.
  uint32_t optimality;
  // Maximum distance of start and goal from the mesh along each axis, metres. The default is 2, 4 and 2.
  struct NtVec3 reach;
  // 1 for a point at each edge that the route crosses, so that the points follow slopes more closely.
  uint32_t crossings;
} NtRouteOptions;

// A route. Its points and polygons are read by nt_query_points and nt_query_polygons.
typedef struct NtRoute {
  NtPathEnd end;
  // Number of points to walk along; the first is the start.
  uint32_t points;
  uint32_t polygons;
  // Sum of the distances between the points, metres, and as seen from above.
  float length;
  float length_from_above;
  // Distance from start and goal to their places on the mesh, metres.
  float start_moved;
  float goal_moved;
  double cost;
} NtRoute;

// A straight walk. Its polygons are read by nt_query_polygons.
typedef struct NtRay {
  NtWalkEnd end;
  // The free part of the walk, 0 to 1.
  float fraction;
  // The end of the walk: the point and its polygon.
  struct NtPlace place;
  // A horizontal unit vector away from the wall; zeros without a wall.
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
  // From the wall's point to the place, a horizontal unit vector.
  struct NtVec3 normal;
  // The polygon that the wall bounds.
  NtPolyRef polygon;
} NtWall;

// A path. Its polygons are read by nt_query_polygons, its corners by nt_query_corners.
typedef struct NtPath {
  NtPathEnd end;
  uint32_t polygons;
  // The end of the path: the goal, or the nearest point of the last polygon.
  struct NtVec3 last_point;
  // Estimated cost of the path.
  double cost;
} NtPath;

// A path search in slices. Freed by nt_search_free.
typedef struct NtSearch {
  uint64_t id;
} NtSearch;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Sets the properties to those of a walking person.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_agent_params_init(struct NtAgentParams *params);

// Reads a level and its settings from OBJ, glTF, GLB or a geometry set, with the files that they refer to.
// All files form one level. `settings` is the text of a settings file, or NULL for the library's defaults.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error lists every problem, one per line). Any
// thread.
NtStatus nt_bake_new(const struct NtFile *files,
                     size_t count,
                     const char *settings,
                     struct NtBake *out);

// Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and
// `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
// `settings` as in nt_bake_new.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
NtStatus nt_bake_from_triangles(const float *vertices,
                                size_t vertex_count,
                                const uint32_t *triangles,
                                size_t triangle_count,
                                const char *settings,
                                struct NtBake *out);

// Number of files that nt_bake_run makes: one for each agent of the settings.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_agents(struct NtBake bake, size_t *out);

// Bakes the level for all agents on the threads of the library's pool. Writes an array of `count` handles of
// .navtile files, in the order of the settings' agents; nt_bake_agents returns the count. The bytes equal
// those of the command line. `progress` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several
// bakes at once share the pool.
NtStatus nt_bake_run(struct NtBake bake,
                     NtProgress progress,
                     void *context,
                     struct NtBytes *out,
                     size_t count);

// The finished part of nt_bake_run or nt_bake_dynamic, 0 to 1, for another thread. If there are several
// runs, it is that of the last one.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_progress(struct NtBake bake,
                          float *out);

// Cancels a running nt_bake_run or nt_bake_dynamic from another thread. If there are several runs, the last
// one is cancelled.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_cancel(struct NtBake bake);

// Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open, as the command
// line does with --dynamic. `progress` as in nt_bake_run.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; it works
// on the threads of the library's pool.
NtStatus nt_bake_dynamic(struct NtBake bake,
                         NtProgress progress,
                         void *context,
                         struct NtBytes *out);

// Frees a bake.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bake_free(struct NtBake bake);

// Writes the address and the length of the bytes. They are valid until nt_bytes_free.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bytes_data(struct NtBytes bytes, const uint8_t **data, size_t *length);

// Frees bytes.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_bytes_free(struct NtBytes bytes);

// Opens a file that was baked with --dynamic or by nt_bake_dynamic. The cache has no obstacles yet.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_open(const char *path, struct NtCache *out);

// Opens a file for a cache from its bytes, which are copied.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_from_bytes(const uint8_t *bytes, size_t length, struct NtCache *out);

// Frees a cache. Meshes that were made from it stay.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_free(struct NtCache cache);

// Makes a mesh of the current state of all tiles; `anchor` as in nt_mesh_new. nt_cache_apply brings later
// changes into it.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_cache_mesh(struct NtCache cache,
                       const double *anchor,
                       struct NtMesh *out);

// Adds an obstacle. The tiles that it touches wait for nt_cache_update; `out` gets the obstacle's handle.
// Positions are metres in the world, not from an anchor. NULL for a box of one metre at the world's origin.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add(struct NtCache cache,
                      const struct NtObstacleParams *params,
                      NtObstacle *out);

// Adds the convex hull of `count` points as an obstacle: 4 to 256 points of three numbers in the obstacle's
// own space. Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add_hull(struct NtCache cache,
                           const struct NtObstacleParams *params,
                           const double *points,
                           size_t count,
                           NtObstacle *out);

// Adds a mesh as an obstacle. Only its surface counts: `vertex_count` points of three numbers, and
// `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_add_mesh(struct NtCache cache,
                           const struct NtObstacleParams *params,
                           const double *vertices,
                           size_t vertex_count,
                           const uint32_t *triangles,
                           size_t triangle_count,
                           NtObstacle *out);

// Moves an obstacle. `counts` gets 1, or 0 if the move is below the movement threshold and the obstacle
// remains at its last applied place. `counts` may be NULL. Returns NT_OK, NT_ERROR_ARGUMENT (no such
// obstacle, or a place that is too far away; nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_move(struct NtCache cache,
                       NtObstacle obstacle,
                       const struct NtTransform *place,
                       uint8_t *counts);

// Removes an obstacle.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_remove(struct NtCache cache, NtObstacle obstacle);

// Writes the handles of all obstacles into an array of `capacity` handles.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_obstacles(struct NtCache cache, NtObstacle *out, size_t capacity, size_t *count);

// Writes the last applied place of an obstacle, which saved games keep, and the place of its last
// move. Either may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_places(struct NtCache cache,
                         NtObstacle obstacle,
                         struct NtTransform *applied,
                         struct NtTransform *moved_to);

// Sets the distance that a corner of an obstacle must move for the move to count, metres; at 0 every move
// counts. Smaller moves add up. The default is half the smaller of cell size and cell height.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_movement_threshold(struct NtCache cache,
                                         double metres);

// Gives an obstacle an effect only while it keeps still; NULL for an effect at every place. When it begins
// to move, it vanishes from its tiles, and no tile is baked for its moves until it has kept still for the
// time of the rule. nt_cache_advance counts the time.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle, or a number that is negative or NaN), NT_ERROR_HANDLE.
// Any thread.
NtStatus nt_cache_set_stationary(struct NtCache cache,
                                 NtObstacle obstacle,
                                 const struct NtStationary *rule);

// Counts time for obstacles that have an effect only while they keep still: call it in each frame.
// Returns NT_OK, NT_ERROR_ARGUMENT (a time that is negative or NaN), NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_advance(struct NtCache cache, double seconds);

// `out` gets 1 if an obstacle moves and has no effect until it has kept still, otherwise 0.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_is_moving(struct NtCache cache, NtObstacle obstacle, uint8_t *out);

// Sets the memory that unpacked tiles may take, bytes: 32 MiB by default. At 0 every bake of a tile unpacks
// it from the file.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_held_limit(struct NtCache cache,
                                 uint64_t bytes);

// Sets the places near which tiles are baked first: `count` points of three numbers, metres in the world.
// Without them, the tiles that have waited longest are baked first.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_set_focus(struct NtCache cache,
                            const double *places,
                            size_t count);

// Number of tiles that wait to be baked again.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_waiting(struct NtCache cache, size_t *out);

// Bakes waiting tiles, the most urgent first: at most `tiles`, which are the same on every machine, or for
// about `seconds`, or all if both are 0. Only nt_cache_apply changes meshes.
// Returns NT_OK, NT_ERROR_ARGUMENT (both are given, or the seconds are not a valid duration; or there is no
// ground at the places that everything must be reachable from: the tiles continue to wait), NT_ERROR_HANDLE,
// NT_ERROR_DATA. Any thread; it works on the threads of the library's pool, and other calls on the cache
// wait for it.
NtStatus nt_cache_update(struct NtCache cache,
                         size_t tiles,
                         double seconds,
                         struct NtUpdate *out);

// Writes the tiles that the last update could not bake as a text: one line for each, with the reason.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_failures(struct NtCache cache,
                           struct NtBytes *out);

// Replaces the tiles that changed since the last call, all at once, in the mesh that nt_cache_mesh made.
// Polygons that still exist keep the flags and areas that were set at run time. Queries keep their snapshot
// until nt_query_update. `out` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another level; it does not change), NT_ERROR_HANDLE,
// NT_ERROR_LIMIT. Any thread; other calls on the cache and the mesh wait for it.
NtStatus nt_cache_apply(struct NtCache cache,
                        struct NtMesh mesh,
                        struct NtApplied *out);

// Writes the islands that the last nt_cache_apply joined, each with a polygon on its ground, into an array
// of `capacity` parts.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_joined(struct NtCache cache,
                         struct NtIslandPart *out,
                         size_t capacity,
                         size_t *count);

// Writes the islands that the last nt_cache_apply parted, with a polygon on each part, into an array of
// `capacity` parts. A closed door parts an island, for example.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_cache_parted(struct NtCache cache,
                         struct NtIslandPart *out,
                         size_t capacity,
                         size_t *count);

// Writes the .navtile file of the level with its current obstacles. A bake with these obstacles writes the
// same bytes. Returns NT_OK, NT_ERROR_ARGUMENT (tiles wait), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread.
NtStatus nt_cache_write(struct NtCache cache,
                        struct NtBytes *out);

// Makes the corridor of a character at a place. It has no target yet.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_new(struct NtPlace at, struct NtCorridor *out);

// Frees a corridor.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_free(struct NtCorridor corridor);

// Takes the last route of the query (nt_query_route) as the corridor's path; `target` is the end of the
// route. The character may have moved along the route since.
// Returns NT_OK, NT_NOT_FOUND (the route does not cross the polygon under the character: find a new one),
// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_set_path(struct NtCorridor corridor,
                              struct NtQuery query,
                              struct NtVec3 target);

// Writes the places of the character and of its target. Either may be NULL.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_ends(struct NtCorridor corridor,
                          struct NtPlace *position,
                          struct NtPlace *target);

// Writes the next corners to steer to, nearest first, at most `capacity` of them. There are no corners if
// the character is at its target.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_corners(struct NtCorridor corridor,
                             struct NtQuery query,
                             struct NtCorner *out,
                             size_t capacity,
                             size_t *count);

// Moves the character towards a point along the surface, sliding along walls. The path follows.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_move(struct NtCorridor corridor,
                          struct NtQuery query,
                          struct NtVec3 to,
                          NtWalkEnd *end);

// Moves the target towards a point along the surface, sliding along walls: a chase without a search.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_move_target(struct NtCorridor corridor,
                                 struct NtQuery query,
                                 struct NtVec3 to);

// Shortens the path. It leads straight to `next`, a corner ahead within `reach` metres, if there is no
// obstacle, and a search of 32 polygons around the character looks for a shorter one. An occasional call is
// enough.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_optimise(struct NtCorridor corridor,
                              struct NtQuery query,
                              struct NtVec3 next,
                              float reach);

// Cuts the path off where the mesh no longer leads along it, after nt_query_update. `safe` is a place for
// the character if the polygon under it is gone.
// Returns NT_OK (the whole path remains), NT_NOT_FOUND (it was cut: find a new path), NT_ERROR_ARGUMENT,
// NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_repair(struct NtCorridor corridor,
                            struct NtQuery query,
                            struct NtPlace safe);

// Sets the settings to the library's defaults.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_crowd_settings_init(struct NtCrowdSettings *settings);

// Makes a crowd without agents; NULL for the library's default settings. Equal calls give equal positions,
// bit for bit, on every machine and with any number of threads.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_crowd_new(const struct NtCrowdSettings *settings,
                      struct NtCrowd *out);

// Frees a crowd with its agents.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_free(struct NtCrowd crowd);

// Adds a copy of a filter for the field `filter` of agents' properties. The first filter has the number 1.
// Returns NT_OK, NT_ERROR_ARGUMENT (there are 255), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_add_filter(struct NtCrowd crowd,
                             struct NtFilter filter,
                             uint32_t *out);

// Sets the speed of agents with a filter in an area, such as stairs: shares of their own speed, 0.01 to 1,
// if their path leads up, or is level, and if it leads down. Filter 0 lets everything pass.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such filter, or a share out of its range), NT_ERROR_HANDLE. Any
// thread.
NtStatus nt_crowd_set_area_speed(struct NtCrowd crowd,
                                 uint32_t filter,
                                 uint8_t area,
                                 float up,
                                 float down);

// Adds an agent on the ground nearest to a position; NULL for a walking person.
// Returns NT_OK, NT_ERROR_ARGUMENT (a property out of its range, or no ground near), NT_ERROR_HANDLE. Any
// thread.
NtStatus nt_crowd_add(struct NtCrowd crowd,
                      struct NtMesh mesh,
                      struct NtVec3 position,
                      const struct NtAgentParams *params,
                      NtAgent *out);

// Changes the properties of an agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (out of range, or no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_params(struct NtCrowd crowd,
                             NtAgent agent,
                             const struct NtAgentParams *params);

// Removes an agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove(struct NtCrowd crowd, NtAgent agent);

// Sends an agent to a place on the mesh, for example from nt_query_nearest.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_send(struct NtCrowd crowd,
                       NtAgent agent,
                       struct NtPlace to);

// Lets an agent follow another one wherever it moves.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_chase(struct NtCrowd crowd, NtAgent agent, NtAgent other);

// Lets an agent walk at a horizontal velocity, metres a second. It slides along walls that block it.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_velocity(struct NtCrowd crowd,
                               NtAgent agent,
                               float x,
                               float z);

// Stops an agent. It keeps its place, and steps aside for others.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_stop(struct NtCrowd crowd, NtAgent agent);

// Moves an agent with a link_speed of 0 to the far end of its off-mesh link, after its animation has ended.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or on no link), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_finish_link(struct NtCrowd crowd,
                              NtAgent agent);

// Sets the points of interest. Agents farther than `radius` from all of them are steered less often. Without
// points, all agents are steered in every step.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_interest(struct NtCrowd crowd,
                               const struct NtVec3 *points,
                               size_t count,
                               float radius);

// Moves all agents by `seconds` on the current mesh: one step of the game, of the same length each time.
// Works on the threads of the library's pool.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_step(struct NtCrowd crowd,
                       struct NtMesh mesh,
                       float seconds);

// Writes all agents, in the order of their slots in the crowd, into an array of `capacity` views.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_agents(struct NtCrowd crowd,
                         struct NtAgentView *out,
                         size_t capacity,
                         size_t *count);

// Writes one agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_agent(struct NtCrowd crowd, NtAgent agent, struct NtAgentView *out);

// Writes the reason why an agent was much slower in the last step than it wanted to be. Costs about as much
// as a search for neighbours.
// Returns NT_OK, NT_NOT_FOUND (nothing holds it up, or it does not want to walk), NT_ERROR_ARGUMENT (no such
// agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_hold_up(struct NtCrowd crowd,
                          NtAgent agent,
                          struct NtHoldUp *out);

// Writes the known polygons and off-mesh links from an agent to its target into an array of `capacity`
// references, for debug views.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_corridor(struct NtCrowd crowd,
                           NtAgent agent,
                           NtPolyRef *out,
                           size_t capacity,
                           size_t *count);

// Writes the events of the last step, in the order of the agents, into an array of `capacity` events.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_events(struct NtCrowd crowd,
                         struct NtEvent *out,
                         size_t capacity,
                         size_t *count);

// Writes a hash of all positions and velocities. A run has the same hash on every machine.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_hash(struct NtCrowd crowd, uint64_t *out);

// Saves the crowd as bytes for nt_crowd_restore, for saved games or rollback.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_save(struct NtCrowd crowd, struct NtBytes *out);

// Continues from bytes of nt_crowd_save, bit for bit. The crowd must have the same filters, and the mesh
// must be the same.
// Returns NT_OK, NT_ERROR_ARGUMENT (the bytes are not those of a crowd; nothing changes), NT_ERROR_HANDLE.
// Any thread.
NtStatus nt_crowd_restore(struct NtCrowd crowd,
                          struct NtMesh mesh,
                          const uint8_t *bytes,
                          size_t length);

// Reads the hierarchy of a .navtile file, which `navtile bake --hierarchy` writes. The tiles are not read.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA. Any thread.
NtStatus nt_hierarchy_open(const char *path,
                           struct NtHierarchy *out);

// Reads the hierarchy of the bytes of a .navtile file.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
NtStatus nt_hierarchy_from_bytes(const uint8_t *bytes, size_t length, struct NtHierarchy *out);

// Writes the number of a class of agents, which the settings of the bake name.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_class(struct NtHierarchy hierarchy, const char *name, uint32_t *out);

// Frees a hierarchy.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_free(struct NtHierarchy hierarchy);

// Plans a far path. `agents` is a class of agents (nt_hierarchy_class); its filter counts, not the query's.
// Start and goal are places on the snapshot of the query, which must have the tiles around both; no other
// tiles are needed. nt_query_far_stops then has the places of the plan.
// Returns NT_OK, NT_NOT_FOUND (no path exists), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
// Any thread.
NtStatus nt_query_far_path(struct NtQuery query,
                           struct NtHierarchy hierarchy,
                           uint32_t agents,
                           struct NtPlace start,
                           struct NtPlace goal,
                           struct NtFarBounds *out);

// Writes the places of the last far path of the query: the start, the crossings between clusters of tiles,
// and the goal. Load the tiles of the first few legs, and find the route to the stop at their end;
// nt_far_route_new makes a route that does this along the whole path.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_far_stops(struct NtQuery query,
                            struct NtFarStop *stops,
                            size_t capacity,
                            size_t *count);

// Makes a route along the last far path of a query (nt_query_far_path), for an agent at its start. The agent
// walks to the stop that is `legs_ahead` legs ahead; 0 for the library's default, 4. More legs make shorter
// paths, and need more tiles. The route needs neither the query nor the hierarchy from then on.
// Returns NT_OK, NT_ERROR_ARGUMENT (there was no far path), NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_new(struct NtQuery query,
                          uint32_t legs_ahead,
                          struct NtFarRoute *out);

// Frees a route.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_free(struct NtFarRoute route);

// Moves on with the agent at `position`: three numbers, world metres. Call it whenever the agent has walked.
// `has_moved` gets 1 if the agent has come to a later leg, else 0; then nt_far_route_ahead and
// nt_far_route_columns have other answers. It may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_advance(struct NtFarRoute route,
                              const double *position,
                              uint8_t *has_moved);

// Writes the stop to walk to, by nt_query_route or by a crowd. Its height may be a metre or two off hilly
// ground. If no path leads there although the tiles of nt_far_route_columns are loaded, plan again.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_ahead(struct NtFarRoute route,
                            struct NtFarStop *out);

// Writes the number of legs to the goal. The last leg, 1, ends at the goal.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_legs_left(struct NtFarRoute route, uint32_t *out);

// Writes the columns of tiles that the agent needs for the next `legs` legs, the most urgent first, into an
// array of `capacity` columns. Take no fewer legs than the agent looks ahead; with more, tiles are there
// before they are needed. Some columns may have no tiles.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_columns(struct NtFarRoute route,
                              uint32_t legs,
                              struct NtColumn *out,
                              size_t capacity,
                              size_t *count);

// Writes 1 if one of `count` changed clusters (nt_hierarchy_changed) is still ahead, else 0. With 1, plan
// again from where the agent is.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_far_route_needs_replan(struct NtFarRoute route,
                                   const struct NtCluster *clusters,
                                   size_t count,
                                   uint8_t *out);

// Finds the costs of the cheapest paths from everywhere to one of `count` goals, up to `bound`, which may be
// infinite. Uses the snapshot, the filter and the nodes of the query.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_field_new(struct NtQuery query,
                      const struct NtPlace *goals,
                      size_t count,
                      float bound,
                      struct NtField *out);

// Updates a field to the snapshot of a query of the same mesh. It is only searched again if something that
// it depends on has changed; `searched` gets 1 then, else 0. `searched` may be NULL.
// Returns NT_OK, NT_ERROR_ARGUMENT (no goal has ground now), NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_refresh(struct NtField field,
                          struct NtQuery query,
                          uint8_t *searched);

// Writes the next step from a place of the query's snapshot.
// Returns NT_OK, NT_NOT_FOUND (no path within the bound, or the field is of another snapshot),
// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_field_next(struct NtField field,
                       struct NtQuery query,
                       struct NtPlace from,
                       struct NtFieldStep *out);

// Writes 1 if the query's nodes sufficed for the field, or 0 if only costs near its goals are known.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_complete(struct NtField field,
                           uint8_t *out);

// Frees a field.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_field_free(struct NtField field);

// Makes a group. The followers keep their slots around the leader. The leader walks at the pace of the
// slowest follower, and waits for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN,
// NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance between neighbours, metres. An agent can
// be in one group; up to 255 can follow one leader.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or in a group already), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_add_group(struct NtCrowd crowd,
                            NtAgent leader,
                            const NtAgent *followers,
                            size_t count,
                            uint32_t form,
                            float spacing,
                            NtGroup *out);

// Sends the leader of a group to a place. Its followers come with it.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_send_group(struct NtCrowd crowd,
                             NtGroup group,
                             struct NtPlace to);

// Changes the formation of a group, and assigns each slot to a follower near it. `form` and `spacing` as in
// nt_crowd_add_group.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_formation(struct NtCrowd crowd,
                                NtGroup group,
                                uint32_t form,
                                float spacing);

// Sets custom slots for a group: `count` pairs of metres from the leader, to the right of its direction and
// along it. Followers without a slot walk in a column, `spacing` metres apart.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_slots(struct NtCrowd crowd,
                            NtGroup group,
                            const float *slots,
                            size_t count,
                            float spacing);

// Adds a follower to a group.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any
// thread.
NtStatus nt_crowd_join(struct NtCrowd crowd,
                       NtGroup group,
                       NtAgent agent);

// Takes an agent out of its group, if it is in one. The agent stops. If the agent was the leader, the
// follower in the first slot replaces it.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_leave_group(struct NtCrowd crowd,
                              NtAgent agent);

// Dissolves a group. Its followers have no target then.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove_group(struct NtCrowd crowd, NtGroup group);

// Writes the current state of a group.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_group(struct NtCrowd crowd, NtGroup group, struct NtGroupView *out);

// Writes the followers of a group, in the order in which they joined, into an array of `capacity` handles.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_followers(struct NtCrowd crowd,
                            NtGroup group,
                            NtAgent *out,
                            size_t capacity,
                            size_t *count);

// Writes the group of an agent.
// Returns NT_OK, NT_NOT_FOUND (it is in no group), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any
// thread.
NtStatus nt_crowd_group_of(struct NtCrowd crowd,
                           NtAgent agent,
                           NtGroup *out);

// Writes the slot of a follower, as of the last step.
// Returns NT_OK, NT_NOT_FOUND (the agent is not a follower, or there was no step yet), NT_ERROR_ARGUMENT (no
// such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_slot(struct NtCrowd crowd,
                       NtAgent agent,
                       struct NtSlot *out);

// Adds a field that agents can follow along the cheapest path to the nearest of `count` goals. One search
// serves any number of agents. It runs at once, and again after a change of the mesh that the field reaches.
// `filter` is the agents' filter, as in NtAgentParams. There is no path from places whose cost is above
// `bound`, which may be infinite.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_add_field(struct NtCrowd crowd,
                            struct NtMesh mesh,
                            const struct NtPlace *goals,
                            size_t count,
                            float bound,
                            uint32_t filter,
                            NtCrowdField *out);

// Removes a field. Agents that follow it have no target then.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove_field(struct NtCrowd crowd, NtCrowdField field);

// Lets an agent follow a field with the agent's own filter to the nearest goal.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or a field with another filter),
// NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_follow_field(struct NtCrowd crowd, NtAgent agent, NtCrowdField field);

// Writes the cost of the path from a place to the nearest goal of a field, on the mesh of the last step or
// of nt_crowd_add_field.
// Returns NT_OK, NT_NOT_FOUND (no path to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_field_cost(struct NtCrowd crowd,
                             struct NtMesh mesh,
                             NtCrowdField field,
                             struct NtPlace from,
                             float *out);

// Adds 1 to 64 exits that agents can choose among, each with a field. An agent walks to the exit that it
// expects to pass first, by its path and by the agents before it; it may change its mind once a second.
// `filter` is the agents' filter, as in NtAgentParams.
// Returns NT_OK, NT_ERROR_ARGUMENT (a count or a rate out of its range), NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_crowd_add_exits(struct NtCrowd crowd,
                            struct NtMesh mesh,
                            const struct NtExit *exits,
                            size_t count,
                            uint32_t filter,
                            NtCrowdExits *out);

// Removes exits. Agents that were sent there have no target then.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such exits), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_remove_exits(struct NtCrowd crowd, NtCrowdExits exits);

// Sends an agent to one of several exits, which it chooses.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or exits, or exits with another filter), NT_ERROR_HANDLE.
// Any thread.
NtStatus nt_crowd_follow_exits(struct NtCrowd crowd,
                               NtAgent agent,
                               NtCrowdExits exits);

// Writes the exit that an agent has chosen, as an index into the exits of nt_crowd_add_exits.
// Returns NT_OK, NT_NOT_FOUND (no choice yet, no path to any, or the agent was not sent to exits),
// NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_exit_of(struct NtCrowd crowd, NtAgent agent, uint32_t *out);

// Sends an agent back to its slot in its group, after it was sent elsewhere.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it is not a follower in a group), NT_ERROR_HANDLE. Any
// thread.
NtStatus nt_crowd_follow_group(struct NtCrowd crowd,
                               NtAgent agent,
                               NtGroup group);

// With 1, the caller moves an agent, by nt_crowd_place; with 0, the crowd does. Other agents avoid a
// kinematic agent; it avoids nobody.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_kinematic(struct NtCrowd crowd,
                                NtAgent agent,
                                uint8_t is_kinematic);

// Carries an agent on something that moves off the mesh, such as a raft: puts it at a position, with a
// heading; zeros leave the heading as it is. Call it for all agents on the platform whenever the platform
// moves. A carried agent does not walk, and nobody avoids it. nt_crowd_place ends the ride.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or not finite), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_carry(struct NtCrowd crowd,
                        NtAgent agent,
                        struct NtVec3 position,
                        struct NtVec3 heading);

// Puts an agent on the ground nearest to a position, with a velocity, metres a second: a teleport, the step
// of a kinematic agent, or the end of a ride.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or no ground near), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_place(struct NtCrowd crowd,
                        struct NtMesh mesh,
                        NtAgent agent,
                        struct NtVec3 position,
                        struct NtVec3 velocity);

// Replaces all discs by `count` others for the next steps.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_set_discs(struct NtCrowd crowd, const struct NtDisc *discs, size_t count);

// Number of agents that wait for a path.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_waiting(struct NtCrowd crowd, size_t *out);

// The properties of an agent.
// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
NtStatus nt_crowd_params(struct NtCrowd crowd, NtAgent agent, struct NtAgentParams *out);

// Writes all off-mesh links of a mesh, joined to ground or not, into an array of `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_off_mesh_links(struct NtMesh mesh,
                                NtPolyRef *out,
                                size_t capacity,
                                size_t *count);

// Describes an off-mesh link.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or a link that is gone).
// Any thread.
NtStatus nt_mesh_off_mesh(struct NtMesh mesh,
                          NtPolyRef link,
                          struct NtOffMeshLink *out);

// Finds the crossing of an off-mesh link that begins nearest to a point: its start and its end.
// `is_backwards` is 0 to take the link from its start, 1 from its end. `start` and `end` may be NULL.
// Returns NT_OK, NT_NOT_FOUND (the link is not joined to ground), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE (a polygon, or a link that is gone). Any thread.
NtStatus nt_mesh_link_crossing(struct NtMesh mesh,
                               NtPolyRef link,
                               uint8_t is_backwards,
                               struct NtVec3 point,
                               struct NtPlace *start,
                               struct NtPlace *end);

// Writes the next off-mesh link on the path of a character.
// Returns NT_OK, NT_NOT_FOUND (there is no link ahead, or the mesh no longer has it), NT_ERROR_ARGUMENT,
// NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
NtStatus nt_corridor_link_ahead(struct NtCorridor corridor,
                                struct NtQuery query,
                                struct NtLinkAhead *out);

// Moves the character over the next off-mesh link, once it is near enough; `out` gets the far end, and may
// be NULL.
// Returns NT_OK, NT_NOT_FOUND (the next link is another one, or there is no link; nothing changes),
// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_move_over_link(struct NtCorridor corridor,
                                    struct NtQuery query,
                                    NtPolyRef link,
                                    struct NtPlace *out);

// Puts the character at a place by force, for example after it was pushed, and keeps the part of its path
// that is still valid.
// Returns NT_OK, NT_NOT_FOUND (nothing could be kept: find a new path), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_fix_start(struct NtCorridor corridor,
                               struct NtQuery query,
                               struct NtPlace at);

// Puts the character at a place, without a target.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_corridor_reset(struct NtCorridor corridor, struct NtPlace at);

// Writes the polygons and off-mesh links from the character to its target into an array of `capacity`
// references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_polygons(struct NtCorridor corridor,
                              NtPolyRef *out,
                              size_t capacity,
                              size_t *count);

// Writes 1 if the next `lookahead` polygons of the path are still in the query's snapshot and pass its
// filter, or 0 if the path needs nt_corridor_repair.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_corridor_is_valid(struct NtCorridor corridor,
                              struct NtQuery query,
                              size_t lookahead,
                              uint8_t *out);

// Makes a mesh without tiles. `anchor`, three numbers, is the point that positions are relative to, world
// metres; NULL for the world's origin. Single precision is finest near the anchor: if the level is far from
// the origin, pass a point of the level.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_mesh_new(const double *anchor,
                     struct NtMesh *out);

// Opens a .navtile file with all its tiles, each verified, on the threads of the library's pool. `anchor` as
// in nt_mesh_new.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_mesh_open(const char *path,
                      const double *anchor,
                      struct NtMesh *out);

// Opens a .navtile file from its bytes, which are copied. `anchor` as in nt_mesh_new.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
NtStatus nt_mesh_from_bytes(const uint8_t *bytes,
                            size_t length,
                            const double *anchor,
                            struct NtMesh *out);

// Makes another handle of the current mesh. It costs a reference count; changes of one do not affect the
// other.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_copy(struct NtMesh mesh,
                      struct NtMesh *out);

// Frees a mesh. Queries and crowds that use it keep their snapshot.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_free(struct NtMesh mesh);

// Writes the figures of a mesh.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_info(struct NtMesh mesh, struct NtMeshInfo *out);

// The number of an area by its name in the file.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_area(struct NtMesh mesh, const char *name, uint8_t *out);

// Adds a tile from its bytes, which are verified and copied, and links it to its neighbours.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is a tile already, or it is of another lattice), NT_ERROR_HANDLE,
// NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread; until it returns, queries use the mesh before.
NtStatus nt_mesh_add_tile(struct NtMesh mesh,
                          const uint8_t *bytes,
                          size_t length);

// Replaces the tile at the coordinate of the tile in `bytes`; references to its polygons become stale.
// Returns the results of nt_mesh_add_tile; NT_ERROR_ARGUMENT if there is no tile to replace. Any thread.
NtStatus nt_mesh_replace_tile(struct NtMesh mesh,
                              const uint8_t *bytes,
                              size_t length);

// Removes a tile; references to its polygons become stale.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_remove_tile(struct NtMesh mesh, int32_t x, int32_t z, int32_t layer);

// The current flags and area of a polygon or an off-mesh link.
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

// Writes the lines of the mesh for a debug renderer into an array of `capacity` lines: edges tile by tile,
// borders of tiles, off-mesh links. `kinds` has the bit 1 << kind for each NtLineKind; 0 means all kinds.
// The lines are on the ground: raise them a little. They are the same until the mesh changes. For a path,
// draw from point to point of nt_query_points.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_lines(struct NtMesh mesh,
                       uint32_t kinds,
                       struct NtLine *out,
                       size_t capacity,
                       size_t *count);

// Sets the flags of a polygon or an off-mesh link at run time: doors that close, bridges that collapse.
// Returns NT_OK, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_set_flags(struct NtMesh mesh,
                           NtPolyRef reference,
                           uint32_t flags);

// Sets the area of a polygon or an off-mesh link at run time, 1 to 255.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_mesh_set_area(struct NtMesh mesh, NtPolyRef reference, uint8_t area);

// Writes the coordinates of the mesh's tiles into an array of `capacity` coordinates.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_tiles(struct NtMesh mesh, struct NtTileCoord *out, size_t capacity, size_t *count);

// Saves the flags and areas of a tile that were set at run time as bytes for nt_mesh_restore_state.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
NtStatus nt_mesh_store_state(struct NtMesh mesh,
                             int32_t x,
                             int32_t z,
                             int32_t layer,
                             struct NtBytes *out);

// Sets the flags and areas of a tile from bytes of nt_mesh_store_state. All other polygons of the tile get
// their baked values again.
// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE, NT_ERROR_DATA (damaged, or of
// another tile; nothing changes). Any thread.
NtStatus nt_mesh_restore_state(struct NtMesh mesh,
                               int32_t x,
                               int32_t z,
                               int32_t layer,
                               const uint8_t *bytes,
                               size_t length);

// Makes a filter that allows every polygon with a flag of the mesh's areas, at the costs of its file. For a
// mesh without a file, or a handle of zeros, everything is allowed at a cost of 1.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_new(struct NtMesh mesh,
                       struct NtFilter *out);

// Sets the cost of a metre in an area: 0.001 to 1e20. Queries copy the filter that they are given.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_set_cost(struct NtFilter filter, uint8_t area, float cost);

// Excludes an area.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_exclude_area(struct NtFilter filter, uint8_t area);

// Allows only polygons with a flag of `include` and no flag of `exclude`. With UINT32_MAX for `include`,
// polygons without flags are allowed, too.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_set_flags(struct NtFilter filter,
                             uint32_t include,
                             uint32_t exclude);

// Frees a filter. Queries that use it keep their copy.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_filter_free(struct NtFilter filter);

// Finds the ground nearest to a position, at any distance. Time is proportional to the number of tiles.
// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_nearest_anywhere(struct NtQuery query,
                                   struct NtVec3 position,
                                   struct NtPlace *out);

// Finds the ground nearest to a goal on the island of a polygon: an alternative if the goal itself cannot be
// reached.
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

// Finds the polygons that intersect a box with a centre and half extents: `count` of them, read by
// nt_query_polygons.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_box(struct NtQuery query,
                      struct NtVec3 centre,
                      struct NtVec3 half_extents,
                      size_t *count);

// Like nt_query_around, through portals that intersect a convex outline of `corners` points, as seen from
// above.
// Returns NT_OK, NT_ERROR_ARGUMENT (not convex), NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the
// list is not complete). Any thread.
NtStatus nt_query_shape(struct NtQuery query,
                        struct NtPlace start,
                        const struct NtVec3 *outline,
                        size_t corners,
                        size_t *count);

// Finds at most `limit` polygons around a place, through portals within `radius` metres, that do not overlap
// each other as seen from above: `count` of them, read by nt_query_polygons.
// Returns NT_OK, NT_TRUNCATED (there are more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any
// thread.
NtStatus nt_query_neighbourhood(struct NtQuery query,
                                struct NtPlace start,
                                float radius,
                                size_t limit,
                                size_t *count);

// Writes the outline of a polygon into an array of `capacity` segments: walls, and edges to other polygons.
// It is split where the polygon on the other side changes.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_outline(struct NtQuery query,
                          NtPolyRef reference,
                          struct NtSegment *out,
                          size_t capacity,
                          size_t *count);

// Writes the position itself, with its own height, if it is over a polygon; else the closest point of the
// outline.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_boundary_point(struct NtQuery query,
                                 NtPolyRef reference,
                                 struct NtVec3 position,
                                 struct NtVec3 *out);

// Sets an obstacle to a solid box of one metre at the world's origin.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_obstacle_init(struct NtObstacleParams *params);

// Writes a transform that turns by `yaw` degrees about the vertical, from the x axis towards the z axis,
// then moves to a point of the world, metres.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_transform_turned(double yaw,
                             double x,
                             double y,
                             double z,
                             struct NtTransform *out);

// Writes the portals in a box into an array of `capacity` portals. `low` and `high` are three numbers each,
// world metres. A part of a border counts with the height of its middle, so a box around a gate on a slope
// should be a few metres high. An off-mesh link counts if it starts or ends in the box.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_portals_in(struct NtHierarchy hierarchy,
                                 const double *low,
                                 const double *high,
                                 struct NtPortal *out,
                                 size_t capacity,
                                 size_t *count);

// Writes the ends of a portal, for drawing.
// Returns NT_OK, NT_NOT_FOUND (there is no such portal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_portal_ends(struct NtHierarchy hierarchy,
                                  const struct NtPortal *portal,
                                  struct NtPortalEnds *out);

// Closes `count` portals and opens all others: far paths do not lead over a closed portal, and their bounds
// are those of a world without it. A portal that does not exist has no effect. nt_hierarchy_changed has the
// clusters that changed, for nt_far_route_needs_replan; `changed` gets their number and may be NULL. A far
// path that another thread plans at the same time is that of before or of after.
// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_set_closed(struct NtHierarchy hierarchy,
                                 const struct NtPortal *portals,
                                 size_t count,
                                 size_t *changed);

// Writes the portals that are closed into an array of `capacity` portals, for a saved game.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_closed(struct NtHierarchy hierarchy,
                             struct NtPortal *out,
                             size_t capacity,
                             size_t *count);

// Updates the hierarchy after `count` tiles of a mesh were added for the first time, replaced or removed for
// good. The mesh must have all other tiles of their clusters and of the clusters next to these: a tile that
// it does not have counts as gone. So take a mesh of the whole level, or one that has at least these tiles.
// Closed portals stay closed. `changed` and threads as in nt_hierarchy_set_closed.
// Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another bake; nothing changes), NT_ERROR_HANDLE,
// NT_ERROR_LIMIT. Any thread.
NtStatus nt_hierarchy_update(struct NtHierarchy hierarchy,
                             struct NtMesh mesh,
                             const struct NtTileCoord *tiles,
                             size_t count,
                             size_t *changed);

// Writes the clusters that really changed in the last call of nt_hierarchy_set_closed or nt_hierarchy_update
// of this hierarchy into an array of `capacity` clusters: their portals, or the costs between them.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_hierarchy_changed(struct NtHierarchy hierarchy,
                              struct NtCluster *out,
                              size_t capacity,
                              size_t *count);

// Makes a query of the current mesh with a filter; a handle of zeros for the filter of the mesh's file. A
// search visits at most `max_nodes` polygons; 0 for the library's default limit. Calls on one query wait for
// each other: make one for each thread.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_new(struct NtMesh mesh,
                      struct NtFilter filter,
                      uint32_t max_nodes,
                      struct NtQuery *out);

// Updates the query's snapshot to the current mesh, after tiles, flags or areas have changed. It costs a
// reference count.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_update(struct NtQuery query,
                         struct NtMesh mesh);

// Sets a copy of a filter for the next queries.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_set_filter(struct NtQuery query, struct NtFilter filter);

// Frees a query.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_free(struct NtQuery query);

// Finds the ground nearest to a position, within a box around it with the half extents `reach`; NULL for 2,
// 4 and 2 metres.
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_nearest(struct NtQuery query,
                          struct NtVec3 position,
                          const struct NtVec3 *within,
                          struct NtNearest *out);

// Sets the options to the library's defaults.
// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
NtStatus nt_route_options_init(struct NtRouteOptions *options);

// Finds the route between two positions: moves both onto the mesh, finds a path, and pulls it straight. NULL
// for the library's default options. A route that does not reach its goal is a result, too: see its `end`.
// Returns NT_OK, NT_NOT_FOUND (no ground near the start or the goal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE.
// Any thread.
NtStatus nt_query_route(struct NtQuery query,
                        struct NtVec3 start,
                        struct NtVec3 goal,
                        const struct NtRouteOptions *options,
                        struct NtRoute *out);

// Writes the points of the last route of this query, on the surface, into an array of `capacity` points.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_points(struct NtQuery query,
                         struct NtVec3 *out,
                         size_t capacity,
                         size_t *count);

// Writes the polygons of the last route, ray, slide, box or neighbourhood of this query into an array of
// `capacity` references.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_query_polygons(struct NtQuery query,
                           NtPolyRef *out,
                           size_t capacity,
                           size_t *count);

// Writes the corners of the last route, with the starts and ends of off-mesh links, into an array of
// `capacity` corners. Their heights are those of the polygons, not of the surface. Call it directly after
// nt_query_route.
// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (there was no route), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
// Any thread.
NtStatus nt_query_corners(struct NtQuery query,
                          struct NtCorner *out,
                          size_t capacity,
                          size_t *count);

// Walks from a place straight towards a goal until a wall. Only x and z of the goal count.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_raycast(struct NtQuery query,
                          struct NtPlace start,
                          struct NtVec3 goal,
                          struct NtRay *out);

// Moves from a place towards a goal along the surface, sliding along walls: the step of a frame. Only x and
// z of the goal count.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_slide(struct NtQuery query,
                        struct NtPlace start,
                        struct NtVec3 goal,
                        struct NtSlide *out);

// Writes the height of the surface of a polygon straight below or above a position.
// Returns NT_OK, NT_NOT_FOUND (the position is outside the polygon), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
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
// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT. Any
// thread.
NtStatus nt_query_wall(struct NtQuery query,
                       struct NtPlace start,
                       float radius,
                       struct NtWall *out);

// Finds the polygons that can be reached from a place through portals within `radius` metres: `count` of
// them, nearest first by cost, read by nt_query_polygons.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not
// complete). Any thread.
NtStatus nt_query_around(struct NtQuery query,
                         struct NtPlace start,
                         float radius,
                         size_t *count);

// Writes 0 if no search will find a path from the start to the goal, or 1 if they are on one island. Takes
// constant time.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_reachable(struct NtQuery query,
                            NtPolyRef start,
                            NtPolyRef goal,
                            uint8_t *out);

// Picks a random place of the mesh, or of the ground that can be reached within `radius` metres of `around`;
// NULL for the whole mesh. Places are evenly spread over the area. `state` is any number, and is changed:
// the same states give the same places.
// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
// NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_random_place(struct NtQuery query,
                               const struct NtPlace *around,
                               float radius,
                               uint64_t *state,
                               struct NtPlace *out);

// Finds the path between two places as polygons, for corridors, without its points.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_path(struct NtQuery query,
                       struct NtPlace start,
                       struct NtPlace goal,
                       struct NtPath *out);

// Shortens the last path or route of the query by straight legs of up to `reach` metres, and writes the
// number of legs that were replaced. Then read its polygons and corners.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_query_shortcut(struct NtQuery query,
                           float reach,
                           size_t *out);

// Begins a search for the path between two places, with the query's current snapshot and filter.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
NtStatus nt_search_new(struct NtQuery query,
                       struct NtPlace start,
                       struct NtPlace goal,
                       struct NtSearch *out);

// Visits at most `polygons` more polygons; `is_done` gets 1 once the path is found, else 0.
// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread.
NtStatus nt_search_update(struct NtSearch search, uint32_t polygons, uint8_t *is_done);

// Makes the path of a finished search the last answer of a query. nt_query_path would have found the same
// path.
// Returns NT_OK, NT_NOT_FOUND (the search is not done), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
NtStatus nt_search_finish(struct NtSearch search,
                          struct NtQuery query,
                          struct NtPath *out);

// Frees a search.
// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
NtStatus nt_search_free(struct NtSearch search);

// The error message of this thread's last call that did not return NT_OK: the problem, its place, and the
// remedy. UTF-8, never NULL, empty before the first such call. Valid until the next such call of the same
// thread.
const char *nt_last_error(void);

// The version of the library, as `0.1.0`. Any thread.
const char *nt_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NAVTILE_H */
