// Classes for C# over the C interface of navtile: owners that free, exceptions with messages, arrays and
// spans. C# 7.0, .NET Standard 2.1, unsafe code allowed; Unity too. Needs the shared library navtile_c next
// to the program, or in the folder Plugins.
//
// Any thread may use every object; calls on one object wait for each other. A query uses a snapshot of its
// mesh. Objects that are not disposed of are freed by the garbage collector.

using System;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading.Tasks;

namespace Navtile
{
    /// <summary>A call that failed, with the words of the library.</summary>
    public sealed class NavtileException : Exception
    {
        public NtStatus Status { get; }
        public NavtileException(NtStatus status, string message) : base(message) { Status = status; }
    }

    /// <summary>A handle of the library, freed with its owner or with the garbage.</summary>
    sealed class Handle : SafeHandle
    {
        readonly Func<ulong, NtStatus> free;
        internal ulong Id { get; }

        internal Handle(ulong id, Func<ulong, NtStatus> free) : base(IntPtr.Zero, true)
        {
            Id = id;
            this.free = free;
            SetHandle(new IntPtr(1)); // the number itself may be longer than a pointer
        }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() => free(Id) == NtStatus.NT_OK;
    }

    /// <summary>An object of the library.</summary>
    public abstract unsafe class Owner : IDisposable
    {
        readonly Handle handle;
        internal delegate NtStatus ListCall(void* data, UIntPtr capacity, UIntPtr* count);

        internal Owner(ulong id, Func<ulong, NtStatus> free) { handle = new Handle(id, free); }
        public void Dispose() { handle.Dispose(); }

        /// <summary>The number of the handle, for calls of Native.</summary>
        public ulong Id
        {
            get
            {
                if (handle.IsClosed) throw new ObjectDisposedException(GetType().Name);
                return handle.Id;
            }
        }

        /// <summary>Throws if a call failed; the objects of the call live until then.</summary>
        internal void Check(NtStatus status, object also = null)
        {
            Library.Check(status);
            GC.KeepAlive(this);
            GC.KeepAlive(also);
        }

        /// <summary>Returns true if there is an answer.</summary>
        internal bool Found(NtStatus status, object also = null)
        {
            if (status == NtStatus.NT_NOT_FOUND) return false;
            Check(status, also);
            return true;
        }

        /// <summary>A list of any length.</summary>
        internal T[] List<T>(int guess, ListCall call) where T : struct
        {
            var list = new T[guess];
            for (;;)
            {
                var pin = GCHandle.Alloc(list, GCHandleType.Pinned);
                UIntPtr count;
                NtStatus status;
                try { status = call(list.Length == 0 ? null : (void*)pin.AddrOfPinnedObject(), (UIntPtr)list.Length, &count); }
                finally { pin.Free(); }
                if (status == NtStatus.NT_TRUNCATED) { list = new T[(int)count]; continue; }
                Check(status);
                Array.Resize(ref list, (int)count);
                return list;
            }
        }

        /// <summary>Number of elements of the whole list. The elements that fit were written.</summary>
        internal int Fill(NtStatus status, UIntPtr count)
        {
            if (status != NtStatus.NT_TRUNCATED) Check(status);
            GC.KeepAlive(this);
            return (int)count;
        }
    }

    /// <summary>The library as a whole.</summary>
    public static unsafe class Library
    {
        public static string Version => Text(Native.nt_version());

        internal static void Check(NtStatus status)
        {
            if (status != NtStatus.NT_OK) throw new NavtileException(status, Text(Native.nt_last_error()));
        }

        internal static string Text(byte* text)
        {
            var length = 0;
            while (text[length] != 0) length++;
            return Encoding.UTF8.GetString(text, length);
        }

        /// <summary>Checks a place of three numbers.</summary>
        internal static void Three(double[] place, string name) { if (place == null || place.Length != 3) throw new ArgumentException("a place is three numbers", name); }

        /// <summary>A text for C; null remains null.</summary>
        internal static byte[] Text(string text) => text == null ? null : Encoding.UTF8.GetBytes(text + "\0");

        public static NtRouteOptions RouteOptions() { NtRouteOptions options; Check(Native.nt_route_options_init(&options)); return options; }
        public static NtCrowdSettings CrowdSettings() { NtCrowdSettings settings; Check(Native.nt_crowd_settings_init(&settings)); return settings; }
        /// <summary>A walking person.</summary>
        public static NtAgentParams AgentParams() { NtAgentParams agent; Check(Native.nt_agent_params_init(&agent)); return agent; }
        /// <summary>An obstacle from its body (Native.NT_BODY_BOX, ...), its effect (Native.NT_EFFECT_SOLID, ...), its extents and its place.</summary>
        public static NtObstacleParams Obstacle(uint body, uint effect, double x, double y, double z, NtTransform place)
        {
            NtObstacleParams obstacle;
            Check(Native.nt_obstacle_init(&obstacle));
            obstacle.body = body;
            obstacle.effect = effect;
            obstacle.extents[0] = x;
            obstacle.extents[1] = y;
            obstacle.extents[2] = z;
            obstacle.place = place;
            return obstacle;
        }
        /// <summary>Turns by degrees about the vertical, from the x axis towards the z axis, then moves; metres in the world.</summary>
        public static NtTransform Turned(double yaw, double x, double y, double z) { NtTransform place; Check(Native.nt_transform_turned(yaw, x, y, z, &place)); return place; }
    }

    public partial struct NtVec3
    {
        public NtVec3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public override string ToString() => $"({x}, {y}, {z})";
    }

    public unsafe partial struct NtFarStop
    {
        /// <summary>The place, world metres.</summary>
        public double X { get { fixed (double* at = point) return at[0]; } }
        public double Y { get { fixed (double* at = point) return at[1]; } }
        public double Z { get { fixed (double* at = point) return at[2]; } }
    }

    /// <summary>Bytes that the library made.</summary>
    public sealed unsafe class Bytes : Owner
    {
        internal Bytes(NtBytes made) : base(made.id, id => Native.nt_bytes_free(new NtBytes { id = id })) { }
        NtBytes It => new NtBytes { id = Id };
        /// <summary>A copy.</summary>
        public byte[] ToArray()
        {
            byte* data;
            UIntPtr length;
            Check(Native.nt_bytes_data(It, &data, &length));
            var copy = new ReadOnlySpan<byte>(data, (int)length).ToArray();
            GC.KeepAlive(this);
            return copy;
        }
        internal static byte[] Take(NtBytes made) { using (var bytes = new Bytes(made)) return bytes.ToArray(); }
    }

