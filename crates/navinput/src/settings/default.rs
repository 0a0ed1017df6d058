//! The commented settings file: every key with its unit, limit, default and the reason for it.

/// A settings file that says what every key means and gives every default. Reading it gives
/// `Settings::default()`. Keys whose default follows the cell stand in comments, with the value they have then.
pub fn default_toml() -> &'static str {
    DEFAULT
}

const DEFAULT: &str = r#"# Settings of a navtile bake. Lengths are metres, areas square metres, angles degrees; Y is up.
# A key that is left out has the default shown here. Most keys are options of `navtile bake` as well (`agent.radius` is
# `--agent-radius`); an option wins over this file.

# Width of a cell in x and z, metres, 0.001 to 1000. Half to a third of the agent's radius: smaller follows
# walls more closely, and costs time and memory with its square.
cell_size = 0.3

# Height of a cell, metres, 0.001 to 1000. Steps and clearances are told apart no finer than this.
cell_height = 0.2

# How the walkable surface is cut into regions:
#   "watershed"  slowest, the best polygons, no long slivers
#   "monotone"   fast, long thin polygons
#   "layers"     fast, good for tiles
partition = "watershed"

# Most vertices of a polygon, 3 to 255. More make fewer polygons; 6 keeps them compact.
max_vertices = 6

# Whether each area is replaced by the median of its neighbourhood: it rounds off ragged borders of areas.
median_filter = false

# Bake only this part of the world: smallest and largest corner, metres.
# Default: the bounds of the level's triangles.
# bounds = [[-10.0, -5.0, -10.0], [10.0, 5.0, 10.0]]

# Width of tiles: "auto" by the size of the level, "off" for a single tile, or metres, greater than 0.
# tile_size = "auto"

# Keep only polygons that can be reached from this point, metres. Default: keep all.
# reachable_from = [0.0, 0.0, 0.0]

# Memory that a bake may ask for, bytes. A level that needs more is refused before anything is allocated.
# 8589934592 is 8 GiB.
memory_bound = 8589934592

[agent]
# Radius, metres, 0 to 10000. The mesh keeps this far from walls, rounded up to whole cells.
radius = 0.6

# Height, metres, 0.001 to 10000. Where the ceiling is lower there is no mesh. Rounded up to whole cells.
height = 2.0

# Highest step that the agent climbs, metres, 0 to 10000. Rounded down to whole cells.
climb = 0.9

# Steepest slope that the agent walks, degrees, from 0 up to, but less than, 90.
slope = 45.0

# Several agents instead of the one above: take `[agent]` out and write an `[[agent]]` for each. `name` is asked for:
# letters, digits, `-` and `_`, no two alike. The others default as above. `region_min_area` is `regions.min_area` for
# this agent alone.
#   [[agent]]
#   name = "person"
#   radius = 0.4
#   height = 1.8
#   [[agent]]
#   name = "ogre"
#   radius = 1.2
#   height = 4.0
#   climb = 1.2
#   slope = 50.0
#   region_min_area = 30.0

# How level files are read.
[input]
# The axis that points upwards in them, "y" or "z". With "z", (x, y, z) becomes (x, z, -y).
up = "y"

# Metres of one unit of the file, greater than 0: 0.01 for a level in centimetres.
scale = 1.0

# What of them is baked, by names of materials, groups, objects and nodes; `*` stands for any characters. A node stands
# for everything below it. If there is any include list, only triangles that fit one of the includes stay; then those
# go that fit an exclude. A name that the level does not have is an error. Default: everything is baked.
# include_materials = ["ground*"]
# include_groups = ["terrain"]
# include_objects = ["walls*"]
# include_nodes = ["level/static"]
# exclude_materials = ["glass"]
# exclude_groups = ["bushes*"]
# exclude_objects = ["decals"]
# exclude_nodes = ["*_no_nav"]

# How maps of polygons (.geojson, .poly) lie in the world: where their x and y point, "x", "-x", "z" or "-z", one of them
# along x and one along z. As it stands, a map seen from above looks as it is drawn.
[map]
x = "x"
y = "-z"

# Height of the ground, metres, within 1000000 of 0.
height = 0.0

