// The C interface of navtile, as it is: see include/navtile.h for the rules of every call, and
// Navtile.cs for the classes on top of it.
//
// Made from crates/capi by cargo xtask capi; do not edit.

using System;
using System.Runtime.InteropServices;

namespace Navtile
{
    // States of an agent.
    public enum NtAgentState : uint
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
    }

    // Kinds of points of a route.
    public enum NtCornerKind : uint
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
    }

    // The kinds of events.
    public enum NtEventKind : uint
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
    }

    // The reasons why an agent is held up.
    public enum NtHoldUpCause : uint
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
    }

    // The kinds of lines of nt_mesh_lines.
    public enum NtLineKind : uint
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
    }

    // Results of a path search.
    public enum NtPathEnd : uint
    {
        // The path reaches its goal.
        NT_PATH_COMPLETE = 0,
        // The search ran out of nodes.
        NT_PATH_OUT_OF_NODES = 1,
        // The goal is unreachable; the path leads as near to it as possible.
        NT_PATH_UNREACHABLE = 2,
        // The filter excludes the goal; the path leads as near to it as possible.
        NT_PATH_GOAL_EXCLUDED = 3,
    }

    // The result of a call: 0 if it succeeded, a positive number if there is no answer, a negative number for an
    // error. nt_last_error has the error message.
    public enum NtStatus : int
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
    }

    // Results of a straight walk.
    public enum NtWalkEnd : uint
    {
        NT_WALK_GOAL = 0,
        NT_WALK_WALL = 1,
        NT_WALK_OUT_OF_NODES = 2,
    }

    // Properties of an agent. Before changing them, set them by nt_agent_params_init, which makes it a walking
    // person.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtAgentParams
    {
        // Size of this struct, bytes.
        public uint size;
        // The number of a filter, as nt_crowd_add_filter gives it; 0 lets everything pass.
        public uint filter;
        // Metres.
        public float radius;
        public float height;
        // Metres a second, and a second squared.
        public float max_speed;
        public float max_acceleration;
        // Radians a second; infinity to turn at once.
        public float turn_rate;
        // The agent has arrived when it is this near to its target, metres.
        public float stopping_distance;
        // Avoidance looks ahead this far, seconds.
        public float horizon;
        // Speed along off-mesh links, metres a second; 0 if the caller moves the agent and calls
        // nt_crowd_finish_link.
        public float link_speed;
        // NT_AVOID_NONE or NT_AVOID_ORCA.
        public uint avoidance;
        // Agents give way to those of higher priority, 0 to 255.
        public uint priority;
        // The layers that the agent is on, and the layers of the agents that it avoids: one bit for each layer.
        public uint layers;
        public uint avoids;
        // 1 if the agent slows down before its target, so that it stops there.
        public uint brakes;
        // NT_FLOW_FREE or NT_FLOW_PEOPLE.
        public uint flow;
        // NT_GROUND_LOSS_STEP_OUT, NT_GROUND_LOSS_WAIT, NT_GROUND_LOSS_FALL or NT_GROUND_LOSS_REMOVE.
        public uint ground_loss;
        // The greatest depth of a fall, metres.
        public float fall_height;
    }

    // An agent as it is after a step.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtAgentView
    {
        public ulong agent;
        public NtPlace place;
        // Metres a second.
        public NtVec3 velocity;
        // A horizontal unit vector.
        public NtVec3 heading;
        public NtAgentState state;
        // The off-mesh link that the agent waits for or is using; 0 without one.
        public ulong link;
    }

    // The result of swapping tiles in a mesh.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtApplied
    {
        public uint added;
        public uint replaced;
        public uint removed;
        // Polygons whose flags or area had been changed at run time, and that kept them because the polygons
        // still exist.
        public uint kept;
        // Polygons with such changes that no longer exist.
        public uint lost;
        // Islands that were joined, read by nt_cache_joined, and that were parted, read by nt_cache_parted.
        public uint joined;
        public uint parted;
    }

    // A level with its settings, ready to bake. Freed by nt_bake_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtBake
    {
        public ulong id;
    }

    // Bytes that the library made. Freed by nt_bytes_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtBytes
    {
        public ulong id;
    }

    // A level with obstacles that are added, moved and removed. Freed by nt_cache_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCache
    {
        public ulong id;
    }

    // A cluster of tiles: its place in the grid of clusters.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCluster
    {
        public int x;
        public int z;
    }

    // A column (x) and row (z) of the grid of tiles, which may have tiles of several layers.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtColumn
    {
        public int x;
        public int z;
    }

    // A point of a route, with the polygon or link that the route enters there.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCorner
    {
        public NtVec3 point;
        public NtCornerKind kind;
        public ulong polygon;
    }

    // The path that one character keeps while it walks. Freed by nt_corridor_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCorridor
    {
        public ulong id;
    }

    // Characters that avoid each other while they walk. Freed by nt_crowd_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCrowd
    {
        public ulong id;
    }

    // Settings of a crowd. Set them by nt_crowd_settings_init before you change them.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCrowdSettings
    {
        // Size of this struct, bytes.
        public uint size;
        // Number of polygons that all path searches together may visit in a step. At least 1.
        public uint search_nodes;
        // Avoidance is computed for each agent in every n-th step. At least 1.
        public uint avoid_every;
        // Agents far from all points of interest are steered in every n-th step, and walk straight in between. 1
        // to 60.
        public uint far_every;
        // An agent that has made no progress towards its target for this long is stuck, seconds.
        public float stuck_after;
        // Number of nodes that the search for a field may use, about three for each polygon that it reaches. At
        // least 1.
        public uint field_nodes;
        // Length of the detour that agents accept around a passage that a body holds, metres: a body that has
        // kept still for a second and does not step aside, such as a kinematic agent in a doorway. At 0 paths
        // ignore bodies.
        public float held_detour;
    }

    // A moving disc that agents avoid and the caller moves: a cart, a player.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtDisc
    {
        // Centre of the disc, at its bottom.
        public NtVec3 position;
        // Metres a second.
        public NtVec3 velocity;
        // Metres, 0 to 100.
        public float radius;
        public float height;
        // The layers that the disc is on: one bit for each.
        public uint layers;
    }

    // Something that happened to an agent.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtEvent
    {
        public ulong agent;
        public NtEventKind kind;
        // The link that was entered or left; 0 for other events.
        public ulong link;
    }

    // An exit that agents of a crowd may choose.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtExit
    {
        // Behind the exit: an agent is through when it arrives there. Agents that have arrived are around it.
        public NtPlace place;
        // Number of agents that the exit lets through per second, 0.001 to 1000: for people, about 1.3 for each
        // metre of its width.
        public float rate;
    }

    // The bounds of the cost of the cheapest far path: metres, if a metre costs 1.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtFarBounds
    {
        public double lower;
        // The cost of the plan.
        public double upper;
    }

    // Follows a far path, leg by leg. Freed by nt_far_route_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtFarRoute
    {
        public ulong id;
    }

    // A place of a plan, and the tiles of the leg to it.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtFarStop
    {
        // World metres.
        public fixed double point[3];
        // The first column (x) and row (z) of the tiles that the leg to it leads over.
        public int first_x;
        public int first_z;
        // The number of these columns, and of rows.
        public uint columns;
    }

    // The costs of the paths from everywhere to the nearest of several goals. Freed by nt_field_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtField
    {
        public ulong id;
    }

    // The next step from a place to the nearest goal of a field.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtFieldStep
    {
        // The cost of the whole path.
        public float cost;
        // A horizontal unit vector; zeros at a goal, and at the start of an off-mesh link.
        public NtVec3 direction;
        // The next point, which can be reached in a straight line.
        public NtVec3 point;
        // NT_CORNER_TURN, NT_CORNER_CROSSING, NT_CORNER_LINK_START, or NT_CORNER_END for a goal.
        public NtCornerKind kind;
        // The off-mesh link that starts there; 0 if none.
        public ulong link;
    }

    // A file of a level: its content, and its name with extension, which other files refer to.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtFile
    {
        public byte* name;
        public byte* bytes;
        public UIntPtr length;
    }

    // The walkable ground and its cost per metre. Freed by nt_filter_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtFilter
    {
        public ulong id;
    }

    // A group as it is now. Its followers are read by nt_crowd_followers.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtGroupView
    {
        public ulong leader;
        public uint followers;
        // NT_FORMATION_LINE and so on.
        public uint formation;
        // Distance between neighbours, metres.
        public float spacing;
    }

    // Plans far paths over clusters of a world's tiles. Freed by nt_hierarchy_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtHierarchy
    {
        public ulong id;
    }

    // The reason why an agent is held up.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtHoldUp
    {
        // The agent that it waits for; 0 if it waits for something else, such as a disc, or for nobody.
        public ulong by;
        public NtHoldUpCause cause;
    }

    // A part of an island that was joined with others, or parted from them.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtIslandPart
    {
        // A polygon on the part, of the mesh as it is now.
        public ulong polygon;
        // Parts of the same island have the same number, from 0.
        public uint island;
    }

    // A line to draw, from one point to another.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtLine
    {
        public NtVec3 from;
        public NtVec3 to;
        public NtLineKind kind;
    }

    // The next off-mesh link on a character's path.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtLinkAhead
    {
        public ulong link;
        // The places where the link is entered and left.
        public NtPlace start;
        public NtPlace end;
        // Distance from the character to the start as seen from above, metres.
        public float distance;
        // 1 if the character is on the polygon that the link starts on, and so can walk straight to it.
        public byte is_on_start_polygon;
    }

    // A mesh: tiles with their links. Freed by nt_mesh_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtMesh
    {
        public ulong id;
    }

    // Figures of a mesh.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtMeshInfo
    {
        // The point that positions are relative to, world metres.
        public fixed double anchor[3];
        // Lowest and highest corner of the box around all tiles; zeros without tiles.
        public NtVec3 low;
        public NtVec3 high;
        // The agent that the mesh was baked for, metres and degrees; zeros without tiles.
        public float agent_radius;
        public float agent_height;
        public float agent_climb;
        public float agent_slope;
        public uint tiles;
        public uint polygons;
    }

    // The ground nearest to a position.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtNearest
    {
        public NtPlace place;
        // Distance from the position to the place, metres, and as seen from above.
        public float distance;
        public float horizontal_distance;
        // 1 if the place is straight below or above the position.
        public byte is_over;
    }

    // An obstacle of a level. Set it by nt_obstacle_init, which makes it a solid box of one metre at the world's
    // origin, before you change it.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtObstacleParams
    {
        // Size of this struct, bytes.
        public uint size;
        // NT_BODY_BOX, NT_BODY_CYLINDER or NT_BODY_CAPSULE. Hulls and meshes have calls of their own that do not
        // read this.
        public uint body;
        // NT_EFFECT_SOLID, NT_EFFECT_BLOCKS, NT_EFFECT_MARKS or NT_EFFECT_REMOVES.
        public uint effect;
        // 0 to 255; 63 is the library's default ground. Read by NT_EFFECT_SOLID and NT_EFFECT_MARKS.
        public uint area;
        // 1 to extend the obstacle by the agent's radius. Read by NT_EFFECT_BLOCKS and NT_EFFECT_MARKS.
        public uint inflate;
        // 0.
        public uint reserved;
        // Metres.
        public fixed double extents[3];
        public NtTransform place;
    }

    // An off-mesh link: a ladder, a jump, a door.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtOffMeshLink
    {
        // The number that the level's author gave to the link.
        public ulong user_id;
        // The link's ends on the ground, or the midpoints of its edges if it leads between edges; zeros while
        // one end has no ground.
        public NtPlace start;
        public NtPlace end;
        // From the midpoint of either edge to its end, metres. The link can be crossed anywhere along the edges.
        // Zeros if it leads between points.
        public NtVec3 half_edge;
        public uint flags;
        // 1 to 255.
        public byte area;
        // 1 if the link can also be taken from end to start.
        public byte both_ways;
        // 1 if both ends are on ground.
        public byte is_joined;
    }

    // A path. Its polygons are read by nt_query_polygons, its corners by nt_query_corners.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtPath
    {
        public NtPathEnd end;
        public uint polygons;
        // The end of the path: the goal, or the nearest point of the last polygon.
        public NtVec3 last_point;
        // Estimated cost of the path.
        public double cost;
    }

    // A place on a mesh: a polygon, and a point on it.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtPlace
    {
        public ulong polygon;
        public NtVec3 point;
    }

    // A polygon, or an off-mesh link.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtPolygonInfo
    {
        public uint flags;
        // 1 to 255.
        public byte area;
        // 1 for an off-mesh link, 0 for a polygon.
        public byte is_off_mesh_link;
        // Corners of the polygon; 0 for a link.
        public ushort corners;
    }

    // A connection between two clusters, which can be closed. It keeps its numbers while the tiles at its ends
    // stay as they are, also from one run to the next, so that a game can save it. It has no padding.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtPortal
    {
        // NT_PORTAL_BORDER or NT_PORTAL_LINK.
        public uint kind;
        // The middle of a part of a border: steps along the border; 0 for a link.
        public uint along;
        // Its height, on the lattice of the bake; 0 for a link.
        public long height;
        // The clusters that it connects.
        public NtCluster from;
        public NtCluster to;
        // The start and the end of a link on the lattice of the bake, x, height and z; zeros for a border.
        public fixed long start[3];
        public fixed long end[3];
    }

    // The ends of a portal, for drawing: of a part of a border, or of an off-mesh link.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtPortalEnds
    {
        // World metres.
        public fixed double start[3];
        public fixed double end[3];
    }

    // Queries of a mesh, with their memory: one for each thread is best. Freed by nt_query_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtQuery
    {
        public ulong id;
    }

    // A straight walk. Its polygons are read by nt_query_polygons.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtRay
    {
        public NtWalkEnd end;
        // The free part of the walk, 0 to 1.
        public float fraction;
        // The end of the walk: the point and its polygon.
        public NtPlace place;
        // A horizontal unit vector away from the wall; zeros without a wall.
        public NtVec3 normal;
    }

    // A route. Its points and polygons are read by nt_query_points and nt_query_polygons.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtRoute
    {
        public NtPathEnd end;
        // Number of points to walk along; the first is the start.
        public uint points;
        public uint polygons;
        // Sum of the distances between the points, metres, and as seen from above.
        public float length;
        public float length_from_above;
        // Distance from start and goal to their places on the mesh, metres.
        public float start_moved;
        public float goal_moved;
        public double cost;
    }

    // Options of nt_query_route. Set them by nt_route_options_init before you change them.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtRouteOptions
    {
        // Size of this struct, bytes.
        public uint size;
        // NT_OPTIMALITY_FAST, NT_OPTIMALITY_NEAR or NT_OPTIMALITY_SHORTEST.
        public uint optimality;
        // Maximum distance of start and goal from the mesh along each axis, metres. The default is 2, 4 and 2.
        public NtVec3 reach;
        // 1 for a point at each edge that the route crosses, so that the points follow slopes more closely.
        public uint crossings;
    }

    // A path search in slices. Freed by nt_search_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSearch
    {
        public ulong id;
    }

    // A segment of a polygon's outline.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSegment
    {
        public NtVec3 from;
        public NtVec3 to;
        // The polygon on the other side; 0 for a wall.
        public ulong beyond;
    }

    // A move along the surface. Its polygons are read by nt_query_polygons.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSlide
    {
        public NtWalkEnd end;
        public NtPlace place;
    }

    // The slot of a follower in its group.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSlot
    {
        // The position that the agent is sent to: the slot, or a place in the leader's track if there is no room
        // for the slot.
        public NtVec3 position;
        // Number of the slot: 0 for the slot nearest to the leader.
        public uint number;
        // 1 if the agent follows the leader's track.
        public byte is_folded;
    }

    // The rule of an obstacle that has an effect only while it keeps still: see nt_cache_set_stationary.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtStationary
    {
        // Time without a move after which the obstacle has its effect again, seconds, 0 or more.
        public double time_to_stationary;
        // A move counts if it brings a corner of the obstacle at least this far from its last place that
        // counted, metres, 0 or more.
        public double move_threshold;
    }

    // The coordinate of a tile.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtTileCoord
    {
        public int x;
        public int z;
        // Distinguishes several tiles at one place.
        public int layer;
    }

    // A transform from an obstacle's own space to the world, metres: three rows of four, x, y and z. The last
    // number of each row is added; it is the position of the obstacle's origin.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtTransform
    {
        public fixed double rows[12];
    }

    // The results of an update.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtUpdate
    {
        // Tiles that changed.
        public uint changed;
        // Tiles that were baked.
        public uint baked;
        // Tiles that are the same as in the file again, and were taken from it.
        public uint from_file;
        // Tiles that could not be baked. They keep their state until an obstacle in them changes: see
        // nt_cache_failures.
        public uint failed;
        // Tiles that still wait.
        public uint left;
    }

    // A point or a direction, metres from the anchor of its mesh: x and z in the plane, y upwards.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtVec3
    {
        public float x;
        public float y;
        public float z;
    }

    // The wall nearest to a place.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtWall
    {
        // As seen from above, metres.
        public float distance;
        public NtVec3 point;
        // From the wall's point to the place, a horizontal unit vector.
        public NtVec3 normal;
        // The polygon that the wall bounds.
        public ulong polygon;
    }

    // Called repeatedly during a bake with the finished part, 0 to 1. Threads of the library's pool call it,
    // several at once. Returns 0 to cancel the bake.
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int NtProgress(void* context, float part);

    public static unsafe class Native
    {
        const string Library = "navtile_c";

        // No avoidance of other agents.
        public const uint NT_AVOID_NONE = 0;

        // By reciprocal velocity obstacles.
        public const uint NT_AVOID_ORCA = 1;

        // An agent walks at its full speed as far as others leave room.
        public const uint NT_FLOW_FREE = 0;

        // An agent walks slower the more others are ahead of it, as people do.
        public const uint NT_FLOW_PEOPLE = 1;

        // If the ground under the agent is removed, it walks to the nearest remaining ground.
        public const uint NT_GROUND_LOSS_STEP_OUT = 0;

        // It keeps still until there is ground at its place again.
        public const uint NT_GROUND_LOSS_WAIT = 1;

        // It falls to the ground below it, at most `fall_height` deep.
        public const uint NT_GROUND_LOSS_FALL = 2;

        // It is removed from the crowd.
        public const uint NT_GROUND_LOSS_REMOVE = 3;

        // Side by side, the leader in the middle.
        public const uint NT_FORMATION_LINE = 0;

        // One behind another.
        public const uint NT_FORMATION_COLUMN = 1;

        // A wedge with the leader at its tip.
        public const uint NT_FORMATION_WEDGE = 2;

        // Rows of the same length, the leader in the middle of the first.
        public const uint NT_FORMATION_BOX = 3;

        // Slots that the caller sets by nt_crowd_set_slots.
        public const uint NT_FORMATION_OWN = 4;

        // A box of the extents x, y and z. Its origin is the centre of its bottom.
        public const uint NT_BODY_BOX = 0;

        // An upright cylinder: the first extent is its radius, the second its height. Its origin is the centre of
        // its bottom.
        public const uint NT_BODY_CYLINDER = 1;

        // An upright capsule: the first extent is its radius, the second its height, at least twice the radius. Its
        // origin is the centre of its bottom.
        public const uint NT_BODY_CAPSULE = 2;

        // A solid: agents can walk on its flat parts and under it. `area` is the area of its top, 0 if the top is
        // not walkable.
        public const uint NT_EFFECT_SOLID = 0;

        // Removes the ground on which an agent's body would touch the obstacle. Costs less than a solid obstacle,
        // and adds no ground.
        public const uint NT_EFFECT_BLOCKS = 1;

        // The ground within it has the area `area`.
        public const uint NT_EFFECT_MARKS = 2;

        // Removes the level within the obstacle, from one cell above its bottom.
        public const uint NT_EFFECT_REMOVES = 3;

        // A part of the open border between two clusters, up to 16 metres of it.
        public const uint NT_PORTAL_BORDER = 0;

        // An off-mesh link from one cluster to another.
        public const uint NT_PORTAL_LINK = 1;

        // One path to each polygon is searched: a route is little longer than the shortest. The default.
        public const uint NT_OPTIMALITY_FAST = 0;

        // Several paths to each polygon are searched: almost always the shortest route as seen from above, if all
        // areas cost the same. Takes about twice as long.
        public const uint NT_OPTIMALITY_NEAR = 1;

        // The exact shortest route as seen from above. Refused if areas differ in cost.
        public const uint NT_OPTIMALITY_SHORTEST = 2;

        // Sets the properties to those of a walking person.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_agent_params_init(NtAgentParams* @params);

        // Number of files that nt_bake_run makes: one for each agent of the settings.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_agents(NtBake bake, UIntPtr* @out);

        // Cancels a running nt_bake_run or nt_bake_dynamic from another thread. If there are several runs, the last
        // one is cancelled.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_cancel(NtBake bake);

        // Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open, as the command
        // line does with --dynamic. `progress` as in nt_bake_run.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; it works
        // on the threads of the library's pool.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_dynamic(NtBake bake, NtProgress progress, void* context, NtBytes* @out);

        // Frees a bake.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_free(NtBake bake);

        // Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and
        // `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
        // `settings` as in nt_bake_new.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_from_triangles(float* vertices, UIntPtr vertex_count, uint* triangles, UIntPtr triangle_count, byte* settings, NtBake* @out);

        // Reads a level and its settings from OBJ, glTF, GLB or a geometry set, with the files that they refer to.
        // All files form one level. `settings` is the text of a settings file, or NULL for the library's defaults.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error lists every problem, one per line). Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_new(NtFile* files, UIntPtr count, byte* settings, NtBake* @out);

        // The finished part of nt_bake_run or nt_bake_dynamic, 0 to 1, for another thread. If there are several
        // runs, it is that of the last one.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_progress(NtBake bake, float* @out);

        // Bakes the level for all agents on the threads of the library's pool. Writes an array of `count` handles of
        // .navtile files, in the order of the settings' agents; nt_bake_agents returns the count. The bytes equal
        // those of the command line. `progress` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several
        // bakes at once share the pool.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_run(NtBake bake, NtProgress progress, void* context, NtBytes* @out, UIntPtr count);

        // Writes the address and the length of the bytes. They are valid until nt_bytes_free.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bytes_data(NtBytes bytes, byte** data, UIntPtr* length);

        // Frees bytes.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bytes_free(NtBytes bytes);

        // Adds an obstacle. The tiles that it touches wait for nt_cache_update; `out` gets the obstacle's handle.
        // Positions are metres in the world, not from an anchor. NULL for a box of one metre at the world's origin.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add(NtCache cache, NtObstacleParams* @params, ulong* @out);

        // Adds the convex hull of `count` points as an obstacle: 4 to 256 points of three numbers in the obstacle's
        // own space. Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add_hull(NtCache cache, NtObstacleParams* @params, double* points, UIntPtr count, ulong* @out);

        // Adds a mesh as an obstacle. Only its surface counts: `vertex_count` points of three numbers, and
        // `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add_mesh(NtCache cache, NtObstacleParams* @params, double* vertices, UIntPtr vertex_count, uint* triangles, UIntPtr triangle_count, ulong* @out);

        // Counts time for obstacles that have an effect only while they keep still: call it in each frame.
        // Returns NT_OK, NT_ERROR_ARGUMENT (a time that is negative or NaN), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_advance(NtCache cache, double seconds);

        // Replaces the tiles that changed since the last call, all at once, in the mesh that nt_cache_mesh made.
        // Polygons that still exist keep the flags and areas that were set at run time. Queries keep their snapshot
        // until nt_query_update. `out` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another level; it does not change), NT_ERROR_HANDLE,
        // NT_ERROR_LIMIT. Any thread; other calls on the cache and the mesh wait for it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_apply(NtCache cache, NtMesh mesh, NtApplied* @out);

        // Writes the tiles that the last update could not bake as a text: one line for each, with the reason.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_failures(NtCache cache, NtBytes* @out);

        // Frees a cache. Meshes that were made from it stay.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_free(NtCache cache);

        // Opens a file for a cache from its bytes, which are copied.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_from_bytes(byte* bytes, UIntPtr length, NtCache* @out);

        // `out` gets 1 if an obstacle moves and has no effect until it has kept still, otherwise 0.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_is_moving(NtCache cache, ulong obstacle, byte* @out);

        // Writes the islands that the last nt_cache_apply joined, each with a polygon on its ground, into an array
        // of `capacity` parts.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_joined(NtCache cache, NtIslandPart* @out, UIntPtr capacity, UIntPtr* count);

        // Makes a mesh of the current state of all tiles; `anchor` as in nt_mesh_new. nt_cache_apply brings later
        // changes into it.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_mesh(NtCache cache, double* anchor, NtMesh* @out);

        // Moves an obstacle. `counts` gets 1, or 0 if the move is below the movement threshold and the obstacle
        // remains at its last applied place. `counts` may be NULL. Returns NT_OK, NT_ERROR_ARGUMENT (no such
        // obstacle, or a place that is too far away; nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_move(NtCache cache, ulong obstacle, NtTransform* place, byte* counts);

        // Writes the handles of all obstacles into an array of `capacity` handles.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_obstacles(NtCache cache, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Opens a file that was baked with --dynamic or by nt_bake_dynamic. The cache has no obstacles yet.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_open(byte* path, NtCache* @out);

        // Writes the islands that the last nt_cache_apply parted, with a polygon on each part, into an array of
        // `capacity` parts. A closed door parts an island, for example.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_parted(NtCache cache, NtIslandPart* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the last applied place of an obstacle, which saved games keep, and the place of its last
        // move. Either may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_places(NtCache cache, ulong obstacle, NtTransform* applied, NtTransform* moved_to);

        // Removes an obstacle.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_remove(NtCache cache, ulong obstacle);

        // Sets the places near which tiles are baked first: `count` points of three numbers, metres in the world.
        // Without them, the tiles that have waited longest are baked first.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_focus(NtCache cache, double* places, UIntPtr count);

        // Sets the memory that unpacked tiles may take, bytes: 32 MiB by default. At 0 every bake of a tile unpacks
        // it from the file.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_held_limit(NtCache cache, ulong bytes);

        // Sets the distance that a corner of an obstacle must move for the move to count, metres; at 0 every move
        // counts. Smaller moves add up. The default is half the smaller of cell size and cell height.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_movement_threshold(NtCache cache, double metres);

        // Gives an obstacle an effect only while it keeps still; NULL for an effect at every place. When it begins
        // to move, it vanishes from its tiles, and no tile is baked for its moves until it has kept still for the
        // time of the rule. nt_cache_advance counts the time.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle, or a number that is negative or NaN), NT_ERROR_HANDLE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_stationary(NtCache cache, ulong obstacle, NtStationary* rule);

        // Bakes waiting tiles, the most urgent first: at most `tiles`, which are the same on every machine, or for
        // about `seconds`, or all if both are 0. Only nt_cache_apply changes meshes.
        // Returns NT_OK, NT_ERROR_ARGUMENT (both are given, or the seconds are not a valid duration; or there is no
        // ground at the places that everything must be reachable from: the tiles continue to wait), NT_ERROR_HANDLE,
        // NT_ERROR_DATA. Any thread; it works on the threads of the library's pool, and other calls on the cache
        // wait for it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_update(NtCache cache, UIntPtr tiles, double seconds, NtUpdate* @out);

        // Number of tiles that wait to be baked again.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_waiting(NtCache cache, UIntPtr* @out);

        // Writes the .navtile file of the level with its current obstacles. A bake with these obstacles writes the
        // same bytes. Returns NT_OK, NT_ERROR_ARGUMENT (tiles wait), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_write(NtCache cache, NtBytes* @out);

        // Writes the next corners to steer to, nearest first, at most `capacity` of them. There are no corners if
        // the character is at its target.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_corners(NtCorridor corridor, NtQuery query, NtCorner* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the places of the character and of its target. Either may be NULL.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_ends(NtCorridor corridor, NtPlace* position, NtPlace* target);

        // Puts the character at a place by force, for example after it was pushed, and keeps the part of its path
        // that is still valid.
        // Returns NT_OK, NT_NOT_FOUND (nothing could be kept: find a new path), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_fix_start(NtCorridor corridor, NtQuery query, NtPlace at);

        // Frees a corridor.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_free(NtCorridor corridor);

        // Writes 1 if the next `lookahead` polygons of the path are still in the query's snapshot and pass its
        // filter, or 0 if the path needs nt_corridor_repair.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_is_valid(NtCorridor corridor, NtQuery query, UIntPtr lookahead, byte* @out);

        // Writes the next off-mesh link on the path of a character.
        // Returns NT_OK, NT_NOT_FOUND (there is no link ahead, or the mesh no longer has it), NT_ERROR_ARGUMENT,
        // NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_link_ahead(NtCorridor corridor, NtQuery query, NtLinkAhead* @out);

        // Moves the character towards a point along the surface, sliding along walls. The path follows.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move(NtCorridor corridor, NtQuery query, NtVec3 to, NtWalkEnd* end);

        // Moves the character over the next off-mesh link, once it is near enough; `out` gets the far end, and may
        // be NULL.
        // Returns NT_OK, NT_NOT_FOUND (the next link is another one, or there is no link; nothing changes),
        // NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move_over_link(NtCorridor corridor, NtQuery query, ulong link, NtPlace* @out);

        // Moves the target towards a point along the surface, sliding along walls: a chase without a search.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move_target(NtCorridor corridor, NtQuery query, NtVec3 to);

        // Makes the corridor of a character at a place. It has no target yet.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_new(NtPlace at, NtCorridor* @out);

        // Shortens the path. It leads straight to `next`, a corner ahead within `reach` metres, if there is no
        // obstacle, and a search of 32 polygons around the character looks for a shorter one. An occasional call is
        // enough.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_optimise(NtCorridor corridor, NtQuery query, NtVec3 next, float reach);

        // Writes the polygons and off-mesh links from the character to its target into an array of `capacity`
        // references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_polygons(NtCorridor corridor, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Cuts the path off where the mesh no longer leads along it, after nt_query_update. `safe` is a place for
        // the character if the polygon under it is gone.
        // Returns NT_OK (the whole path remains), NT_NOT_FOUND (it was cut: find a new path), NT_ERROR_ARGUMENT,
        // NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_repair(NtCorridor corridor, NtQuery query, NtPlace safe);

        // Puts the character at a place, without a target.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_reset(NtCorridor corridor, NtPlace at);

        // Takes the last route of the query (nt_query_route) as the corridor's path; `target` is the end of the
        // route. The character may have moved along the route since.
        // Returns NT_OK, NT_NOT_FOUND (the route does not cross the polygon under the character: find a new one),
        // NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_set_path(NtCorridor corridor, NtQuery query, NtVec3 target);

        // Adds an agent on the ground nearest to a position; NULL for a walking person.
        // Returns NT_OK, NT_ERROR_ARGUMENT (a property out of its range, or no ground near), NT_ERROR_HANDLE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add(NtCrowd crowd, NtMesh mesh, NtVec3 position, NtAgentParams* @params, ulong* @out);

        // Adds 1 to 64 exits that agents can choose among, each with a field. An agent walks to the exit that it
        // expects to pass first, by its path and by the agents before it; it may change its mind once a second.
        // `filter` is the agents' filter, as in NtAgentParams.
        // Returns NT_OK, NT_ERROR_ARGUMENT (a count or a rate out of its range), NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_exits(NtCrowd crowd, NtMesh mesh, NtExit* exits, UIntPtr count, uint filter, ulong* @out);

        // Adds a field that agents can follow along the cheapest path to the nearest of `count` goals. One search
        // serves any number of agents. It runs at once, and again after a change of the mesh that the field reaches.
        // `filter` is the agents' filter, as in NtAgentParams. There is no path from places whose cost is above
        // `bound`, which may be infinite.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_field(NtCrowd crowd, NtMesh mesh, NtPlace* goals, UIntPtr count, float bound, uint filter, ulong* @out);

        // Adds a copy of a filter for the field `filter` of agents' properties. The first filter has the number 1.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there are 255), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_filter(NtCrowd crowd, NtFilter filter, uint* @out);

        // Makes a group. The followers keep their slots around the leader. The leader walks at the pace of the
        // slowest follower, and waits for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN,
        // NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance between neighbours, metres. An agent can
        // be in one group; up to 255 can follow one leader.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or in a group already), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_group(NtCrowd crowd, ulong leader, ulong* followers, UIntPtr count, uint form, float spacing, ulong* @out);

        // Writes one agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_agent(NtCrowd crowd, ulong agent, NtAgentView* @out);

        // Writes all agents, in the order of their slots in the crowd, into an array of `capacity` views.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_agents(NtCrowd crowd, NtAgentView* @out, UIntPtr capacity, UIntPtr* count);

        // Carries an agent on something that moves off the mesh, such as a raft: puts it at a position, with a
        // heading; zeros leave the heading as it is. Call it for all agents on the platform whenever the platform
        // moves. A carried agent does not walk, and nobody avoids it. nt_crowd_place ends the ride.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or not finite), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_carry(NtCrowd crowd, ulong agent, NtVec3 position, NtVec3 heading);

        // Lets an agent follow another one wherever it moves.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_chase(NtCrowd crowd, ulong agent, ulong other);

        // Writes the known polygons and off-mesh links from an agent to its target into an array of `capacity`
        // references, for debug views.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_corridor(NtCrowd crowd, ulong agent, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the events of the last step, in the order of the agents, into an array of `capacity` events.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_events(NtCrowd crowd, NtEvent* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the exit that an agent has chosen, as an index into the exits of nt_crowd_add_exits.
        // Returns NT_OK, NT_NOT_FOUND (no choice yet, no path to any, or the agent was not sent to exits),
        // NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_exit_of(NtCrowd crowd, ulong agent, uint* @out);

        // Writes the cost of the path from a place to the nearest goal of a field, on the mesh of the last step or
        // of nt_crowd_add_field.
        // Returns NT_OK, NT_NOT_FOUND (no path to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_field_cost(NtCrowd crowd, NtMesh mesh, ulong field, NtPlace from, float* @out);

        // Moves an agent with a link_speed of 0 to the far end of its off-mesh link, after its animation has ended.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or on no link), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_finish_link(NtCrowd crowd, ulong agent);

        // Sends an agent to one of several exits, which it chooses.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or exits, or exits with another filter), NT_ERROR_HANDLE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_follow_exits(NtCrowd crowd, ulong agent, ulong exits);

        // Lets an agent follow a field with the agent's own filter to the nearest goal.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or a field with another filter),
        // NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_follow_field(NtCrowd crowd, ulong agent, ulong field);

        // Sends an agent back to its slot in its group, after it was sent elsewhere.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it is not a follower in a group), NT_ERROR_HANDLE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_follow_group(NtCrowd crowd, ulong agent, ulong group);

        // Writes the followers of a group, in the order in which they joined, into an array of `capacity` handles.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_followers(NtCrowd crowd, ulong group, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a crowd with its agents.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_free(NtCrowd crowd);

        // Writes the current state of a group.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_group(NtCrowd crowd, ulong group, NtGroupView* @out);

        // Writes the group of an agent.
        // Returns NT_OK, NT_NOT_FOUND (it is in no group), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_group_of(NtCrowd crowd, ulong agent, ulong* @out);

        // Writes a hash of all positions and velocities. A run has the same hash on every machine.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_hash(NtCrowd crowd, ulong* @out);

        // Writes the reason why an agent was much slower in the last step than it wanted to be. Costs about as much
        // as a search for neighbours.
        // Returns NT_OK, NT_NOT_FOUND (nothing holds it up, or it does not want to walk), NT_ERROR_ARGUMENT (no such
        // agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_hold_up(NtCrowd crowd, ulong agent, NtHoldUp* @out);

        // Adds a follower to a group.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_join(NtCrowd crowd, ulong group, ulong agent);

        // Takes an agent out of its group, if it is in one. The agent stops. If the agent was the leader, the
        // follower in the first slot replaces it.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_leave_group(NtCrowd crowd, ulong agent);

        // Makes a crowd without agents; NULL for the library's default settings. Equal calls give equal positions,
        // bit for bit, on every machine and with any number of threads.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_new(NtCrowdSettings* settings, NtCrowd* @out);

        // The properties of an agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_params(NtCrowd crowd, ulong agent, NtAgentParams* @out);

        // Puts an agent on the ground nearest to a position, with a velocity, metres a second: a teleport, the step
        // of a kinematic agent, or the end of a ride.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or no ground near), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_place(NtCrowd crowd, NtMesh mesh, ulong agent, NtVec3 position, NtVec3 velocity);

        // Removes an agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove(NtCrowd crowd, ulong agent);

        // Removes exits. Agents that were sent there have no target then.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such exits), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove_exits(NtCrowd crowd, ulong exits);

        // Removes a field. Agents that follow it have no target then.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove_field(NtCrowd crowd, ulong field);

        // Dissolves a group. Its followers have no target then.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove_group(NtCrowd crowd, ulong group);

        // Continues from bytes of nt_crowd_save, bit for bit. The crowd must have the same filters, and the mesh
        // must be the same.
        // Returns NT_OK, NT_ERROR_ARGUMENT (the bytes are not those of a crowd; nothing changes), NT_ERROR_HANDLE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_restore(NtCrowd crowd, NtMesh mesh, byte* bytes, UIntPtr length);

        // Saves the crowd as bytes for nt_crowd_restore, for saved games or rollback.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_save(NtCrowd crowd, NtBytes* @out);

        // Sends an agent to a place on the mesh, for example from nt_query_nearest.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_send(NtCrowd crowd, ulong agent, NtPlace to);

        // Sends the leader of a group to a place. Its followers come with it.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_send_group(NtCrowd crowd, ulong group, NtPlace to);

        // Sets the speed of agents with a filter in an area, such as stairs: shares of their own speed, 0.01 to 1,
        // if their path leads up, or is level, and if it leads down. Filter 0 lets everything pass.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such filter, or a share out of its range), NT_ERROR_HANDLE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_area_speed(NtCrowd crowd, uint filter, byte area, float up, float down);

        // Replaces all discs by `count` others for the next steps.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_discs(NtCrowd crowd, NtDisc* discs, UIntPtr count);

        // Changes the formation of a group, and assigns each slot to a follower near it. `form` and `spacing` as in
        // nt_crowd_add_group.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_formation(NtCrowd crowd, ulong group, uint form, float spacing);

        // Sets the points of interest. Agents farther than `radius` from all of them are steered less often. Without
        // points, all agents are steered in every step.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_interest(NtCrowd crowd, NtVec3* points, UIntPtr count, float radius);

        // With 1, the caller moves an agent, by nt_crowd_place; with 0, the crowd does. Other agents avoid a
        // kinematic agent; it avoids nobody.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_kinematic(NtCrowd crowd, ulong agent, byte is_kinematic);

        // Changes the properties of an agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (out of range, or no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_params(NtCrowd crowd, ulong agent, NtAgentParams* @params);

        // Sets custom slots for a group: `count` pairs of metres from the leader, to the right of its direction and
        // along it. Followers without a slot walk in a column, `spacing` metres apart.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_slots(NtCrowd crowd, ulong group, float* slots, UIntPtr count, float spacing);

        // Lets an agent walk at a horizontal velocity, metres a second. It slides along walls that block it.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_velocity(NtCrowd crowd, ulong agent, float x, float z);

        // Sets the settings to the library's defaults.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_settings_init(NtCrowdSettings* settings);

        // Writes the slot of a follower, as of the last step.
        // Returns NT_OK, NT_NOT_FOUND (the agent is not a follower, or there was no step yet), NT_ERROR_ARGUMENT (no
        // such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_slot(NtCrowd crowd, ulong agent, NtSlot* @out);

        // Moves all agents by `seconds` on the current mesh: one step of the game, of the same length each time.
        // Works on the threads of the library's pool.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_step(NtCrowd crowd, NtMesh mesh, float seconds);

        // Stops an agent. It keeps its place, and steps aside for others.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_stop(NtCrowd crowd, ulong agent);

        // Number of agents that wait for a path.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_waiting(NtCrowd crowd, UIntPtr* @out);

        // Moves on with the agent at `position`: three numbers, world metres. Call it whenever the agent has walked.
        // `has_moved` gets 1 if the agent has come to a later leg, else 0; then nt_far_route_ahead and
        // nt_far_route_columns have other answers. It may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_advance(NtFarRoute route, double* position, byte* has_moved);

        // Writes the stop to walk to, by nt_query_route or by a crowd. Its height may be a metre or two off hilly
        // ground. If no path leads there although the tiles of nt_far_route_columns are loaded, plan again.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_ahead(NtFarRoute route, NtFarStop* @out);

        // Writes the columns of tiles that the agent needs for the next `legs` legs, the most urgent first, into an
        // array of `capacity` columns. Take no fewer legs than the agent looks ahead; with more, tiles are there
        // before they are needed. Some columns may have no tiles.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_columns(NtFarRoute route, uint legs, NtColumn* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a route.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_free(NtFarRoute route);

        // Writes the number of legs to the goal. The last leg, 1, ends at the goal.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_legs_left(NtFarRoute route, uint* @out);

        // Writes 1 if one of `count` changed clusters (nt_hierarchy_changed) is still ahead, else 0. With 1, plan
        // again from where the agent is.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_needs_replan(NtFarRoute route, NtCluster* clusters, UIntPtr count, byte* @out);

        // Makes a route along the last far path of a query (nt_query_far_path), for an agent at its start. The agent
        // walks to the stop that is `legs_ahead` legs ahead; 0 for the library's default, 4. More legs make shorter
        // paths, and need more tiles. The route needs neither the query nor the hierarchy from then on.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there was no far path), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_far_route_new(NtQuery query, uint legs_ahead, NtFarRoute* @out);

        // Writes 1 if the query's nodes sufficed for the field, or 0 if only costs near its goals are known.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_complete(NtField field, byte* @out);

        // Frees a field.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_free(NtField field);

        // Finds the costs of the cheapest paths from everywhere to one of `count` goals, up to `bound`, which may be
        // infinite. Uses the snapshot, the filter and the nodes of the query.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_new(NtQuery query, NtPlace* goals, UIntPtr count, float bound, NtField* @out);

        // Writes the next step from a place of the query's snapshot.
        // Returns NT_OK, NT_NOT_FOUND (no path within the bound, or the field is of another snapshot),
        // NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_next(NtField field, NtQuery query, NtPlace from, NtFieldStep* @out);

        // Updates a field to the snapshot of a query of the same mesh. It is only searched again if something that
        // it depends on has changed; `searched` gets 1 then, else 0. `searched` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no goal has ground now), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_refresh(NtField field, NtQuery query, byte* searched);

        // Excludes an area.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_exclude_area(NtFilter filter, byte area);

        // Frees a filter. Queries that use it keep their copy.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_free(NtFilter filter);

        // Makes a filter that allows every polygon with a flag of the mesh's areas, at the costs of its file. For a
        // mesh without a file, or a handle of zeros, everything is allowed at a cost of 1.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_new(NtMesh mesh, NtFilter* @out);

        // Sets the cost of a metre in an area: 0.001 to 1e20. Queries copy the filter that they are given.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_set_cost(NtFilter filter, byte area, float cost);

        // Allows only polygons with a flag of `include` and no flag of `exclude`. With UINT32_MAX for `include`,
        // polygons without flags are allowed, too.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_set_flags(NtFilter filter, uint include, uint exclude);

        // Writes the clusters that really changed in the last call of nt_hierarchy_set_closed or nt_hierarchy_update
        // of this hierarchy into an array of `capacity` clusters: their portals, or the costs between them.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_changed(NtHierarchy hierarchy, NtCluster* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the number of a class of agents, which the settings of the bake name.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_class(NtHierarchy hierarchy, byte* name, uint* @out);

        // Writes the portals that are closed into an array of `capacity` portals, for a saved game.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_closed(NtHierarchy hierarchy, NtPortal* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a hierarchy.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_free(NtHierarchy hierarchy);

        // Reads the hierarchy of the bytes of a .navtile file.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_from_bytes(byte* bytes, UIntPtr length, NtHierarchy* @out);

        // Reads the hierarchy of a .navtile file, which `navtile bake --hierarchy` writes. The tiles are not read.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_open(byte* path, NtHierarchy* @out);

        // Writes the ends of a portal, for drawing.
        // Returns NT_OK, NT_NOT_FOUND (there is no such portal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_portal_ends(NtHierarchy hierarchy, NtPortal* portal, NtPortalEnds* @out);

        // Writes the portals in a box into an array of `capacity` portals. `low` and `high` are three numbers each,
        // world metres. A part of a border counts with the height of its middle, so a box around a gate on a slope
        // should be a few metres high. An off-mesh link counts if it starts or ends in the box.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_portals_in(NtHierarchy hierarchy, double* low, double* high, NtPortal* @out, UIntPtr capacity, UIntPtr* count);

        // Closes `count` portals and opens all others: far paths do not lead over a closed portal, and their bounds
        // are those of a world without it. A portal that does not exist has no effect. nt_hierarchy_changed has the
        // clusters that changed, for nt_far_route_needs_replan; `changed` gets their number and may be NULL. A far
        // path that another thread plans at the same time is that of before or of after.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_set_closed(NtHierarchy hierarchy, NtPortal* portals, UIntPtr count, UIntPtr* changed);

        // Updates the hierarchy after `count` tiles of a mesh were added for the first time, replaced or removed for
        // good. The mesh must have all other tiles of their clusters and of the clusters next to these: a tile that
        // it does not have counts as gone. So take a mesh of the whole level, or one that has at least these tiles.
        // Closed portals stay closed. `changed` and threads as in nt_hierarchy_set_closed.
        // Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another bake; nothing changes), NT_ERROR_HANDLE,
        // NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_hierarchy_update(NtHierarchy hierarchy, NtMesh mesh, NtTileCoord* tiles, UIntPtr count, UIntPtr* changed);

        // The error message of this thread's last call that did not return NT_OK: the problem, its place, and the
        // remedy. UTF-8, never NULL, empty before the first such call. Valid until the next such call of the same
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* nt_last_error();

        // Adds a tile from its bytes, which are verified and copied, and links it to its neighbours.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is a tile already, or it is of another lattice), NT_ERROR_HANDLE,
        // NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread; until it returns, queries use the mesh before.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_add_tile(NtMesh mesh, byte* bytes, UIntPtr length);

        // The number of an area by its name in the file.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_area(NtMesh mesh, byte* name, byte* @out);

        // Makes another handle of the current mesh. It costs a reference count; changes of one do not affect the
        // other.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_copy(NtMesh mesh, NtMesh* @out);

        // The corners of a polygon, counter-clockwise seen from above, into an array of `capacity` points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_corners(NtMesh mesh, ulong reference, NtVec3* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a mesh. Queries and crowds that use it keep their snapshot.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_free(NtMesh mesh);

        // Opens a .navtile file from its bytes, which are copied. `anchor` as in nt_mesh_new.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_from_bytes(byte* bytes, UIntPtr length, double* anchor, NtMesh* @out);

        // Writes the figures of a mesh.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_info(NtMesh mesh, NtMeshInfo* @out);

        // Writes the lines of the mesh for a debug renderer into an array of `capacity` lines: edges tile by tile,
        // borders of tiles, off-mesh links. `kinds` has the bit 1 << kind for each NtLineKind; 0 means all kinds.
        // The lines are on the ground: raise them a little. They are the same until the mesh changes. For a path,
        // draw from point to point of nt_query_points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_lines(NtMesh mesh, uint kinds, NtLine* @out, UIntPtr capacity, UIntPtr* count);

        // Finds the crossing of an off-mesh link that begins nearest to a point: its start and its end.
        // `is_backwards` is 0 to take the link from its start, 1 from its end. `start` and `end` may be NULL.
        // Returns NT_OK, NT_NOT_FOUND (the link is not joined to ground), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE (a polygon, or a link that is gone). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_link_crossing(NtMesh mesh, ulong link, byte is_backwards, NtVec3 point, NtPlace* start, NtPlace* end);

        // Makes a mesh without tiles. `anchor`, three numbers, is the point that positions are relative to, world
        // metres; NULL for the world's origin. Single precision is finest near the anchor: if the level is far from
        // the origin, pass a point of the level.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_new(double* anchor, NtMesh* @out);

        // Describes an off-mesh link.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or a link that is gone).
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_off_mesh(NtMesh mesh, ulong link, NtOffMeshLink* @out);

        // Writes all off-mesh links of a mesh, joined to ground or not, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_off_mesh_links(NtMesh mesh, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Opens a .navtile file with all its tiles, each verified, on the threads of the library's pool. `anchor` as
        // in nt_mesh_new.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_open(byte* path, double* anchor, NtMesh* @out);

        // The current flags and area of a polygon or an off-mesh link.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_polygon(NtMesh mesh, ulong reference, NtPolygonInfo* @out);

        // All polygons of the mesh, tile by tile, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_polygons(NtMesh mesh, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Removes a tile; references to its polygons become stale.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_remove_tile(NtMesh mesh, int x, int z, int layer);

        // Replaces the tile at the coordinate of the tile in `bytes`; references to its polygons become stale.
        // Returns the results of nt_mesh_add_tile; NT_ERROR_ARGUMENT if there is no tile to replace. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_replace_tile(NtMesh mesh, byte* bytes, UIntPtr length);

        // Sets the flags and areas of a tile from bytes of nt_mesh_store_state. All other polygons of the tile get
        // their baked values again.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE, NT_ERROR_DATA (damaged, or of
        // another tile; nothing changes). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_restore_state(NtMesh mesh, int x, int z, int layer, byte* bytes, UIntPtr length);

        // Sets the area of a polygon or an off-mesh link at run time, 1 to 255.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_set_area(NtMesh mesh, ulong reference, byte area);

        // Sets the flags of a polygon or an off-mesh link at run time: doors that close, bridges that collapse.
        // Returns NT_OK, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_set_flags(NtMesh mesh, ulong reference, uint flags);

        // Saves the flags and areas of a tile that were set at run time as bytes for nt_mesh_restore_state.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_store_state(NtMesh mesh, int x, int z, int layer, NtBytes* @out);

        // Writes the coordinates of the mesh's tiles into an array of `capacity` coordinates.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_tiles(NtMesh mesh, NtTileCoord* @out, UIntPtr capacity, UIntPtr* count);

        // Sets an obstacle to a solid box of one metre at the world's origin.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_obstacle_init(NtObstacleParams* @params);

        // The lowest ground straight above a position, or at its height, at most `reach` metres away.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_above(NtQuery query, NtVec3 position, float reach, NtPlace* @out);

        // Finds the polygons that can be reached from a place through portals within `radius` metres: `count` of
        // them, nearest first by cost, read by nt_query_polygons.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not
        // complete). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_around(NtQuery query, NtPlace start, float radius, UIntPtr* count);

        // The highest ground straight below a position, or at its height, at most `reach` metres away.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_below(NtQuery query, NtVec3 position, float reach, NtPlace* @out);

        // Writes the position itself, with its own height, if it is over a polygon; else the closest point of the
        // outline.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_boundary_point(NtQuery query, ulong reference, NtVec3 position, NtVec3* @out);

        // Finds the polygons that intersect a box with a centre and half extents: `count` of them, read by
        // nt_query_polygons.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_box(NtQuery query, NtVec3 centre, NtVec3 half_extents, UIntPtr* count);

        // The point of a polygon's surface that is closest to a position as seen from above.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_closest_point(NtQuery query, ulong reference, NtVec3 position, NtVec3* @out);

        // Writes the corners of the last route, with the starts and ends of off-mesh links, into an array of
        // `capacity` corners. Their heights are those of the polygons, not of the surface. Call it directly after
        // nt_query_route.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (there was no route), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_corners(NtQuery query, NtCorner* @out, UIntPtr capacity, UIntPtr* count);

        // Plans a far path. `agents` is a class of agents (nt_hierarchy_class); its filter counts, not the query's.
        // Start and goal are places on the snapshot of the query, which must have the tiles around both; no other
        // tiles are needed. nt_query_far_stops then has the places of the plan.
        // Returns NT_OK, NT_NOT_FOUND (no path exists), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_far_path(NtQuery query, NtHierarchy hierarchy, uint agents, NtPlace start, NtPlace goal, NtFarBounds* @out);

        // Writes the places of the last far path of the query: the start, the crossings between clusters of tiles,
        // and the goal. Load the tiles of the first few legs, and find the route to the stop at their end;
        // nt_far_route_new makes a route that does this along the whole path.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_far_stops(NtQuery query, NtFarStop* stops, UIntPtr capacity, UIntPtr* count);

        // Frees a query.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_free(NtQuery query);

        // Writes the height of the surface of a polygon straight below or above a position.
        // Returns NT_OK, NT_NOT_FOUND (the position is outside the polygon), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_height(NtQuery query, ulong reference, NtVec3 position, float* @out);

        // Finds the ground nearest to a position, within a box around it with the half extents `reach`; NULL for 2,
        // 4 and 2 metres.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest(NtQuery query, NtVec3 position, NtVec3* within, NtNearest* @out);

        // Finds the ground nearest to a position, at any distance. Time is proportional to the number of tiles.
        // Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest_anywhere(NtQuery query, NtVec3 position, NtPlace* @out);

        // Finds the ground nearest to a goal on the island of a polygon: an alternative if the goal itself cannot be
        // reached.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest_reachable(NtQuery query, ulong start, NtVec3 goal, NtPlace* @out);

        // Finds at most `limit` polygons around a place, through portals within `radius` metres, that do not overlap
        // each other as seen from above: `count` of them, read by nt_query_polygons.
        // Returns NT_OK, NT_TRUNCATED (there are more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_neighbourhood(NtQuery query, NtPlace start, float radius, UIntPtr limit, UIntPtr* count);

        // Makes a query of the current mesh with a filter; a handle of zeros for the filter of the mesh's file. A
        // search visits at most `max_nodes` polygons; 0 for the library's default limit. Calls on one query wait for
        // each other: make one for each thread.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_new(NtMesh mesh, NtFilter filter, uint max_nodes, NtQuery* @out);

        // Writes the outline of a polygon into an array of `capacity` segments: walls, and edges to other polygons.
        // It is split where the polygon on the other side changes.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_outline(NtQuery query, ulong reference, NtSegment* @out, UIntPtr capacity, UIntPtr* count);

        // Finds the path between two places as polygons, for corridors, without its points.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_path(NtQuery query, NtPlace start, NtPlace goal, NtPath* @out);

        // Writes the points of the last route of this query, on the surface, into an array of `capacity` points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_points(NtQuery query, NtVec3* @out, UIntPtr capacity, UIntPtr* count);

        // Writes the polygons of the last route, ray, slide, box or neighbourhood of this query into an array of
        // `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_polygons(NtQuery query, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Picks a random place of the mesh, or of the ground that can be reached within `radius` metres of `around`;
        // NULL for the whole mesh. Places are evenly spread over the area. `state` is any number, and is changed:
        // the same states give the same places.
        // Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_random_place(NtQuery query, NtPlace* around, float radius, ulong* state, NtPlace* @out);

        // Walks from a place straight towards a goal until a wall. Only x and z of the goal count.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_raycast(NtQuery query, NtPlace start, NtVec3 goal, NtRay* @out);

        // Writes 0 if no search will find a path from the start to the goal, or 1 if they are on one island. Takes
        // constant time.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_reachable(NtQuery query, ulong start, ulong goal, byte* @out);

        // Finds the route between two positions: moves both onto the mesh, finds a path, and pulls it straight. NULL
        // for the library's default options. A route that does not reach its goal is a result, too: see its `end`.
        // Returns NT_OK, NT_NOT_FOUND (no ground near the start or the goal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_route(NtQuery query, NtVec3 start, NtVec3 goal, NtRouteOptions* options, NtRoute* @out);

        // Sets a copy of a filter for the next queries.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_set_filter(NtQuery query, NtFilter filter);

        // Like nt_query_around, through portals that intersect a convex outline of `corners` points, as seen from
        // above.
        // Returns NT_OK, NT_ERROR_ARGUMENT (not convex), NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the
        // list is not complete). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_shape(NtQuery query, NtPlace start, NtVec3* outline, UIntPtr corners, UIntPtr* count);

        // Shortens the last path or route of the query by straight legs of up to `reach` metres, and writes the
        // number of legs that were replaced. Then read its polygons and corners.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_shortcut(NtQuery query, float reach, UIntPtr* @out);

        // Moves from a place towards a goal along the surface, sliding along walls: the step of a frame. Only x and
        // z of the goal count.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_slide(NtQuery query, NtPlace start, NtVec3 goal, NtSlide* @out);

        // Updates the query's snapshot to the current mesh, after tiles, flags or areas have changed. It costs a
        // reference count.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_update(NtQuery query, NtMesh mesh);

        // The wall nearest to a place within `radius` metres.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT. Any
        // thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_wall(NtQuery query, NtPlace start, float radius, NtWall* @out);

        // Sets the options to the library's defaults.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_route_options_init(NtRouteOptions* options);

        // Makes the path of a finished search the last answer of a query. nt_query_path would have found the same
        // path.
        // Returns NT_OK, NT_NOT_FOUND (the search is not done), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_finish(NtSearch search, NtQuery query, NtPath* @out);

        // Frees a search.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_free(NtSearch search);

        // Begins a search for the path between two places, with the query's current snapshot and filter.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_new(NtQuery query, NtPlace start, NtPlace goal, NtSearch* @out);

        // Visits at most `polygons` more polygons; `is_done` gets 1 once the path is found, else 0.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_update(NtSearch search, uint polygons, byte* is_done);

        // Writes a transform that turns by `yaw` degrees about the vertical, from the x axis towards the z axis,
        // then moves to a point of the world, metres.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_transform_turned(double yaw, double x, double y, double z, NtTransform* @out);

        // The version of the library, as `0.1.0`. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* nt_version();
    }
}