    /// <summary>A mesh: tiles with their links.</summary>
    public sealed unsafe class Mesh : Owner
    {
        internal Mesh(NtMesh made) : base(made.id, id => Native.nt_mesh_free(new NtMesh { id = id })) { }
        internal NtMesh It => new NtMesh { id = Id };

        /// <summary>Without tiles. The anchor, if given, is three numbers, world metres: the point that positions are relative to.</summary>
        public static Mesh Empty(double[] anchor = null) { NtMesh made; fixed (double* at = Anchor(anchor)) Library.Check(Native.nt_mesh_new(at, &made)); return new Mesh(made); }
        public static Mesh Open(string path, double[] anchor = null)
        {
            NtMesh made;
            fixed (byte* name = Library.Text(path)) fixed (double* at = Anchor(anchor)) Library.Check(Native.nt_mesh_open(name, at, &made));
            return new Mesh(made);
        }
        public static Mesh FromBytes(ReadOnlySpan<byte> bytes, double[] anchor = null)
        {
            NtMesh made;
            fixed (byte* data = &MemoryMarshal.GetReference(bytes)) fixed (double* at = Anchor(anchor)) Library.Check(Native.nt_mesh_from_bytes(data, (UIntPtr)bytes.Length, at, &made));
            return new Mesh(made);
        }
        internal static double[] Anchor(double[] anchor) => anchor == null || anchor.Length == 3 ? anchor : throw new ArgumentException("an anchor is three numbers");

        /// <summary>A snapshot, which later changes do not affect.</summary>
        public Mesh Snapshot() { NtMesh made; Check(Native.nt_mesh_copy(It, &made)); return new Mesh(made); }
        public NtMeshInfo Info { get { NtMeshInfo info; Check(Native.nt_mesh_info(It, &info)); return info; } }
        /// <summary>The number of an area by its name, or null.</summary>
        public byte? Area(string name) { byte area; fixed (byte* text = Library.Text(name)) return Found(Native.nt_mesh_area(It, text, &area)) ? area : (byte?)null; }
        public void AddTile(ReadOnlySpan<byte> tile) { fixed (byte* data = &MemoryMarshal.GetReference(tile)) Check(Native.nt_mesh_add_tile(It, data, (UIntPtr)tile.Length)); }
        public void ReplaceTile(ReadOnlySpan<byte> tile) { fixed (byte* data = &MemoryMarshal.GetReference(tile)) Check(Native.nt_mesh_replace_tile(It, data, (UIntPtr)tile.Length)); }
        public void RemoveTile(NtTileCoord at) { Check(Native.nt_mesh_remove_tile(It, at.x, at.z, at.layer)); }
        public NtTileCoord[] Tiles() => List<NtTileCoord>(64, (data, capacity, count) => Native.nt_mesh_tiles(It, (NtTileCoord*)data, capacity, count));
        public NtPolygonInfo Polygon(ulong polygon) { NtPolygonInfo info; Check(Native.nt_mesh_polygon(It, polygon, &info)); return info; }
        public ulong[] Polygons() => List<ulong>(256, (data, capacity, count) => Native.nt_mesh_polygons(It, (ulong*)data, capacity, count));
        /// <summary>The lines of the mesh for a debug renderer; kinds has the bit 1 &lt;&lt; NtLineKind for each kind, or 0 for all.</summary>
        public NtLine[] Lines(uint kinds = 0) => List<NtLine>(1024, (data, capacity, count) => Native.nt_mesh_lines(It, kinds, (NtLine*)data, capacity, count));
        public NtVec3[] Corners(ulong polygon) => List<NtVec3>(12, (data, capacity, count) => Native.nt_mesh_corners(It, polygon, (NtVec3*)data, capacity, count));
        public void SetFlags(ulong polygon, uint flags) { Check(Native.nt_mesh_set_flags(It, polygon, flags)); }
        public void SetArea(ulong polygon, byte area) { Check(Native.nt_mesh_set_area(It, polygon, area)); }
        public ulong[] OffMeshLinks() => List<ulong>(16, (data, capacity, count) => Native.nt_mesh_off_mesh_links(It, (ulong*)data, capacity, count));
        public NtOffMeshLink OffMesh(ulong link) { NtOffMeshLink described; Check(Native.nt_mesh_off_mesh(It, link, &described)); return described; }
        /// <summary>The start and the end of a link's crossing that begins nearest to a point; null if the link is not joined.</summary>
        public NtPlace[] LinkCrossing(ulong link, bool backwards, NtVec3 near) { NtPlace start, end; return Found(Native.nt_mesh_link_crossing(It, link, (byte)(backwards ? 1 : 0), near, &start, &end)) ? new[] { start, end } : null; }
        /// <summary>Flags and areas that were set at run time, for saved games.</summary>
        public byte[] StoreState(NtTileCoord at) { NtBytes made; Check(Native.nt_mesh_store_state(It, at.x, at.z, at.layer, &made)); return Bytes.Take(made); }
        public void RestoreState(NtTileCoord at, ReadOnlySpan<byte> state) { fixed (byte* data = &MemoryMarshal.GetReference(state)) Check(Native.nt_mesh_restore_state(It, at.x, at.z, at.layer, data, (UIntPtr)state.Length)); }
    }

    /// <summary>The walkable ground and its cost per metre: a copy of the filter of a mesh's file, to be changed.</summary>
    public sealed unsafe class Filter : Owner
    {
        public Filter(Mesh mesh = null) : base(Make(mesh), id => Native.nt_filter_free(new NtFilter { id = id })) { }
        internal NtFilter It => new NtFilter { id = Id };
        static ulong Make(Mesh mesh) { NtFilter made; Library.Check(Native.nt_filter_new(mesh == null ? default(NtMesh) : mesh.It, &made)); GC.KeepAlive(mesh); return made.id; }
        public Filter Cost(byte area, float cost) { Check(Native.nt_filter_set_cost(It, area, cost)); return this; }
        public Filter Exclude(byte area) { Check(Native.nt_filter_exclude_area(It, area)); return this; }
        public Filter Flags(uint include, uint exclude = 0) { Check(Native.nt_filter_set_flags(It, include, exclude)); return this; }
    }

