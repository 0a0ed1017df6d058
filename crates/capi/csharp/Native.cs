// The C interface of navtile, as it is: see include/navtile.h for the rules of every call, and Navtile.cs for the classes on top of it.
//
// Made from crates/capi by cargo xtask capi; do not edit.

using System;
using System.Runtime.InteropServices;

namespace Navtile
{
    // The doings of an agent.
    public enum NtAgentState : uint
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
    }

    // The kind of a point of a route.
    public enum NtCornerKind : uint
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
    }

    // The kinds of events.
    public enum NtEventKind : uint
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
    }

    // The kinds of lines of nt_mesh_lines.
    public enum NtLineKind : uint
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
    }

    // How a path ends.
    public enum NtPathEnd : uint
    {
        // At its goal.
        NT_PATH_COMPLETE = 0,
        // Where the query's nodes ran out.
        NT_PATH_OUT_OF_NODES = 1,
        // As near as the mesh leads: nothing leads to the goal.
        NT_PATH_UNREACHABLE = 2,
        // The same, as the filter shuts the goal off.
        NT_PATH_GOAL_EXCLUDED = 3,
    }

    // The result of a call: 0 if it did what was asked, a positive number if there is no answer, a negative one for an error.
    // nt_last_error has the words.
    public enum NtStatus : int
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
    }

    // How a straight walk ends.
    public enum NtWalkEnd : uint
    {
        NT_WALK_GOAL = 0,
        NT_WALK_WALL = 1,
        NT_WALK_OUT_OF_NODES = 2,
    }

    // Properties of an agent. Set by nt_agent_params_init, which makes it a walking person, before changes.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtAgentParams
    {
        // Of this struct.
        public uint size;
        // The number of a filter, as nt_crowd_add_filter gives it; 0 lets everything pass.
        public uint filter;
        // Metres.
        public float radius;
        public float height;
        // Metres a second, and a second squared.
        public float max_speed;
        public float max_acceleration;
        // Radians a second; infinite for at once.
        public float turn_rate;
        // It has arrived when it is this near to its target, metres.
        public float stopping_distance;
        // How far ahead collisions are avoided, seconds.
        public float horizon;
        // How fast it goes along off-mesh links, metres a second; 0 if the caller takes it over, by nt_crowd_finish_link.
        public float link_speed;
        // NT_AVOID_NONE, NT_AVOID_ORCA or NT_AVOID_SAMPLING.
        public uint avoidance;
        // Agents give way to those of higher priority, 0 to 255.
        public uint priority;
        // The layers that it is on, and those of the agents that it avoids: a bit for each.
        public uint layers;
        public uint avoids;
        // 1 if it slows down before its target, so as to stop there.
        public uint brakes;
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
        // The off-mesh link that it waits for or is on; 0 if none.
        public ulong link;
    }

    // The result of swapping tiles in a mesh.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtApplied
    {
        public uint added;
        public uint replaced;
        public uint removed;
        // Polygons whose flags or area had been changed at run time, and that kept them, as they are still there.
        public uint kept;
        // Likewise, but they are not there any more.
        public uint lost;
        // Islands that became one, read by nt_cache_joined; and that fell apart, read by nt_cache_parted.
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

    // A level whose pieces come, move and go. Freed by nt_cache_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCache
    {
        public ulong id;
    }

    // A point of a route, with the polygon or link that is entered there.
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

    // Characters that walk around each other. Freed by nt_crowd_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCrowd
    {
        public ulong id;
    }

    // Settings of a crowd. Set by nt_crowd_settings_init before changes.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtCrowdSettings
    {
        // Of this struct.
        public uint size;
        // Polygons that all searches for paths together may visit in a step. At least 1.
        public uint search_nodes;
        // Avoidance is worked out anew for each agent in every n-th step. At least 1.
        public uint avoid_every;
        // Agents far from all points of interest are worked out anew in every n-th step. 1 to 60.
        public uint far_every;
        // An agent that has come no nearer to its target for so long is stuck, seconds.
        public float stuck_after;
        // Nodes that the search for a field may use, about three for each polygon that it reaches. At least 1.
        public uint field_nodes;
    }

    // A round thing that agents avoid, and that the caller moves: a cart, a player.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtDisc
    {
        // Its middle, at its feet.
        public NtVec3 position;
        // Metres a second.
        public NtVec3 velocity;
        // Metres, 0 to 100.
        public float radius;
        public float height;
        // The layers that it is on: a bit for each.
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

    // The costs of the ways from everywhere to the nearest of some goals. Freed by nt_field_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtField
    {
        public ulong id;
    }

    // The way on from a place to the nearest goal of a field.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtFieldStep
    {
        // The cost of the whole way.
        public float cost;
        // A horizontal unit vector; zeros at a goal, and where an off-mesh link is to be taken.
        public NtVec3 direction;
        // The next point, which can be walked to straight.
        public NtVec3 point;
        // NT_CORNER_TURN, NT_CORNER_CROSSING, NT_CORNER_LINK_START, or NT_CORNER_END for a goal.
        public NtCornerKind kind;
        // The off-mesh link that starts there; 0 if none.
        public ulong link;
    }

    // A file of a level: its name with its ending, by which others name it, and its content.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtFile
    {
        public byte* name;
        public byte* bytes;
        public UIntPtr length;
    }

    // Which ground is walked on, and what a metre of it costs. Freed by nt_filter_free.
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
        // Distance of neighbours, metres.
        public float spacing;
    }

    // A part of an island that became one with others, or fell apart.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtIslandPart
    {
        // A polygon of the mesh, as it is now, on the part.
        public ulong polygon;
        // Parts of the same island have the same number, from 0 on.
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

    // The off-mesh link that a character comes to next.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtLinkAhead
    {
        public ulong link;
        // Where it is entered, and left.
        public NtPlace start;
        public NtPlace end;
        // From the character to the start as seen from above, metres.
        public float distance;
        // 1 if the character is on the polygon that the link starts on, so that it can walk there straight.
        public byte is_on_start_polygon;
    }

    // A mesh: tiles with their links. Freed by nt_mesh_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtMesh
    {
        public ulong id;
    }

    // A mesh in numbers.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtMeshInfo
    {
        // The point that positions are measured from, world metres.
        public fixed double anchor[3];
        // The smallest and the largest corner around all tiles; zeros without tiles.
        public NtVec3 low;
        public NtVec3 high;
        // The agent that it was baked for, metres and degrees; zeros without tiles.
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
        // From the position to the place, metres; and as seen from above.
        public float distance;
        public float horizontal_distance;
        // 1 if the place is straight below or above the position.
        public byte is_over;
    }

    // An off-mesh link: a ladder, a jump, a door.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtOffMeshLink
    {
        // The number that the level's author gave it.
        public ulong user_id;
        // Its ends on the ground, the middles of its edges if it leads between edges; zeros as long as one of them has none.
        public NtPlace start;
        public NtPlace end;
        // From the middle of either edge to its end, metres: the link can be crossed anywhere along them. Zeros if it leads between points.
        public NtVec3 half_edge;
        public uint flags;
        // 1 to 255.
        public byte area;
        // 1 if it can be taken from end to start too.
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
        // Where it ends: at the goal, or at the nearest point of its last polygon.
        public NtVec3 last_point;
        // Estimated.
        public double cost;
    }

    // A piece of a level. Set by nt_piece_init, which makes it a solid box of one metre at the world's zero, before changes.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtPieceParams
    {
        // Of this struct.
        public uint size;
        // NT_BODY_BOX, NT_BODY_CYLINDER or NT_BODY_CAPSULE. Hulls and meshes have calls of their own, and do not read this.
        public uint body;
        // NT_EFFECT_SOLID, NT_EFFECT_BLOCKS, NT_EFFECT_MARKS or NT_EFFECT_REMOVES.
        public uint effect;
        // 0 to 255; 63 is the library's ground. Read by NT_EFFECT_SOLID and NT_EFFECT_MARKS.
        public uint area;
        // 1 to reach further by the agent's radius. Read by NT_EFFECT_BLOCKS and NT_EFFECT_MARKS.
        public uint inflate;
        // 0.
        public uint reserved;
        // Metres.
        public fixed double extents[3];
        public NtTransform place;
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

    // Questions to a mesh, with their memory: one for each thread is best. Freed by nt_query_free.
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
        // The part of the way that is free, 0 to 1.
        public float fraction;
        // Where it ends, and the polygon there.
        public NtPlace place;
        // Away from the wall, a horizontal unit vector; zeros without a wall.
        public NtVec3 normal;
    }

    // A route. Its points and polygons are read by nt_query_points and nt_query_polygons.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtRoute
    {
        public NtPathEnd end;
        // Points to walk along; the first is the start.
        public uint points;
        public uint polygons;
        // Sum of the distances between the points, metres; and as seen from above.
        public float length;
        public float length_from_above;
        // How far start and goal were moved onto the mesh, metres.
        public float start_moved;
        public float goal_moved;
        public double cost;
    }

    // How a route is found. Set by nt_route_options_init before changes.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtRouteOptions
    {
        // Of this struct.
        public uint size;
        // 1 for exactly the shortest as seen from above, where all areas cost the same; takes about ten times as long.
        public uint shortest;
        // How far start and goal may lie from the mesh along each axis, metres: 2, 4 and 2.
        public NtVec3 reach;
        // 1 for a point at each edge that is crossed, so that the points follow slopes more closely.
        public uint crossings;
    }

    // A search for a path that goes on in slices. Freed by nt_search_free.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSearch
    {
        public ulong id;
    }

    // A piece of a polygon's outline.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtSegment
    {
        public NtVec3 from;
        public NtVec3 to;
        // The polygon beyond; 0 for a wall.
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
        // Where the agent is to be: the slot, or a place in the leader's track if there is no room for it.
        public NtVec3 position;
        // Its number: 0 for the slot nearest to the leader.
        public uint number;
        // 1 if it goes in the leader's track.
        public byte is_folded;
    }

    // Where a tile is.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtTileCoord
    {
        public int x;
        public int z;
        // For several tiles at one place.
        public int layer;
    }

    // From a piece's own space to the world, metres: three rows of four, x, y and z. The last of each row is added, so that it is where
    // the piece's zero is.
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct NtTransform
    {
        public fixed double rows[12];
    }

    // The work of an update.
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NtUpdate
    {
        // Tiles that changed.
        public uint changed;
        // Tiles that were baked.
        public uint baked;
        // Tiles that are again as they are in the file, and were taken from there.
        public uint from_file;
        // Tiles that could not be baked, and stay as they were until a piece in them changes: see nt_cache_failures.
        public uint failed;
        // Tiles that wait.
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
        // From the point to the place, a horizontal unit vector.
        public NtVec3 normal;
        // The polygon that it bounds.
        public ulong polygon;
    }

    // Is called again and again while a level is baked, by any thread of the library's pool, several at once, with the part that is
    // done, 0 to 1. Returns 0 to end the bake.
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int NtProgress(void* context, float part);

    public static unsafe class Native
    {
        const string Library = "navtile_c";

        // How an agent keeps clear of others.
        public const uint NT_AVOID_NONE = 0;

        // By reciprocal velocity obstacles.
        public const uint NT_AVOID_ORCA = 1;

        // By trying velocities, as Detour's crowd does.
        public const uint NT_AVOID_SAMPLING = 2;

        // Side by side, the leader in the middle.
        public const uint NT_FORMATION_LINE = 0;

        // One behind another.
        public const uint NT_FORMATION_COLUMN = 1;

        // A wedge with the leader at its tip.
        public const uint NT_FORMATION_WEDGE = 2;

        // Rows of the same length, the leader in the middle of the first.
        public const uint NT_FORMATION_BOX = 3;

        // Slots of the caller's, by nt_crowd_set_slots.
        public const uint NT_FORMATION_OWN = 4;

        // A box of the extents x, y and z, on the middle of its bottom.
        public const uint NT_BODY_BOX = 0;

        // An upright cylinder: the first extent is its radius, the second its height; on the middle of its bottom.
        public const uint NT_BODY_CYLINDER = 1;

        // An upright capsule, likewise; at least twice its radius high.
        public const uint NT_BODY_CAPSULE = 2;

        // It is there: it can be stood on where it is flat enough, and stood under. `area` is that of its top, 0 if it cannot be walked on.
        public const uint NT_EFFECT_SOLID = 0;

        // The ground that an agent's body would meet it on is taken away. Costs less than a solid piece, and leaves nothing to stand on.
        public const uint NT_EFFECT_BLOCKS = 1;

        // The ground within it has the area `area`.
        public const uint NT_EFFECT_MARKS = 2;

        // The level vanishes there, from one cell above its bottom on.
        public const uint NT_EFFECT_REMOVES = 3;

        // Sets the properties to those of a walking person.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_agent_params_init(NtAgentParams* @params);

        // How many files nt_bake_run makes: one for each agent of the settings.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_agents(NtBake bake, UIntPtr* @out);

        // Ends nt_bake_run or nt_bake_dynamic from another thread, soon, if it is under way: the run that began last.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_cancel(NtBake bake);

        // Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open: what the program bakes with --dynamic.
        // `progress` as in nt_bake_run.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; it works on the threads of the
        // library's pool.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_dynamic(NtBake bake, NtProgress progress, void* context, NtBytes* @out);

        // Frees a bake.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_free(NtBake bake);

        // Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and `triangle_count` triangles of three
        // indices, counter-clockwise seen from above where they can be walked on. `settings` as in nt_bake_new.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_from_triangles(float* vertices, UIntPtr vertex_count, uint* triangles, UIntPtr triangle_count, byte* settings, NtBake* @out);

        // Reads a level and its settings: OBJ, glTF, GLB or a geometry set, with the files that they name; all are one level.
        // `settings` is the text of a settings file, or NULL for the library's.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error has every problem, a line each). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_new(NtFile* files, UIntPtr count, byte* settings, NtBake* @out);

        // The part of nt_bake_run or nt_bake_dynamic that is done, 0 to 1, for another thread: of the run that began last.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_progress(NtBake bake, float* @out);

        // Bakes the level for all agents, on the threads of the library's pool, into an array of `count` handles of .navtile files, in the
        // order of the settings' agents: the number that nt_bake_agents gives. The bytes are those of the program. `progress` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several bakes at once share the pool.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bake_run(NtBake bake, NtProgress progress, void* context, NtBytes* @out, UIntPtr count);

        // Where the bytes are, and how many. They stay there until nt_bytes_free.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bytes_data(NtBytes bytes, byte** data, UIntPtr* length);

        // Frees bytes.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_bytes_free(NtBytes bytes);

        // Adds a piece, so that the tiles that it touches wait for nt_cache_update; `out` gets its handle. Positions are metres in the world,
        // not from an anchor. NULL for a box of one metre at the world's zero.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add(NtCache cache, NtPieceParams* @params, ulong* @out);

        // The same for the convex hull of `count` points of three numbers in the piece's own space, 4 to 256 of them.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add_hull(NtCache cache, NtPieceParams* @params, double* points, UIntPtr count, ulong* @out);

        // The same for a mesh, which is its surface alone: `vertex_count` points of three numbers, and `triangle_count` triangles of three
        // indices, counter-clockwise seen from above where they can be walked on.
        // Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_add_mesh(NtCache cache, NtPieceParams* @params, double* vertices, UIntPtr vertex_count, uint* triangles, UIntPtr triangle_count, ulong* @out);

        // Swaps the tiles that changed since the last time, all at once, in the mesh that nt_cache_mesh made. Flags and areas that were
        // set at run time stay on polygons that are still there. Queries go on with their snapshot until nt_query_update. `out` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another level; it is as it was), NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread;
        // other calls on the cache and the mesh wait for it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_apply(NtCache cache, NtMesh mesh, NtApplied* @out);

        // The tiles that the last update could not bake, as a text: a line each, with the reason.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_failures(NtCache cache, NtBytes* @out);

        // Frees a cache. Meshes that were made from it stay.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_free(NtCache cache);

        // The same from the bytes of a file, which are copied.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_from_bytes(byte* bytes, UIntPtr length, NtCache* @out);

        // The islands that the last nt_cache_apply made one, a polygon on the ground of each, into an array of `capacity` parts.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_joined(NtCache cache, NtIslandPart* @out, UIntPtr capacity, UIntPtr* count);

        // Makes a mesh of all tiles as they are now; `anchor` as in nt_mesh_new. Changes from now on come into it by nt_cache_apply.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_mesh(NtCache cache, double* anchor, NtMesh* @out);

        // Moves a piece. `counts` gets 1, or 0 if it stays where it was applied last, as the move is below the movement threshold; it may be
        // NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such piece, or a place that is too far away; nothing changes), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_move(NtCache cache, ulong piece, NtTransform* place, byte* counts);

        // Opens a file that was baked with --dynamic, or by nt_bake_dynamic, without pieces.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_open(byte* path, NtCache* @out);

        // The islands that fell apart with the last nt_cache_apply, a polygon on each part, into an array of `capacity` parts: a door has
        // shut.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_parted(NtCache cache, NtIslandPart* @out, UIntPtr capacity, UIntPtr* count);

        // All pieces, into an array of `capacity` handles.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_pieces(NtCache cache, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // The place where a piece was applied last, which a saved game keeps, and the one that it was moved to last. Either may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such piece), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_places(NtCache cache, ulong piece, NtTransform* applied, NtTransform* moved_to);

        // Removes a piece.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such piece), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_remove(NtCache cache, ulong piece);

        // Sets the places near which tiles are baked first: `count` points of three numbers, metres in the world. Without any, the longest
        // waiting are.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_focus(NtCache cache, double* places, UIntPtr count);

        // Sets the memory that unpacked tiles may take, bytes: 32 MiB by default. At 0 each bake of a tile begins at the file.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_held_limit(NtCache cache, ulong bytes);

        // Sets how far a corner of a piece must be moved for the move to count, metres; at 0 every move counts. Smaller moves add up. By
        // default it is half the smaller of cell size and cell height.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_set_movement_threshold(NtCache cache, double metres);

        // Bakes tiles that wait, the most urgent first: at most `tiles`, which are the same on every machine, or for about `seconds`, or all if
        // both are 0. Meshes change by nt_cache_apply alone.
        // Returns NT_OK, NT_ERROR_ARGUMENT (both are given, or the seconds are no time; or no ground is where everything must be reachable from:
        // the tiles wait on), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread; it works on the threads of the library's pool, and other calls on the
        // cache wait for it.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_update(NtCache cache, UIntPtr tiles, double seconds, NtUpdate* @out);

        // How many tiles wait to be baked again.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_waiting(NtCache cache, UIntPtr* @out);

        // The .navtile file of the level with the pieces that are there now: the bytes that a bake with these pieces writes.
        // Returns NT_OK, NT_ERROR_ARGUMENT (tiles wait), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_cache_write(NtCache cache, NtBytes* @out);

        // The next corners to steer to, nearest first, at most `capacity` of them; none if the character is at its target.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_corners(NtCorridor corridor, NtQuery query, NtCorner* @out, UIntPtr capacity, UIntPtr* count);

        // Where the character is, and where its path leads. Either may be NULL.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_ends(NtCorridor corridor, NtPlace* position, NtPlace* target);

        // Puts the character at a place by force, as it was pushed, and keeps as much of its path as possible.
        // Returns NT_OK, NT_NOT_FOUND (nothing could be kept: find a path anew), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_fix_start(NtCorridor corridor, NtQuery query, NtPlace at);

        // Frees a corridor.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_free(NtCorridor corridor);

        // Whether the next `lookahead` polygons of the path are still in the query's snapshot and pass its filter: 1, or 0 if it is to be
        // repaired.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_is_valid(NtCorridor corridor, NtQuery query, UIntPtr lookahead, byte* @out);

        // The off-mesh link that comes next on the way of a character.
        // Returns NT_OK, NT_NOT_FOUND (none comes, or the mesh does not have it any more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_link_ahead(NtCorridor corridor, NtQuery query, NtLinkAhead* @out);

        // Moves the character towards a point along the surface, sliding along walls, and its path with it.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move(NtCorridor corridor, NtQuery query, NtVec3 to, NtWalkEnd* end);

        // Takes the character over the off-mesh link that comes next, once it is near enough; `out` gets the far end, and may be NULL.
        // Returns NT_OK, NT_NOT_FOUND (another link comes next, or none; nothing changes), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move_over_link(NtCorridor corridor, NtQuery query, ulong link, NtPlace* @out);

        // Moves the target likewise: a chase without a search.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_move_target(NtCorridor corridor, NtQuery query, NtVec3 to);

        // Makes the corridor of a character that stands at a place and has no target yet.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_new(NtPlace at, NtCorridor* @out);

        // Shortens the path: straight on to `next`, a corner ahead within `reach` metres, where nothing is in the way; and by a search of 32
        // polygons around the character. Now and then is enough.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_optimise(NtCorridor corridor, NtQuery query, NtVec3 next, float reach);

        // The polygons and off-mesh links from the character to its target, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_polygons(NtCorridor corridor, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Cuts the path off where the mesh does not lead on any more, after nt_query_update. `safe` is a place to stand if the polygon under
        // the character is gone.
        // Returns NT_OK (all of it is left), NT_NOT_FOUND (it was cut: find a path anew), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_repair(NtCorridor corridor, NtQuery query, NtPlace safe);

        // Puts the character at a place, without a target.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_reset(NtCorridor corridor, NtPlace at);

        // Takes the last route of the query (nt_query_route) as the corridor's path; `target` is where it leads. The character may have moved
        // along the route since.
        // Returns NT_OK, NT_NOT_FOUND (the route does not lead over the polygon under the character: find it anew),
        // NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_corridor_set_path(NtCorridor corridor, NtQuery query, NtVec3 target);

        // Adds an agent on the ground nearest to a position; NULL for a walking person.
        // Returns NT_OK, NT_ERROR_ARGUMENT (a property out of its range, or no ground near), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add(NtCrowd crowd, NtMesh mesh, NtVec3 position, NtAgentParams* @params, ulong* @out);

        // Adds a field that agents can follow: it leads to the nearest of `count` goals by the cheapest way, with one search for any number of
        // agents, done at once and again when the mesh has changed where it reaches. `filter` is that of the agents, as in NtAgentParams; no way
        // leads from places whose way costs more than `bound`, which may be infinite.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_field(NtCrowd crowd, NtMesh mesh, NtPlace* goals, UIntPtr count, float bound, uint filter, ulong* @out);

        // Adds a filter, as it is now, for the field `filter` of agents' properties: 1 for the first.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there are 255), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_filter(NtCrowd crowd, NtFilter filter, uint* @out);

        // Makes a group: the followers keep their slots around the leader, which goes where it is sent, at the pace of the slowest and waiting
        // for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN, NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance of
        // neighbours, metres. An agent can be in one group; up to 255 can follow one leader.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or in a group already), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_add_group(NtCrowd crowd, ulong leader, ulong* followers, UIntPtr count, uint form, float spacing, ulong* @out);

        // One agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_agent(NtCrowd crowd, ulong agent, NtAgentView* @out);

        // All agents, in the order of their places in the crowd, into an array of `capacity` views.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_agents(NtCrowd crowd, NtAgentView* @out, UIntPtr capacity, UIntPtr* count);

        // Sends an agent after another, wherever that goes.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_chase(NtCrowd crowd, ulong agent, ulong other);

        // The polygons and off-mesh links from an agent to its target, as far as they are known, into an array of `capacity`
        // references: for debug views.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_corridor(NtCrowd crowd, ulong agent, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // The events of the last step, in the order of the agents, into an array of `capacity` events.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_events(NtCrowd crowd, NtEvent* @out, UIntPtr capacity, UIntPtr* count);

        // The cost of the way from a place to the nearest goal of a field, on the mesh of the last step or of nt_crowd_add_field.
        // Returns NT_OK, NT_NOT_FOUND (no way leads to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
        // Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_field_cost(NtCrowd crowd, NtMesh mesh, ulong field, NtPlace from, float* @out);

        // Takes an agent with a link_speed of 0 over the off-mesh link that it is on, when its animation has ended.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or on no link), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_finish_link(NtCrowd crowd, ulong agent);

        // Lets an agent follow a field of its own filter, to the nearest goal.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or one of another filter), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_follow_field(NtCrowd crowd, ulong agent, ulong field);

        // Lets an agent go to its slot in its group again, after it was sent elsewhere.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it follows nobody in the group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_follow_group(NtCrowd crowd, ulong agent, ulong group);

        // The followers of a group, in the order in which they joined, into an array of `capacity` handles.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_followers(NtCrowd crowd, ulong group, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a crowd with its agents.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_free(NtCrowd crowd);

        // A group as it is now.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_group(NtCrowd crowd, ulong group, NtGroupView* @out);

        // The group that an agent is in.
        // Returns NT_OK, NT_NOT_FOUND (it is in none), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_group_of(NtCrowd crowd, ulong agent, ulong* @out);

        // A hash of all positions and velocities: the same for the same run on any machine.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_hash(NtCrowd crowd, ulong* @out);

        // Adds a follower to a group.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_join(NtCrowd crowd, ulong group, ulong agent);

        // Takes an agent out of its group, if it is in one; it stays where it is. After a leader, the follower in the first slot takes over.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_leave_group(NtCrowd crowd, ulong agent);

        // Makes a crowd without agents; NULL for the library's settings. The same calls give the same positions, bit for bit, on every
        // machine and with any number of threads.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_new(NtCrowdSettings* settings, NtCrowd* @out);

        // The properties of an agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_params(NtCrowd crowd, ulong agent, NtAgentParams* @out);

        // Puts an agent elsewhere, on the ground nearest to a position, with a velocity, metres a second: a teleport, or the step of an agent
        // that the caller moves.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or no ground near), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_place(NtCrowd crowd, NtMesh mesh, ulong agent, NtVec3 position, NtVec3 velocity);

        // Removes an agent.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove(NtCrowd crowd, ulong agent);

        // Removes a field; agents that follow it have no target from now on.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove_field(NtCrowd crowd, ulong field);

        // Dissolves a group; its followers have no target from now on.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_remove_group(NtCrowd crowd, ulong group);

        // Goes on from bytes of nt_crowd_save, bit for bit. The crowd must have the same filters, and the mesh must be the same.
        // Returns NT_OK, NT_ERROR_ARGUMENT (the bytes are not those of a crowd; it is as it was), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_restore(NtCrowd crowd, NtMesh mesh, byte* bytes, UIntPtr length);

        // The crowd as bytes, for nt_crowd_restore: saved games, rollback.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_save(NtCrowd crowd, NtBytes* @out);

        // Sends an agent to a place of the mesh, as nt_query_nearest finds it.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_send(NtCrowd crowd, ulong agent, NtPlace to);

        // Sends a group to a place: its leader, and so all who follow.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_send_group(NtCrowd crowd, ulong group, NtPlace to);

        // Replaces all discs by `count` others, for the next steps.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_discs(NtCrowd crowd, NtDisc* discs, UIntPtr count);

        // Changes the formation of a group; slots are given out anew, to those that are near them. `form` and `spacing` as in
        // nt_crowd_add_group.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_formation(NtCrowd crowd, ulong group, uint form, float spacing);

        // Sets the points of interest: agents farther than `radius` from all of them are worked out more rarely. None: all are near.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_interest(NtCrowd crowd, NtVec3* points, UIntPtr count, float radius);

        // Lets the caller move an agent, by nt_crowd_place, for 1; or gives it back to the crowd, for 0. Others avoid it; it avoids nobody.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_kinematic(NtCrowd crowd, ulong agent, byte is_kinematic);

        // Gives an agent other properties.
        // Returns NT_OK, NT_ERROR_ARGUMENT (out of range, or no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_params(NtCrowd crowd, ulong agent, NtAgentParams* @params);

        // Gives a group slots of its own: `count` pairs of metres from the leader, to the right of its way and along it. Followers for whom there
        // is no slot go in a column, `spacing` metres apart.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_slots(NtCrowd crowd, ulong group, float* slots, UIntPtr count, float spacing);

        // Lets an agent walk at a horizontal velocity, metres a second, along walls where they are in its way.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_set_velocity(NtCrowd crowd, ulong agent, float x, float z);

        // Sets the settings to those of the library.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_settings_init(NtCrowdSettings* settings);

        // The slot of a follower, as of the last step.
        // Returns NT_OK, NT_NOT_FOUND (the agent follows nobody, or there was no step yet), NT_ERROR_ARGUMENT (no such agent),
        // NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_slot(NtCrowd crowd, ulong agent, NtSlot* @out);

        // Moves all agents by `seconds` over what the mesh is now: one step of the game, of the same length each time. On the threads of the
        // library's pool.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_step(NtCrowd crowd, NtMesh mesh, float seconds);

        // Stops an agent: it stands, and steps aside for others.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_stop(NtCrowd crowd, ulong agent);

        // How many agents wait for a path.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_crowd_waiting(NtCrowd crowd, UIntPtr* @out);

        // Whether the query's nodes sufficed for the field: 1, or 0 if costs are known near its goals alone.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_complete(NtField field, byte* @out);

        // Frees a field.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_free(NtField field);

        // Finds what the cheapest ways from everywhere to one of `count` goals cost, up to `bound`, which may be infinite; on the snapshot and
        // with the filter of the query, and with its nodes.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_new(NtQuery query, NtPlace* goals, UIntPtr count, float bound, NtField* @out);

        // The way on from a place of the query's snapshot.
        // Returns NT_OK, NT_NOT_FOUND (no way within the bound, or the field is of another snapshot), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_next(NtField field, NtQuery query, NtPlace from, NtFieldStep* @out);

        // Brings a field up to the snapshot of a query of the same mesh; it is searched again only if something that it depends on has changed,
        // and `searched` gets 1 then, else 0. `searched` may be NULL.
        // Returns NT_OK, NT_ERROR_ARGUMENT (no goal has ground now), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_field_refresh(NtField field, NtQuery query, byte* searched);

        // Shuts an area off.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_exclude_area(NtFilter filter, byte area);

        // Frees a filter. Queries that were given it keep it.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_free(NtFilter filter);

        // Makes a filter that lets everything pass that has a flag of the mesh's areas, at the costs that its file gives them. For a mesh
        // without a file, or a handle of zeros, everything passes at a cost of 1.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_new(NtMesh mesh, NtFilter* @out);

        // Sets what a metre in an area costs: 0.001 to 1e20. Queries take a filter as it is when they are given it.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_set_cost(NtFilter filter, byte area, float cost);

        // Lets pass only what has one of the flags of `include` and none of `exclude`. With UINT32_MAX for `include`, what has no
        // flag at all passes too.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_filter_set_flags(NtFilter filter, uint include, uint exclude);

        // The text of the last call of this thread that did not return NT_OK: what was wrong, where, and what to do. UTF-8, never
        // NULL, empty if there was none. Valid until the next such call of the same thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* nt_last_error();

        // Adds a tile from its bytes, which are verified and copied, and links it to its neighbours.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is a tile, or it is of another lattice), NT_ERROR_HANDLE, NT_ERROR_DATA,
        // NT_ERROR_LIMIT. Any thread; questions meanwhile are asked of the mesh before.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_add_tile(NtMesh mesh, byte* bytes, UIntPtr length);

        // The number of an area by its name in the file.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_area(NtMesh mesh, byte* name, byte* @out);

        // Makes another handle of what a mesh is now. It costs a reference count; changes of one do not reach the other.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_copy(NtMesh mesh, NtMesh* @out);

        // The corners of a polygon, counter-clockwise seen from above, into an array of `capacity` points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_corners(NtMesh mesh, ulong reference, NtVec3* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a mesh. Queries and crowds that were given it keep the snapshot that they have.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_free(NtMesh mesh);

        // The same from the bytes of a file, which are copied.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_from_bytes(byte* bytes, UIntPtr length, double* anchor, NtMesh* @out);

        // The mesh in numbers.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_info(NtMesh mesh, NtMeshInfo* @out);

        // The mesh as lines, for whatever draws lines: edges tile by tile, borders of tiles, off-mesh links, into an array of `capacity`
        // lines. `kinds` has the bit 1 << kind for each NtLineKind that is wanted; 0 is all. They lie on the ground: raise them a little. They
        // are the same until the mesh changes. For a path, draw from point to point of nt_query_points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_lines(NtMesh mesh, uint kinds, NtLine* @out, UIntPtr capacity, UIntPtr* count);

        // The crossing of an off-mesh link that begins as near to a point as one can: where it begins, and where it ends. `is_backwards` is
        // 0 to take the link from its start, 1 from its end. `start` and `end` may be NULL.
        // Returns NT_OK, NT_NOT_FOUND (the link is not joined to ground), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or
        // a link that is gone). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_link_crossing(NtMesh mesh, ulong link, byte is_backwards, NtVec3 point, NtPlace* start, NtPlace* end);

        // Makes a mesh without tiles. `anchor`, three numbers, is the point that positions are measured from, world metres; NULL for the world's zero. Near it
        // single precision is finest: give a point of the level where that lies far from zero.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_new(double* anchor, NtMesh* @out);

        // Describes an off-mesh link.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or a link that is gone). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_off_mesh(NtMesh mesh, ulong link, NtOffMeshLink* @out);

        // All off-mesh links of a mesh, joined to ground or not, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_off_mesh_links(NtMesh mesh, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Opens a .navtile file with all its tiles, each verified, on the threads of the library's pool. `anchor` as in nt_mesh_new.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_open(byte* path, double* anchor, NtMesh* @out);

        // The flags and the area of a polygon or an off-mesh link, as they are now.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_polygon(NtMesh mesh, ulong reference, NtPolygonInfo* @out);

        // All polygons of the mesh, tile by tile, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_polygons(NtMesh mesh, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // Removes a tile; references to its polygons become stale.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is none), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_remove_tile(NtMesh mesh, int x, int z, int layer);

        // Replaces the tile at the coordinate of the one in `bytes`; references to its polygons become stale.
        // Returns as nt_mesh_add_tile; NT_ERROR_ARGUMENT if there is no tile. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_replace_tile(NtMesh mesh, byte* bytes, UIntPtr length);

        // Sets the flags and areas of a tile from bytes of nt_mesh_store_state; all others become those of the tile again.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE, NT_ERROR_DATA (damaged, or of another tile; nothing
        // changes). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_restore_state(NtMesh mesh, int x, int z, int layer, byte* bytes, UIntPtr length);

        // Sets the area of a polygon or an off-mesh link at run time, 1 to 255.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_set_area(NtMesh mesh, ulong reference, byte area);

        // Sets the flags of a polygon or an off-mesh link at run time: doors that shut, bridges that fall.
        // Returns NT_OK, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_set_flags(NtMesh mesh, ulong reference, uint flags);

        // The flags and areas of a tile that were set at run time, as bytes for nt_mesh_restore_state: saved games.
        // Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_store_state(NtMesh mesh, int x, int z, int layer, NtBytes* @out);

        // The tiles of the mesh, into an array of `capacity` coordinates.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_mesh_tiles(NtMesh mesh, NtTileCoord* @out, UIntPtr capacity, UIntPtr* count);

        // Sets a piece to a solid box of one metre at the world's zero.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_piece_init(NtPieceParams* @params);

        // The lowest ground straight above a position, or at its height, at most `reach` metres away.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_above(NtQuery query, NtVec3 position, float reach, NtPlace* @out);

        // The polygons that can be walked to from a place through portals within `radius` metres: `count` of them, nearest first by cost,
        // read by nt_query_polygons.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not complete). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_around(NtQuery query, NtPlace start, float radius, UIntPtr* count);

        // The highest ground straight below a position, or at its height, at most `reach` metres away.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_below(NtQuery query, NtVec3 position, float reach, NtPlace* @out);

        // A position itself where it lies over a polygon, with its own height; else the point of the outline that is closest to it.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_boundary_point(NtQuery query, ulong reference, NtVec3 position, NtVec3* @out);

        // The polygons that meet a box around a centre, half as large along each axis: `count` of them, read by nt_query_polygons.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_box(NtQuery query, NtVec3 centre, NtVec3 half_extents, UIntPtr* count);

        // The point of a polygon's surface that is closest to a position as seen from above.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_closest_point(NtQuery query, ulong reference, NtVec3 position, NtVec3* @out);

        // The corners of the last route, which say where off-mesh links start and end, into an array of `capacity` corners. Their
        // heights are those of the polygons, not of the surface. Ask directly after nt_query_route.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (there was no route), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_corners(NtQuery query, NtCorner* @out, UIntPtr capacity, UIntPtr* count);

        // Frees a query.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_free(NtQuery query);

        // The height of the surface of a polygon straight below or above a position.
        // Returns NT_OK, NT_NOT_FOUND (the position is beside the polygon), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
        // NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_height(NtQuery query, ulong reference, NtVec3 position, float* @out);

        // The ground nearest to a position, within a box of half the size `reach` around it; NULL for 2, 4 and 2 metres.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest(NtQuery query, NtVec3 position, NtVec3* within, NtNearest* @out);

        // The ground nearest to a position, wherever that is. Takes time in proportion to the tiles.
        // Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest_anywhere(NtQuery query, NtVec3 position, NtPlace* @out);

        // The ground nearest to a goal on the island of a polygon: where to go if the goal itself cannot be reached.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_nearest_reachable(NtQuery query, ulong start, NtVec3 goal, NtPlace* @out);

        // At most `limit` polygons around a place, through portals within `radius` metres, none of which overlaps another as seen from above:
        // `count` of them, read by nt_query_polygons.
        // Returns NT_OK, NT_TRUNCATED (there are more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_neighbourhood(NtQuery query, NtPlace start, float radius, UIntPtr limit, UIntPtr* count);

        // Makes a query of what a mesh is now, with a filter; a handle of zeros for that of the mesh's file. A search visits at most
        // `max_nodes` polygons; 0 for the library's own limit. Calls on one query wait for each other: make one for each thread.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_new(NtMesh mesh, NtFilter filter, uint max_nodes, NtQuery* @out);

        // The outline of a polygon, cut where the polygon beyond changes: walls, and edges to others, into an array of `capacity` segments.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_outline(NtQuery query, ulong reference, NtSegment* @out, UIntPtr capacity, UIntPtr* count);

        // The path between two places as polygons: what corridors follow, without its points.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_path(NtQuery query, NtPlace start, NtPlace goal, NtPath* @out);

        // The points of the last route of this query, on the surface, into an array of `capacity` points.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_points(NtQuery query, NtVec3* @out, UIntPtr capacity, UIntPtr* count);

        // The polygons of the last route, ray, slide, box or neighbourhood of this query, into an array of `capacity` references.
        // Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_polygons(NtQuery query, ulong* @out, UIntPtr capacity, UIntPtr* count);

        // A random place of the mesh, or of what can be walked to within `radius` metres of `around`; NULL for all of it. Evenly spread
        // over the area. `state` is any number, and is changed: the same states give the same places.
        // Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_random_place(NtQuery query, NtPlace* around, float radius, ulong* state, NtPlace* @out);

        // Walks from a place straight towards a goal, of which x and z matter, until a wall.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_raycast(NtQuery query, NtPlace start, NtVec3 goal, NtRay* @out);

        // Whether a goal may be reached from a start, in constant time: 0 if no search will find a path, 1 if they are on one island.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_reachable(NtQuery query, ulong start, ulong goal, byte* @out);

        // The route between two positions: both are moved onto the mesh, a path is found, and pulled straight. NULL for the library's
        // options. A route that does not reach its goal is an answer too: see its `end`.
        // Returns NT_OK, NT_NOT_FOUND (no ground near the start or the goal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_route(NtQuery query, NtVec3 start, NtVec3 goal, NtRouteOptions* options, NtRoute* @out);

        // Takes a filter, as it is now, from now on.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_set_filter(NtQuery query, NtFilter filter);

        // As nt_query_around, through portals that meet a convex outline of `corners` points, as seen from above.
        // Returns NT_OK, NT_ERROR_ARGUMENT (not convex), NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not complete). Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_shape(NtQuery query, NtPlace start, NtVec3* outline, UIntPtr corners, UIntPtr* count);

        // Shortens the last path or route of the query by straight ways of up to `reach` metres, and writes how many of its legs were replaced;
        // then read its polygons and corners.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_shortcut(NtQuery query, float reach, UIntPtr* @out);

        // Moves from a place towards a goal, of which x and z matter, along the surface and sliding along walls: the step of a frame.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_slide(NtQuery query, NtPlace start, NtVec3 goal, NtSlide* @out);

        // Asks what a mesh is now from now on: after tiles, flags or areas have changed. It costs a reference count.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_update(NtQuery query, NtMesh mesh);

        // The wall nearest to a place within `radius` metres.
        // Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_query_wall(NtQuery query, NtPlace start, float radius, NtWall* @out);

        // Sets the options to those of the library.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_route_options_init(NtRouteOptions* options);

        // Makes the path that was found the last answer of a query: the one that nt_query_path would have given.
        // Returns NT_OK, NT_NOT_FOUND (the search is not done), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_finish(NtSearch search, NtQuery query, NtPath* @out);

        // Frees a search.
        // Returns NT_OK, NT_ERROR_HANDLE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_free(NtSearch search);

        // Begins a search for the path between two places, on the snapshot and with the filter that the query has now.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_new(NtQuery query, NtPlace start, NtPlace goal, NtSearch* @out);

        // Visits at most `polygons` more polygons; `is_done` gets 1 once the path is found, else 0.
        // Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_search_update(NtSearch search, uint polygons, byte* is_done);

        // A place turned about the vertical by `yaw` degrees, from the x axis towards the z axis, then moved to a point of the world, metres.
        // Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NtStatus nt_transform_turned(double yaw, double x, double y, double z, NtTransform* @out);

        // The version of the library, as `0.1.0`. Any thread.
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* nt_version();
    }
}
