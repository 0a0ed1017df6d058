// Bakes a level from arrays, asks for a route, lets a crowd walk, and closes a door: all in C#.
using System;
using Navtile;

static class Walk
{
    static void Must(bool good, string what)
    {
        if (!good) throw new Exception(what);
    }

    static void Main()
    {
        // A floor of 20 by 12 metres, and a wall across it that leaves 2 metres free at the far end.
        float[] vertices = {
            0, 0, 0, 0, 0, 12, 20, 0, 12, 20, 0, 0,
            9.8f, 0, 0, 9.8f, 3, 0, 9.8f, 0, 10, 9.8f, 3, 10, 10.2f, 0, 0, 10.2f, 3, 0, 10.2f, 0, 10, 10.2f, 3, 10,
        };
        uint[] triangles = {
            0, 1, 2, 0, 2, 3,
            4, 6, 7, 4, 7, 5, 8, 9, 11, 8, 11, 10, 5, 7, 11, 5, 11, 9, 6, 10, 11, 6, 11, 7, 4, 5, 9, 4, 9, 8,
        };
        var settings = "cell_size = 0.2\ntile_size = \"off\"\n[agent]\nradius = 0.4\n";
        NtVec3 from = new NtVec3(2, 0, 2), to = new NtVec3(18, 0, 2);
        using (var bake = Bake.OfTriangles(vertices, triangles, settings))
        {
            var file = bake.Run(part => part <= 1)[0];
            using (var mesh = Mesh.FromBytes(file))
            using (var query = new Query(mesh))
            {
                Console.WriteLine($"navtile {Library.Version}: {file.Length} bytes, {mesh.Info.polygons} polygons");
                var route = query.Route(from, to).Value;
                Span<NtVec3> points = new NtVec3[32];
                points = points.Slice(0, query.Points(points));
                Console.WriteLine($"{route.length:F2} m around the wall: {string.Join(" ", points.ToArray())}");
                Must(route.end == NtPathEnd.NT_PATH_COMPLETE && points.Length == query.Points().Length, "a route");
                Must(query.Points(Span<NtVec3>.Empty) == points.Length, "points without room");

                var goal = query.Nearest(to).Value.place;
                var corridor = new Corridor(query.Nearest(from).Value.place);
                Must(corridor.SetPath(query, to), "the path of a character");
                var corners = new NtCorner[4];
                var steps = 0;
                for (; corridor.Corners(query, corners) > 0 && steps < 10000; steps++)
                {
                    NtVec3 at = corridor.Position.point, next = corners[0].point;
                    var away = Math.Max(1e-6, Math.Sqrt((next.x - at.x) * (next.x - at.x) + (next.z - at.z) * (next.z - at.z)));
                    var part = (float)(Math.Min(0.05, away) / away);
                    corridor.Move(query, new NtVec3(at.x + (next.x - at.x) * part, at.y, at.z + (next.z - at.z) * part));
                }
                Console.WriteLine($"walked in {steps} steps");
                Must(steps < 10000, "the way of a character");

                using (var crowd = new Crowd())
                {
                    for (var i = 0; i < 10; i++) crowd.Send(crowd.Add(mesh, new NtVec3(1 + 1.2f * (i % 5), 0, 1 + 1.2f * (i / 5))), goal);
                    var arrived = 0;
                    for (var step = 0; step < 60 * 60 && arrived < 10; step++)
                    {
                        crowd.Step(mesh, 1f / 60);
                        foreach (var happened in crowd.Events()) if (happened.kind == NtEventKind.NT_EVENT_ARRIVED) arrived++;
                    }
                    Console.WriteLine($"{arrived} of 10 arrived, hash {crowd.Hash:x16}");
                    Must(arrived == 10, "all arrive");
                }
            }
            Must(bake.Progress == 1, "the progress of a bake");
            try
            {
                Mesh.FromBytes(new byte[9]);
                Must(false, "a file that is none");
            }
            catch (NavtileException error)
            {
                Must(error.Status == NtStatus.NT_ERROR_DATA, "the status of an error");
                Console.WriteLine($"an error: {error.Message}");
            }
        }
        Door(from, to, vertices, triangles);
        Far(from, to, vertices, triangles);
        using (var bake = Bake.OfTriangles(new float[] { 0, 0, 0, 0, 0, 600, 600, 0, 600, 600, 0, 0 }, new uint[] { 0, 1, 2, 0, 2, 3 }))
        {
            try
            {
                bake.Run(part => false);
                Must(false, "a bake that is ended");
            }
            catch (NavtileException error)
            {
                Must(error.Status == NtStatus.NT_ERROR_CANCELLED, "the status of a bake that is ended");
            }
        }
        var freed = Mesh.Empty();
        freed.Dispose();
        try
        {
            freed.Tiles();
            Must(false, "a mesh that was freed");
        }
        catch (ObjectDisposedException) { }
    }