    /// <summary>Queries of a snapshot of a mesh; one for each thread.</summary>
    public sealed unsafe class Query : Owner
    {
        public Query(Mesh mesh, Filter filter = null, uint maxNodes = 0) : base(Make(mesh, filter, maxNodes), id => Native.nt_query_free(new NtQuery { id = id })) { }
        internal NtQuery It => new NtQuery { id = Id };
        static ulong Make(Mesh mesh, Filter filter, uint maxNodes)
        {
            NtQuery made;
            Library.Check(Native.nt_query_new(mesh.It, filter == null ? default(NtFilter) : filter.It, maxNodes, &made));
            GC.KeepAlive(mesh);
            GC.KeepAlive(filter);
            return made.id;
        }
        /// <summary>Updates the snapshot to the current mesh.</summary>
        public void Update(Mesh mesh) { Check(Native.nt_query_update(It, mesh.It), mesh); }
        public void SetFilter(Filter filter) { Check(Native.nt_query_set_filter(It, filter.It), filter); }
        /// <summary>The ground nearest to a position, or null; within is half the size of a box around it, 2, 4 and 2 metres if left out.</summary>
        public NtNearest? Nearest(NtVec3 position, NtVec3? within = null)
        {
            NtNearest found;
            var reach = within.GetValueOrDefault();
            return Found(Native.nt_query_nearest(It, position, within.HasValue ? &reach : null, &found)) ? found : (NtNearest?)null;
        }
        public NtPlace? NearestAnywhere(NtVec3 position) { NtPlace found; return Found(Native.nt_query_nearest_anywhere(It, position, &found)) ? found : (NtPlace?)null; }
        public NtPlace? NearestReachable(ulong start, NtVec3 goal) { NtPlace found; return Found(Native.nt_query_nearest_reachable(It, start, goal, &found)) ? found : (NtPlace?)null; }
        public NtPlace? Below(NtVec3 position, float reach) { NtPlace found; return Found(Native.nt_query_below(It, position, reach, &found)) ? found : (NtPlace?)null; }
        public NtPlace? Above(NtVec3 position, float reach) { NtPlace found; return Found(Native.nt_query_above(It, position, reach, &found)) ? found : (NtPlace?)null; }
        /// <summary>The route between two positions, or null without ground near one of them. Read Points, Corners and Polygons.</summary>
        public NtRoute? Route(NtVec3 start, NtVec3 goal, NtRouteOptions? options = null)
        {
            NtRoute found;
            var given = options.GetValueOrDefault();
            return Found(Native.nt_query_route(It, start, goal, options.HasValue ? &given : null, &found)) ? found : (NtRoute?)null;
        }
        /// <summary>The path as polygons and corners.</summary>
        public NtPath Path(NtPlace start, NtPlace goal) { NtPath path; Check(Native.nt_query_path(It, start, goal, &path)); return path; }
        /// <summary>Shortens the last path or route; returns the number of legs that were replaced.</summary>
        public int Shortcut(float reach) { UIntPtr legs; Check(Native.nt_query_shortcut(It, reach, &legs)); return (int)legs; }
        /// <summary>The points of the last route.</summary>
        public NtVec3[] Points() => List<NtVec3>(32, (data, capacity, count) => Native.nt_query_points(It, (NtVec3*)data, capacity, count));
        /// <summary>Writes what fits into the caller's array, and returns the whole length.</summary>
        public int Points(Span<NtVec3> into) { UIntPtr count; fixed (NtVec3* data = &MemoryMarshal.GetReference(into)) return Fill(Native.nt_query_points(It, data, (UIntPtr)into.Length, &count), count); }
        /// <summary>The corners of the last route, with the starts and ends of off-mesh links.</summary>
        public NtCorner[] Corners() => List<NtCorner>(32, (data, capacity, count) => Native.nt_query_corners(It, (NtCorner*)data, capacity, count));
        /// <summary>The polygons of the last answer that has polygons.</summary>
        public ulong[] Polygons() => List<ulong>(32, (data, capacity, count) => Native.nt_query_polygons(It, (ulong*)data, capacity, count));
        /// <summary>The places of the last far path: the start, crossings between clusters of tiles, and the goal.</summary>
        public NtFarStop[] FarStops() => List<NtFarStop>(32, (data, capacity, count) => Native.nt_query_far_stops(It, (NtFarStop*)data, capacity, count));
        public NtRay Raycast(NtPlace start, NtVec3 goal) { NtRay ray; Check(Native.nt_query_raycast(It, start, goal, &ray)); return ray; }
        public NtSlide Slide(NtPlace start, NtVec3 goal) { NtSlide slide; Check(Native.nt_query_slide(It, start, goal, &slide)); return slide; }
        public float? Height(ulong polygon, NtVec3 position) { float height; return Found(Native.nt_query_height(It, polygon, position, &height)) ? height : (float?)null; }
        public NtVec3 ClosestPoint(ulong polygon, NtVec3 position) { NtVec3 point; Check(Native.nt_query_closest_point(It, polygon, position, &point)); return point; }
        public NtVec3 BoundaryPoint(ulong polygon, NtVec3 position) { NtVec3 point; Check(Native.nt_query_boundary_point(It, polygon, position, &point)); return point; }
        public NtWall? Wall(NtPlace start, float radius) { NtWall wall; return Found(Native.nt_query_wall(It, start, radius, &wall)) ? wall : (NtWall?)null; }
        /// <summary>The polygons that can be reached within a radius.</summary>
        public ulong[] Around(NtPlace start, float radius) { UIntPtr count; Check(Native.nt_query_around(It, start, radius, &count)); return Polygons(); }
        public ulong[] Shape(NtPlace start, ReadOnlySpan<NtVec3> outline)
        {
            UIntPtr count;
            fixed (NtVec3* data = &MemoryMarshal.GetReference(outline)) Check(Native.nt_query_shape(It, start, data, (UIntPtr)outline.Length, &count));
            return Polygons();
        }
        public ulong[] Box(NtVec3 centre, NtVec3 halfExtents) { UIntPtr count; Check(Native.nt_query_box(It, centre, halfExtents, &count)); return Polygons(); }
        /// <summary>At most this many polygons that do not overlap each other.</summary>
        public ulong[] Neighbourhood(NtPlace start, float radius, int limit) { UIntPtr count; Fill(Native.nt_query_neighbourhood(It, start, radius, (UIntPtr)limit, &count), count); return Polygons(); }
        /// <summary>Walls, and edges to other polygons.</summary>
        public NtSegment[] Outline(ulong polygon) => List<NtSegment>(16, (data, capacity, count) => Native.nt_query_outline(It, polygon, (NtSegment*)data, capacity, count));
        /// <summary>False if no search will find a path.</summary>
        public bool Reachable(ulong start, ulong goal) { byte answer; Check(Native.nt_query_reachable(It, start, goal, &answer)); return answer != 0; }
        /// <summary>A random place of the mesh, or of the ground that can be reached within a radius; the same states give the same places.</summary>
        public NtPlace? RandomPlace(ref ulong state, NtPlace? around = null, float radius = 0)
        {
            NtPlace found;
            var centre = around.GetValueOrDefault();
            fixed (ulong* next = &state) return Found(Native.nt_query_random_place(It, around.HasValue ? &centre : null, radius, next, &found)) ? found : (NtPlace?)null;
        }
    }