# Spacing of the grid that corners are put on, metres, greater than 0; the next smaller power of two is taken.
# Default: what cuts the longer side of the map into at most 2^24.
# spacing = 0.0001

# Layers of a map that lie at another height, one `[[layer]]` for each. Off-mesh connections join layers.
# [[layer]]
# number = 1
# height = 4.0

[regions]
# Smallest island that is kept, square metres, 0 to 1e9. Default: 8 cells on a side.
# min_area = 5.76

# Regions up to this size are merged into a neighbour where that is possible, square metres, 0 to 1e9.
# Default: 20 cells on a side.
# merge_area = 36.0

[contours]
# Longest edge along walls, metres, 0 (any length) to 1000000. Shorter edges make rounder polygons.
max_edge_length = 12.0

# Whether edges longer than that are split along walls, and whether between areas.
split_walls = true
split_areas = false

# Largest distance between an edge and the raw outline, metres, 0 to 10000. Default: 1.3 cells.
# max_error = 0.39

[detail]
# Spacing of height samples, metres, 0 (none) to 10000; less than 0.9 of a cell is none. Default: 6 cells.
# sample_distance = 1.8

# Largest height error of the detail mesh, metres, 0 to 10000. Default: 1 cell height.
# max_error = 0.2

# Areas: what a surface is. One `[[area]]` for each; plain ground (63) is always there.
[[area]]
# 1 to 255.
id = 63
# 1 to 255 bytes, no two alike.
name = "ground"
# 32 flags that polygons of this area carry, for filters. Default 1. `navtile path` keeps off an area whose
# flags are 0.
flags = 1
# Cost of one metre, at least 0.001. Default 1.
cost = 1.0
# Which surfaces of the level have this area: names of materials, groups, objects and nodes; `*` stands for any
# characters, and a node for everything below it. Where several areas fit, the last of this file counts; where none does, it is ground. A name that
# the level does not have is an error. Default: none.
# materials = ["mud", "wet*"]
# groups = ["courtyard"]
# objects = ["floor*"]
# nodes = ["level/river"]

# Volumes: shapes that give the ground within them another area, one `[[volume]]` for each. Where they overlap, the
# later one counts. `area` is the name or id of an area; "none" makes the ground unwalkable, for good.
# [[volume]]
# shape = "box"
# min = [-1.0, -0.5, -1.0]
# max = [1.0, 2.0, 1.0]
# area = "ground"

# A box turned about the vertical: `yaw` is degrees from the x axis towards the z axis.
# [[volume]]
# shape = "rotated_box"
# centre = [4.0, 0.5, 2.0]
# half_extents = [2.0, 1.0, 0.5]
# yaw = 30.0
# area = "ground"

# An outline seen from above, corners x and z, between two heights. It may be concave, but must not cross itself.
# `offset` moves its edges outwards, metres, 0 to 10000; default 0.
# [[volume]]
# shape = "prism"
# outline = [[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]
# bottom = -0.5
# top = 2.0
# offset = 0.5
# area = "none"

# An upright cylinder on the middle of its base.
# [[volume]]
# shape = "cylinder"
# base = [5.0, 0.0, 5.0]
# radius = 1.5
# height = 2.0
# area = "none"

# All points within `radius` of the way from a to b.
# [[volume]]
# shape = "capsule"
# a = [0.0, 0.0, 0.0]
# b = [4.0, 0.0, 0.0]
# radius = 1.0
# area = "ground"

# Off-mesh connections: ways that no surface makes, such as jumps and ladders, one `[[off_mesh]]` for each. Paths
# take them where both ends meet the mesh.
# [[off_mesh]]
# Both ends, metres.
# start = [0.0, 3.0, 0.0]
# end = [2.0, 0.0, 0.0]
# How far from an end the mesh may be, metres, greater than 0.
# radius = 0.5
# Whether it leads back as well. Default true.
# both_ways = false
# The name or id of its area. Default ground.
# area = "ground"
# Its flags. Default: those of its area.
# flags = 0x08
# A number for the game's own purposes. Default: its place among the connections, from 1.
# user_id = 1
"#;