    /// A door in the gap next to the wall closes and opens.
    static void Door(NtVec3 from, NtVec3 to, float[] vertices, uint[] triangles)
    {
        byte[] file;
        using (var bake = Bake.OfTriangles(vertices, triangles, "cell_size = 0.2\ntile_size = 5\n[agent]\nradius = 0.4\n")) file = bake.RunDynamic();
        using (var cache = Cache.FromBytes(file))
        using (var mesh = cache.Mesh())
        using (var query = new Query(mesh))
        {
            var door = cache.Add(Library.Obstacle(Native.NT_BODY_BOX, Native.NT_EFFECT_BLOCKS, 0.4, 3, 2, Library.Turned(0, 10, 0, 11)));
            while (cache.Update(2).left > 0) { }
            var shut = cache.Apply(mesh);
            query.Update(mesh);
            Must(query.Route(from, to).Value.end == NtPathEnd.NT_PATH_UNREACHABLE, "no way through a door that is shut");
            cache.Remove(door);
            cache.Update(TimeSpan.FromSeconds(60));
            var open = cache.Apply(mesh);
            query.Update(mesh);
            Must(query.Route(from, to).Value.end == NtPathEnd.NT_PATH_COMPLETE, "the way through a door that is open");
            Console.WriteLine($"a door: {shut.parted} island fell apart, {open.joined} joined");
            Must(new ReadOnlySpan<byte>(cache.Write()).SequenceEqual(file), "the file without obstacles");
        }
    }

    /// A far path around the wall, and the same path after its portals were closed.
    static void Far(NtVec3 from, NtVec3 to, float[] vertices, uint[] triangles)
    {
        byte[] file;
        var settings = "cell_size = 0.2\ntile_size = 4\n[agent]\nradius = 0.4\n[hierarchy]\ncluster = 4.0\nspacing = 2.0\n";
        using (var bake = Bake.OfTriangles(vertices, triangles, settings)) file = bake.Run()[0];
        using (var hierarchy = Hierarchy.FromBytes(file))
        using (var mesh = Mesh.FromBytes(file))
        using (var query = new Query(mesh))
        {
            NtPlace start = query.Nearest(from).Value.place, goal = query.Nearest(to).Value.place;
            var agents = hierarchy.Class("default").Value;
            var bounds = hierarchy.Plan(query, agents, start, goal).Value;
            var stops = query.FarStops();
            using (var route = new FarRoute(query))
            {
                var legs = route.LegsLeft;
                foreach (var stop in stops) route.Advance(stop.X, stop.Y, stop.Z);
                Console.WriteLine($"a far path of {bounds.lower:F1} to {bounds.upper:F1} m: {legs} legs, {route.ColumnsAhead(4).Length} columns of tiles at its end");
                Must(legs == stops.Length - 1 && route.LegsLeft == 1 && Math.Abs(route.Ahead.X - to.x) < 0.3, "the end of a far route");
                var portals = hierarchy.PortalsIn(new double[] { 10.5, -1, 7 }, new double[] { 13, 1, 13 });
                var changed = hierarchy.SetClosed(portals);
                Must(hierarchy.Closed().Length == portals.Length && hierarchy.PortalEnds(portals[0]).HasValue, "closed portals");
                Must(hierarchy.Plan(query, agents, start, goal) == null, "a plan through closed portals");
                using (var early = new FarRoute(query, 2)) Must(early.NeedsReplan(changed), "a route through closed portals");
                hierarchy.SetClosed(ReadOnlySpan<NtPortal>.Empty);
                Must(hierarchy.Plan(query, agents, start, goal) != null, "a plan through portals that are open again");
                Must(hierarchy.Update(mesh, mesh.Tiles()).Length == 0, "tiles that have not changed");
            }
        }
    }
}