    /// <summary>A path search in slices.</summary>
    public sealed unsafe class Search : Owner
    {
        public Search(Query query, NtPlace start, NtPlace goal) : base(Make(query, start, goal), id => Native.nt_search_free(new NtSearch { id = id })) { }
        NtSearch It => new NtSearch { id = Id };
        static ulong Make(Query query, NtPlace start, NtPlace goal) { NtSearch made; Library.Check(Native.nt_search_new(query.It, start, goal, &made)); GC.KeepAlive(query); return made.id; }
        /// <summary>Visits at most this many more polygons; returns true if the path is found.</summary>
        public bool Update(uint polygons) { byte isDone; Check(Native.nt_search_update(It, polygons, &isDone)); return isDone != 0; }
        /// <summary>Makes the path the last answer of a query; null until it is found.</summary>
        public NtPath? Finish(Query query) { NtPath path; return Found(Native.nt_search_finish(It, query.It, &path), query) ? path : (NtPath?)null; }
    }

    /// <summary>The costs of the paths from everywhere to the nearest of several goals.</summary>
    public sealed unsafe class Field : Owner
    {
        public Field(Query query, ReadOnlySpan<NtPlace> goals, float bound = float.PositiveInfinity) : base(Make(query, goals, bound), id => Native.nt_field_free(new NtField { id = id })) { }
        NtField It => new NtField { id = Id };
        static ulong Make(Query query, ReadOnlySpan<NtPlace> goals, float bound)
        {
            NtField made;
            fixed (NtPlace* data = &MemoryMarshal.GetReference(goals)) Library.Check(Native.nt_field_new(query.It, data, (UIntPtr)goals.Length, bound, &made));
            GC.KeepAlive(query);
            return made.id;
        }
        /// <summary>Updates it to the query's snapshot; returns true if it was searched again.</summary>
        public bool Refresh(Query query) { byte searched; Check(Native.nt_field_refresh(It, query.It, &searched), query); return searched != 0; }
        /// <summary>The next step, or null if there is no path to a goal.</summary>
        public NtFieldStep? Next(Query query, NtPlace from) { NtFieldStep step; return Found(Native.nt_field_next(It, query.It, from, &step), query) ? step : (NtFieldStep?)null; }
        public bool Complete { get { byte answer; Check(Native.nt_field_complete(It, &answer)); return answer != 0; } }
    }

    /// <summary>Plans far paths over clusters of a world's tiles.</summary>
    public sealed unsafe class Hierarchy : Owner
    {
        Hierarchy(NtHierarchy made) : base(made.id, id => Native.nt_hierarchy_free(new NtHierarchy { id = id })) { }
        NtHierarchy It => new NtHierarchy { id = Id };
        /// <summary>Reads the hierarchy of a file; its tiles are not read.</summary>
        public static Hierarchy Open(string path) { NtHierarchy made; fixed (byte* name = Library.Text(path)) Library.Check(Native.nt_hierarchy_open(name, &made)); return new Hierarchy(made); }
        public static Hierarchy FromBytes(ReadOnlySpan<byte> bytes) { NtHierarchy made; fixed (byte* data = &MemoryMarshal.GetReference(bytes)) Library.Check(Native.nt_hierarchy_from_bytes(data, (UIntPtr)bytes.Length, &made)); return new Hierarchy(made); }
        /// <summary>The number of a class of agents, or null.</summary>
        public uint? Class(string name) { uint number; fixed (byte* text = Library.Text(name)) return Found(Native.nt_hierarchy_class(It, text, &number)) ? number : (uint?)null; }
        /// <summary>The bounds of a far path between two places of a query, or null without a path. Its stops are query.FarStops().</summary>
        public NtFarBounds? Plan(Query query, uint agents, NtPlace start, NtPlace goal) { NtFarBounds bounds; return Found(Native.nt_query_far_path(query.It, It, agents, start, goal, &bounds), query) ? bounds : (NtFarBounds?)null; }
        /// <summary>The portals in a box: corners of three numbers each, world metres.</summary>
        public NtPortal[] PortalsIn(double[] low, double[] high)
        {
            Library.Three(low, nameof(low));
            Library.Three(high, nameof(high));
            return List<NtPortal>(16, (data, capacity, count) => { fixed (double* least = low, most = high) return Native.nt_hierarchy_portals_in(It, least, most, (NtPortal*)data, capacity, count); });
        }
        /// <summary>The ends of a portal for drawing, or null if there is no such portal.</summary>
        public NtPortalEnds? PortalEnds(NtPortal portal) { NtPortalEnds ends; return Found(Native.nt_hierarchy_portal_ends(It, &portal, &ends)) ? ends : (NtPortalEnds?)null; }
        /// <summary>The closed portals, for a saved game.</summary>
        public NtPortal[] Closed() => List<NtPortal>(16, (data, capacity, count) => Native.nt_hierarchy_closed(It, (NtPortal*)data, capacity, count));
        /// <summary>Closes these portals and opens all others. Returns the clusters that changed, for FarRoute.NeedsReplan.</summary>
        public NtCluster[] SetClosed(ReadOnlySpan<NtPortal> portals) { fixed (NtPortal* data = &MemoryMarshal.GetReference(portals)) Check(Native.nt_hierarchy_set_closed(It, data, (UIntPtr)portals.Length, null)); return Changed(); }
        /// <summary>Updates it after tiles of a mesh of the whole level have changed. Returns the clusters that changed.</summary>
        public NtCluster[] Update(Mesh mesh, ReadOnlySpan<NtTileCoord> tiles) { fixed (NtTileCoord* data = &MemoryMarshal.GetReference(tiles)) Check(Native.nt_hierarchy_update(It, mesh.It, data, (UIntPtr)tiles.Length, null), mesh); return Changed(); }
        NtCluster[] Changed() => List<NtCluster>(16, (data, capacity, count) => Native.nt_hierarchy_changed(It, (NtCluster*)data, capacity, count));
    }

    /// <summary>Follows a far path, leg by leg.</summary>
    public sealed unsafe class FarRoute : Owner
    {
        /// <summary>Along the last far path of a query. The agent walks to the stop this many legs ahead; 0 for the default.</summary>
        public FarRoute(Query query, uint legsAhead = 0) : base(Make(query, legsAhead), id => Native.nt_far_route_free(new NtFarRoute { id = id })) { }
        NtFarRoute It => new NtFarRoute { id = Id };
        static ulong Make(Query query, uint legsAhead) { NtFarRoute made; Library.Check(Native.nt_far_route_new(query.It, legsAhead, &made)); GC.KeepAlive(query); return made.id; }
        /// <summary>Moves on with the agent at a position, world metres; true if it has come to a later leg.</summary>
        public bool Advance(double x, double y, double z) { byte hasMoved; var position = stackalloc double[3]; position[0] = x; position[1] = y; position[2] = z; Check(Native.nt_far_route_advance(It, position, &hasMoved)); return hasMoved != 0; }
        /// <summary>The stop to walk to.</summary>
        public NtFarStop Ahead { get { NtFarStop stop; Check(Native.nt_far_route_ahead(It, &stop)); return stop; } }
        public int LegsLeft { get { uint legs; Check(Native.nt_far_route_legs_left(It, &legs)); return (int)legs; } }
        /// <summary>The columns of tiles for the next legs, the most urgent first.</summary>
        public NtColumn[] ColumnsAhead(uint legs) => List<NtColumn>(64, (data, capacity, count) => Native.nt_far_route_columns(It, legs, (NtColumn*)data, capacity, count));
        /// <summary>True if one of these clusters is still ahead: plan again from where the agent is.</summary>
        public bool NeedsReplan(ReadOnlySpan<NtCluster> changed) { byte answer; fixed (NtCluster* data = &MemoryMarshal.GetReference(changed)) Check(Native.nt_far_route_needs_replan(It, data, (UIntPtr)changed.Length, &answer)); return answer != 0; }
    }

    /// <summary>The path that one character keeps while it walks.</summary>
    public sealed unsafe class Corridor : Owner
    {
        public Corridor(NtPlace at) : base(Make(at), id => Native.nt_corridor_free(new NtCorridor { id = id })) { }
        NtCorridor It => new NtCorridor { id = Id };
        static ulong Make(NtPlace at) { NtCorridor made; Library.Check(Native.nt_corridor_new(at, &made)); return made.id; }
        /// <summary>Takes the query's last route; false if it does not cross the ground under the character.</summary>
        public bool SetPath(Query query, NtVec3 target) => Found(Native.nt_corridor_set_path(It, query.It, target), query);
        public NtPlace Position { get { NtPlace place; Check(Native.nt_corridor_ends(It, &place, null)); return place; } }
        public NtPlace Target { get { NtPlace place; Check(Native.nt_corridor_ends(It, null, &place)); return place; } }
        /// <summary>Writes the next corners into the caller's array; returns their number.</summary>
        public int Corners(Query query, Span<NtCorner> into)
        {
            UIntPtr count;
            fixed (NtCorner* data = &MemoryMarshal.GetReference(into)) Check(Native.nt_corridor_corners(It, query.It, data, (UIntPtr)into.Length, &count), query);
            return (int)count;
        }
        public ulong[] Polygons() => List<ulong>(64, (data, capacity, count) => Native.nt_corridor_polygons(It, (ulong*)data, capacity, count));
        public NtWalkEnd Move(Query query, NtVec3 to) { NtWalkEnd end; Check(Native.nt_corridor_move(It, query.It, to, &end), query); return end; }
        public void MoveTarget(Query query, NtVec3 to) { Check(Native.nt_corridor_move_target(It, query.It, to), query); }
        public void Optimise(Query query, NtVec3 next, float reach) { Check(Native.nt_corridor_optimise(It, query.It, next, reach), query); }
        /// <summary>False if the path was cut: find a new path.</summary>
        public bool Repair(Query query, NtPlace safe) => Found(Native.nt_corridor_repair(It, query.It, safe), query);
        public bool FixStart(Query query, NtPlace at) => Found(Native.nt_corridor_fix_start(It, query.It, at), query);
        public bool IsValid(Query query, int lookahead) { byte answer; Check(Native.nt_corridor_is_valid(It, query.It, (UIntPtr)lookahead, &answer), query); return answer != 0; }
        public void Reset(NtPlace at) { Check(Native.nt_corridor_reset(It, at)); }
        public NtLinkAhead? LinkAhead(Query query) { NtLinkAhead ahead; return Found(Native.nt_corridor_link_ahead(It, query.It, &ahead), query) ? ahead : (NtLinkAhead?)null; }
        /// <summary>Takes the next link; returns its far end, or null if the next link is another one.</summary>
        public NtPlace? MoveOverLink(Query query, ulong link) { NtPlace end; return Found(Native.nt_corridor_move_over_link(It, query.It, link, &end), query) ? end : (NtPlace?)null; }
    }

    /// <summary>Characters that avoid each other while they walk.</summary>
    public sealed unsafe class Crowd : Owner
    {
        public Crowd(NtCrowdSettings? settings = null) : base(Make(settings), id => Native.nt_crowd_free(new NtCrowd { id = id })) { }
        NtCrowd It => new NtCrowd { id = Id };
        static ulong Make(NtCrowdSettings? settings) { NtCrowd made; var given = settings.GetValueOrDefault(); Library.Check(Native.nt_crowd_new(settings.HasValue ? &given : null, &made)); return made.id; }
        /// <summary>Shares of the speed of agents with a filter in an area, up and down.</summary>
        public void SetAreaSpeed(uint filter, byte area, float up, float down) { Check(Native.nt_crowd_set_area_speed(It, filter, area, up, down)); }
        /// <summary>The number of the filter for the agents' properties.</summary>
        public uint AddFilter(Filter filter) { uint number; Check(Native.nt_crowd_add_filter(It, filter.It, &number), filter); return number; }
        public ulong Add(Mesh mesh, NtVec3 position, NtAgentParams? agent = null)
        {
            ulong made;
            var given = agent.GetValueOrDefault();
            Check(Native.nt_crowd_add(It, mesh.It, position, agent.HasValue ? &given : null, &made), mesh);
            return made;
        }
        public void Remove(ulong agent) { Check(Native.nt_crowd_remove(It, agent)); }
        public NtAgentParams Params(ulong agent) { NtAgentParams found; Check(Native.nt_crowd_params(It, agent, &found)); return found; }
        public void SetParams(ulong agent, NtAgentParams given) { Check(Native.nt_crowd_set_params(It, agent, &given)); }
        public void Send(ulong agent, NtPlace to) { Check(Native.nt_crowd_send(It, agent, to)); }
        public void Chase(ulong agent, ulong other) { Check(Native.nt_crowd_chase(It, agent, other)); }
        public void SetVelocity(ulong agent, float x, float z) { Check(Native.nt_crowd_set_velocity(It, agent, x, z)); }
        public void Stop(ulong agent) { Check(Native.nt_crowd_stop(It, agent)); }
        public void FinishLink(ulong agent) { Check(Native.nt_crowd_finish_link(It, agent)); }
        public void SetKinematic(ulong agent, bool isKinematic) { Check(Native.nt_crowd_set_kinematic(It, agent, (byte)(isKinematic ? 1 : 0))); }
        /// <summary>Carries an agent off the mesh, as on a raft; Place ends the ride.</summary>
        public void Carry(ulong agent, NtVec3 position, NtVec3 heading) { Check(Native.nt_crowd_carry(It, agent, position, heading)); }
        public void Place(Mesh mesh, ulong agent, NtVec3 position, NtVec3 velocity) { Check(Native.nt_crowd_place(It, mesh.It, agent, position, velocity), mesh); }
        public void SetDiscs(ReadOnlySpan<NtDisc> discs) { fixed (NtDisc* data = &MemoryMarshal.GetReference(discs)) Check(Native.nt_crowd_set_discs(It, data, (UIntPtr)discs.Length)); }
        public void SetInterest(ReadOnlySpan<NtVec3> points, float radius) { fixed (NtVec3* data = &MemoryMarshal.GetReference(points)) Check(Native.nt_crowd_set_interest(It, data, (UIntPtr)points.Length, radius)); }
        public void Step(Mesh mesh, float seconds) { Check(Native.nt_crowd_step(It, mesh.It, seconds), mesh); }
        public NtAgentView Agent(ulong agent) { NtAgentView view; Check(Native.nt_crowd_agent(It, agent, &view)); return view; }
        public NtAgentView[] Agents() => List<NtAgentView>(256, (data, capacity, count) => Native.nt_crowd_agents(It, (NtAgentView*)data, capacity, count));
        /// <summary>Writes what fits into the caller's array, and returns the whole length.</summary>
        public int Agents(Span<NtAgentView> into) { UIntPtr count; fixed (NtAgentView* data = &MemoryMarshal.GetReference(into)) return Fill(Native.nt_crowd_agents(It, data, (UIntPtr)into.Length, &count), count); }
        /// <summary>The known polygons and off-mesh links from an agent to its target.</summary>
        public ulong[] Corridor(ulong agent) => List<ulong>(64, (data, capacity, count) => Native.nt_crowd_corridor(It, agent, (ulong*)data, capacity, count));
        /// <summary>The events of the last step.</summary>
        public NtEvent[] Events() => List<NtEvent>(64, (data, capacity, count) => Native.nt_crowd_events(It, (NtEvent*)data, capacity, count));
        public int Waiting { get { UIntPtr waiting; Check(Native.nt_crowd_waiting(It, &waiting)); return (int)waiting; } }
        public ulong Hash { get { ulong hash; Check(Native.nt_crowd_hash(It, &hash)); return hash; } }
        public byte[] Save() { NtBytes made; Check(Native.nt_crowd_save(It, &made)); return Bytes.Take(made); }
        public void Restore(Mesh mesh, ReadOnlySpan<byte> saved) { fixed (byte* data = &MemoryMarshal.GetReference(saved)) Check(Native.nt_crowd_restore(It, mesh.It, data, (UIntPtr)saved.Length), mesh); }

        /// <summary>A group in a formation: Native.NT_FORMATION_LINE, ...</summary>
        public ulong AddGroup(ulong leader, ReadOnlySpan<ulong> followers, uint formation, float spacing)
        {
            ulong made;
            fixed (ulong* data = &MemoryMarshal.GetReference(followers)) Check(Native.nt_crowd_add_group(It, leader, data, (UIntPtr)followers.Length, formation, spacing, &made));
            return made;
        }
        public void RemoveGroup(ulong group) { Check(Native.nt_crowd_remove_group(It, group)); }
        public void SendGroup(ulong group, NtPlace to) { Check(Native.nt_crowd_send_group(It, group, to)); }
        public void SetFormation(ulong group, uint formation, float spacing) { Check(Native.nt_crowd_set_formation(It, group, formation, spacing)); }
        /// <summary>Two numbers a slot: to the right of the leader's direction, and along it.</summary>
        public void SetSlots(ulong group, ReadOnlySpan<float> slots, float spacing) { fixed (float* data = &MemoryMarshal.GetReference(slots)) Check(Native.nt_crowd_set_slots(It, group, data, (UIntPtr)(slots.Length / 2), spacing)); }
        public void Join(ulong group, ulong agent) { Check(Native.nt_crowd_join(It, group, agent)); }
        public void LeaveGroup(ulong agent) { Check(Native.nt_crowd_leave_group(It, agent)); }
        public void FollowGroup(ulong agent, ulong group) { Check(Native.nt_crowd_follow_group(It, agent, group)); }
        public NtGroupView Group(ulong group) { NtGroupView view; Check(Native.nt_crowd_group(It, group, &view)); return view; }
        public ulong[] Followers(ulong group) => List<ulong>(16, (data, capacity, count) => Native.nt_crowd_followers(It, group, (ulong*)data, capacity, count));
        public ulong? GroupOf(ulong agent) { ulong group; return Found(Native.nt_crowd_group_of(It, agent, &group)) ? group : (ulong?)null; }
        public NtSlot? Slot(ulong agent) { NtSlot slot; return Found(Native.nt_crowd_slot(It, agent, &slot)) ? slot : (NtSlot?)null; }
        /// <summary>One search for all agents with the same goals.</summary>
        public ulong AddField(Mesh mesh, ReadOnlySpan<NtPlace> goals, float bound = float.PositiveInfinity, uint filter = 0)
        {
            ulong made;
            fixed (NtPlace* data = &MemoryMarshal.GetReference(goals)) Check(Native.nt_crowd_add_field(It, mesh.It, data, (UIntPtr)goals.Length, bound, filter, &made), mesh);
            return made;
        }
        public void RemoveField(ulong field) { Check(Native.nt_crowd_remove_field(It, field)); }
        public void FollowField(ulong agent, ulong field) { Check(Native.nt_crowd_follow_field(It, agent, field)); }
        public float? FieldCost(Mesh mesh, ulong field, NtPlace from) { float cost; return Found(Native.nt_crowd_field_cost(It, mesh.It, field, from, &cost), mesh) ? cost : (float?)null; }
        /// <summary>Exits that agents choose among by queue as well as by distance.</summary>
        public ulong AddExits(Mesh mesh, ReadOnlySpan<NtExit> exits, uint filter = 0)
        {
            ulong made;
            fixed (NtExit* data = &MemoryMarshal.GetReference(exits)) Check(Native.nt_crowd_add_exits(It, mesh.It, data, (UIntPtr)exits.Length, filter, &made), mesh);
            return made;
        }
        public void RemoveExits(ulong exits) { Check(Native.nt_crowd_remove_exits(It, exits)); }
        public void FollowExits(ulong agent, ulong exits) { Check(Native.nt_crowd_follow_exits(It, agent, exits)); }
        /// <summary>Why an agent is much slower than it wants to be; null if nothing holds it up.</summary>
        public NtHoldUp? HoldUp(ulong agent) { NtHoldUp held; return Found(Native.nt_crowd_hold_up(It, agent, &held)) ? held : (NtHoldUp?)null; }
        public uint? ExitOf(ulong agent) { uint exit; return Found(Native.nt_crowd_exit_of(It, agent, &exit)) ? exit : (uint?)null; }
    }

    /// <summary>A level with obstacles that are added, moved and removed.</summary>
    public sealed unsafe class Cache : Owner
    {
        Cache(NtCache made) : base(made.id, id => Native.nt_cache_free(new NtCache { id = id })) { }
        NtCache It => new NtCache { id = Id };
        public static Cache Open(string path) { NtCache made; fixed (byte* name = Library.Text(path)) Library.Check(Native.nt_cache_open(name, &made)); return new Cache(made); }
        public static Cache FromBytes(ReadOnlySpan<byte> bytes) { NtCache made; fixed (byte* data = &MemoryMarshal.GetReference(bytes)) Library.Check(Native.nt_cache_from_bytes(data, (UIntPtr)bytes.Length, &made)); return new Cache(made); }
        /// <summary>A mesh of the current state of all tiles, for Apply.</summary>
        public Mesh Mesh(double[] anchor = null) { NtMesh made; fixed (double* at = Navtile.Mesh.Anchor(anchor)) Check(Native.nt_cache_mesh(It, at, &made)); return new Mesh(made); }
        public ulong Add(NtObstacleParams obstacle) { ulong made; Check(Native.nt_cache_add(It, &obstacle, &made)); return made; }
        /// <summary>Three numbers a point.</summary>
        public ulong AddHull(NtObstacleParams obstacle, ReadOnlySpan<double> points) { ulong made; fixed (double* data = &MemoryMarshal.GetReference(points)) Check(Native.nt_cache_add_hull(It, &obstacle, data, (UIntPtr)(points.Length / 3), &made)); return made; }
        /// <summary>Three numbers a vertex, three indices a triangle.</summary>
        public ulong AddMesh(NtObstacleParams obstacle, ReadOnlySpan<double> vertices, ReadOnlySpan<uint> triangles)
        {
            ulong made;
            fixed (double* points = &MemoryMarshal.GetReference(vertices)) fixed (uint* corners = &MemoryMarshal.GetReference(triangles)) Check(Native.nt_cache_add_mesh(It, &obstacle, points, (UIntPtr)(vertices.Length / 3), corners, (UIntPtr)(triangles.Length / 3), &made));
            return made;
        }
        /// <summary>Returns true if the move counts. Small moves count once they have added up.</summary>
        public bool Move(ulong obstacle, NtTransform place) { byte counts; Check(Native.nt_cache_move(It, obstacle, &place, &counts)); return counts != 0; }
        public void Remove(ulong obstacle) { Check(Native.nt_cache_remove(It, obstacle)); }
        public ulong[] Obstacles() => List<ulong>(64, (data, capacity, count) => Native.nt_cache_obstacles(It, (ulong*)data, capacity, count));
        /// <summary>The last applied place of an obstacle, for saved games.</summary>
        public NtTransform Place(ulong obstacle) { NtTransform place; Check(Native.nt_cache_places(It, obstacle, &place, null)); return place; }
        public void SetMovementThreshold(double metres) { Check(Native.nt_cache_set_movement_threshold(It, metres)); }
        /// <summary>Gives an obstacle an effect only while it keeps still; null for an effect at every place.</summary>
        public void SetStationary(ulong obstacle, NtStationary? rule) { NtStationary given = rule.GetValueOrDefault(); Check(Native.nt_cache_set_stationary(It, obstacle, rule == null ? null : &given)); }
        /// <summary>Counts time for obstacles that have an effect only while they keep still.</summary>
        public void Advance(double seconds) { Check(Native.nt_cache_advance(It, seconds)); }
        public bool IsMoving(ulong obstacle) { byte moves; Check(Native.nt_cache_is_moving(It, obstacle, &moves)); return moves != 0; }
        public void SetHeldLimit(ulong bytes) { Check(Native.nt_cache_set_held_limit(It, bytes)); }
        /// <summary>Three numbers a place, metres in the world.</summary>
        public void SetFocus(ReadOnlySpan<double> places) { fixed (double* data = &MemoryMarshal.GetReference(places)) Check(Native.nt_cache_set_focus(It, data, (UIntPtr)(places.Length / 3))); }
        public int Waiting { get { UIntPtr waiting; Check(Native.nt_cache_waiting(It, &waiting)); return (int)waiting; } }
        /// <summary>Bakes at most this many waiting tiles.</summary>
        public NtUpdate Update(int tiles) { NtUpdate update; Check(Native.nt_cache_update(It, (UIntPtr)tiles, 0, &update)); return update; }
        /// <summary>Bakes for about this long.</summary>
        public NtUpdate Update(TimeSpan time) { NtUpdate update; Check(Native.nt_cache_update(It, UIntPtr.Zero, time.TotalSeconds, &update)); return update; }
        /// <summary>Bakes all waiting tiles.</summary>
        public NtUpdate Wait() => Update(0);
        /// <summary>The tiles that the last update could not bake, with the reason, one per line.</summary>
        public string Failures() { NtBytes made; Check(Native.nt_cache_failures(It, &made)); return Encoding.UTF8.GetString(Bytes.Take(made)); }
        /// <summary>Replaces the changed tiles in the mesh that Mesh made.</summary>
        public NtApplied Apply(Mesh mesh) { NtApplied applied; Check(Native.nt_cache_apply(It, mesh.It, &applied), mesh); return applied; }
        public NtIslandPart[] Joined() => List<NtIslandPart>(16, (data, capacity, count) => Native.nt_cache_joined(It, (NtIslandPart*)data, capacity, count));
        public NtIslandPart[] Parted() => List<NtIslandPart>(16, (data, capacity, count) => Native.nt_cache_parted(It, (NtIslandPart*)data, capacity, count));
        /// <summary>The file of the level with its obstacles.</summary>
        public byte[] Write() { NtBytes made; Check(Native.nt_cache_write(It, &made)); return Bytes.Take(made); }
    }

    /// <summary>A level with its settings, ready to bake.</summary>
    public sealed unsafe class Bake : Owner
    {
        Bake(NtBake made) : base(made.id, id => Native.nt_bake_free(new NtBake { id = id })) { }
        NtBake It => new NtBake { id = Id };

        /// <summary>Three numbers a vertex, three indices a triangle; the settings are the text of a settings file.</summary>
        public static Bake OfTriangles(ReadOnlySpan<float> vertices, ReadOnlySpan<uint> triangles, string settings = null)
        {
            NtBake made;
            fixed (byte* text = Library.Text(settings)) fixed (float* points = &MemoryMarshal.GetReference(vertices)) fixed (uint* corners = &MemoryMarshal.GetReference(triangles))
                Library.Check(Native.nt_bake_from_triangles(points, (UIntPtr)(vertices.Length / 3), corners, (UIntPtr)(triangles.Length / 3), text, &made));
            return new Bake(made);
        }

        /// <summary>Level files and the files that they refer to, by their names with extensions.</summary>
        public static Bake OfFiles((string name, byte[] bytes)[] files, string settings = null)
        {
            var pins = new GCHandle[files.Length * 2];
            var list = new NtFile[files.Length];
            try
            {
                for (var at = 0; at < files.Length; at++)
                {
                    pins[2 * at] = GCHandle.Alloc(Library.Text(files[at].name), GCHandleType.Pinned);
                    pins[2 * at + 1] = GCHandle.Alloc(files[at].bytes, GCHandleType.Pinned);
                    list[at] = new NtFile { name = (byte*)pins[2 * at].AddrOfPinnedObject(), bytes = (byte*)pins[2 * at + 1].AddrOfPinnedObject(), length = (UIntPtr)files[at].bytes.Length };
                }
                NtBake made;
                fixed (NtFile* data = list) fixed (byte* text = Library.Text(settings)) Library.Check(Native.nt_bake_new(data, (UIntPtr)list.Length, text, &made));
                return new Bake(made);
            }
            finally
            {
                foreach (var pin in pins) if (pin.IsAllocated) pin.Free();
            }
        }

        /// <summary>A .navtile file for each agent. Blocks; see Progress and Cancel, for other threads.</summary>
        public byte[][] Run()
        {
            UIntPtr agents;
            Check(Native.nt_bake_agents(It, &agents));
            var handles = new NtBytes[(int)agents];
            // No function of C# is called by threads of the library: runtimes do not take well to threads
            // that they do not know.
            fixed (NtBytes* data = handles) Check(Native.nt_bake_run(It, null, null, data, agents));
            return Array.ConvertAll(handles, Bytes.Take);
        }

        /// <summary>Run on a thread of the pool. This thread calls progress with the finished part; it returns false to cancel the bake.</summary>
        public byte[][] Run(Func<float, bool> progress) => Watched<byte[][]>(Run, progress);

        private T Watched<T>(Func<T> work, Func<float, bool> progress)
        {
            var run = Task.Run(work);
            try
            {
                while (!run.Wait(10)) if (!progress(Progress)) Cancel();
            }
            catch (AggregateException) { } // thrown again below
            catch
            {
                Cancel();
                throw;
            }
            return run.GetAwaiter().GetResult();
        }

        /// <summary>The finished part of Run, 0 to 1.</summary>
        public float Progress { get { float part; Check(Native.nt_bake_progress(It, &part)); return part; } }
        /// <summary>Cancels Run soon.</summary>
        public void Cancel() { Check(Native.nt_bake_cancel(It)); }

        /// <summary>A file for a Cache, for the first agent.</summary>
        public byte[] RunDynamic() { NtBytes made; Check(Native.nt_bake_dynamic(It, null, null, &made)); return Bytes.Take(made); }
        /// <summary>RunDynamic on a thread of the pool; progress as in Run.</summary>
        public byte[] RunDynamic(Func<float, bool> progress) => Watched<byte[]>(RunDynamic, progress);
    }
}
