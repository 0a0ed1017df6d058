#!/usr/bin/env python3
"""Reads a .navtile file and prints a summary as JSON. Python's standard library is all it needs.

It is written from docs/format.md alone and shares no code with the Rust crates, so it shows that the document is
enough to read the format. It checks versions, checksums, places and indices, not every rule of a tile: that is
what `navtile verify` is for.

    python3 navtile_reader.py level.navtile
"""

import json
import struct
import sys
import zlib
from collections import Counter

HEAD, TILE_HEADER, ROOT, ENTRY = 4096, 256, struct.Struct("<8Q6I"), struct.Struct("<3iI2Q2I16s8s")
TILE = struct.Struct("<8s2IQ2I3i2I4B5d3q4f3i3iI")
POLYGON, EDGE, PORTAL = struct.Struct("<4I4B2H"), struct.Struct("<2I2BH"), struct.Struct("<I2BH4i")
CORNER, DETAIL = struct.Struct("<3i"), struct.Struct("<3HH")
STRIDES = {1: 12, 2: 24, 3: 12, 4: 24, 5: 8, 6: 64, 7: 64}
PARTITIONS = ["watershed", "monotone", "layers"]
EDGE_KINDS = ["wall", "internal", "portal"]


class Broken(Exception):
    """The file is not what the format's description says."""


def need(condition, what):
    """Refuses the file unless the condition holds."""
    if not condition:
        raise Broken(what)


def cut(data, offset, length, what):
    """The bytes of one part, which must lie within the data."""
    need(offset + length <= len(data), f"{what}: {offset} + {length} is behind the end, {len(data)}")
    return data[offset:offset + length]


def check_crc(part, expected, what, field=None):
    """Compares the CRC-32 of a part, whose own checksum field, if it has one, counts as zero."""
    if field is not None:
        part = part[:field] + bytes(4) + part[field + 4:]
    need(zlib.crc32(part) == expected, f"{what}: checksum {zlib.crc32(part):#010x}, expected {expected:#010x}")


def read_root(data):
    """The valid root with the higher sequence."""
    need(len(data) >= HEAD, f"{len(data)} bytes are no file: the head has {HEAD}")
    magic, version, head_length = struct.unpack_from("<8s2I", data)
    need(magic == b"NAVFILE\0" and version == 1 and head_length == HEAD, f"head: {magic} {version} {head_length}")
    names = ["sequence", "file_length", "meta_offset", "meta_length", "directory_offset", "directory_count",
             "graph_offset", "graph_length", "meta_crc", "directory_crc", "graph_crc", "flags", "reserved", "crc"]
    roots = []
    for offset in (1024, 2048):
        part = data[offset:offset + ROOT.size]
        root = dict(zip(names, ROOT.unpack(part)))
        if root["sequence"] and zlib.crc32(part[:84] + bytes(4)) == root["crc"]:
            roots.append(root)
    need(roots, "head: no valid root")
    root = max(roots, key=lambda one: one["sequence"])
    # Bits 0 and 1 announce cached spans and a hierarchy, which a reader of tiles may leave alone.
    need(root["flags"] & ~3 == 0 and root["reserved"] == 0, "root: flags this reader does not know")
    need(root["file_length"] <= len(data), f"root: {root['file_length']} bytes expected, {len(data)} found")
    return root


class Cursor:
    """Reads one field after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        """The next fields: a tuple, or the value if there is one."""
        size = struct.calcsize("<" + layout)
        values = struct.unpack("<" + layout, cut(self.data, self.at, size, "metadata"))
        self.at += size
        return values if len(values) > 1 else values[0]


def read_meta(part):
    """The metadata as a dictionary."""
    cursor = Cursor(part)
    agent = cursor.take("4d")
    meta = {"agent": dict(zip(["radius", "height", "climb", "slope"], agent))}
    partition = cursor.take("B")
    need(partition < len(PARTITIONS), f"metadata: partition {partition}")
    meta["partition"] = PARTITIONS[partition]
    meta["max_vertices"] = cursor.take("I")
    names = ["region_min_area", "region_merge_area", "max_edge_length", "contour_max_error",
             "detail_sample_distance", "detail_max_error", "split_walls", "split_areas", "median_filter", "volumes",
             "off_mesh_connections", "marks_digest"]
    meta.update(zip(names, cursor.take("6d3B2I16s")))
    meta["marks_digest"] = meta["marks_digest"].hex()
    meta["reachable_from"] = list(cursor.take("3d")) if cursor.take("B") else None
    meta["origin"] = list(cursor.take("3d"))
    meta["cell_size"], meta["cell_height"], meta["tile_cells"], digest = cursor.take("2dI16s")
    meta["geometry_digest"] = digest.hex()
    meta["areas"] = []
    for _ in range(cursor.take("Q")):
        number, length = cursor.take("BQ")
        name = cursor.take(f"{length}s").decode("utf-8")
        flags, cost = cursor.take("If")
        meta["areas"].append({"id": number, "name": name, "flags": flags, "cost": cost, "colour": None})
    if cursor.at < len(part):
        by_number = {area["id"]: area for area in meta["areas"]}
        for _ in range(cursor.take("Q")):
            number, *colour = cursor.take("4B")
            need(number in by_number, f"metadata: a colour for area {number}, which is not there")
            by_number[number]["colour"] = colour
    meta["outlines"] = "cells"
    if cursor.at < len(part):
        need(cursor.take("B") == 1, "metadata: outlines other than 1")
        meta["outlines"] = "exact"
    need(cursor.at == len(part), f"metadata: {len(part) - cursor.at} bytes too many")
    return meta


def read_sections(blob):
    """The header's fields and the bytes of the seven sections, by kind."""
    need(len(blob) >= TILE_HEADER, f"{len(blob)} bytes are no tile")
    names = ["magic", "version", "section_count", "length", "crc", "reserved", "x", "z", "layer", "width", "depth",
             "shift_x", "shift_y", "shift_z", "shift_3", "origin_x", "origin_y", "origin_z", "cell_size",
             "cell_height", "base_x", "base_y", "base_z", "radius", "height", "climb", "slope", "min_x", "min_y",
             "min_z", "max_x", "max_y", "max_z", "polygon_vertex_count"]
    header = dict(zip(names, TILE.unpack_from(blob)))
    need(header["magic"] == b"NAVTILE\0" and header["version"] == 1, "tile: magic or version")
    need(header["length"] == len(blob), f"tile: length {header['length']} of {len(blob)}")
    check_crc(blob, header["crc"], "tile", 24)
    table = cut(blob, TILE_HEADER, 16 * header["section_count"], "section table")
    sections = {}
    for kind, stride, offset, length in struct.iter_unpack("<4I", table):
        if kind not in STRIDES and kind >> 31:
            continue
        need(STRIDES.get(kind) == stride, f"section {kind}: stride {stride}")
        sections[kind] = cut(blob, offset, length, f"section {kind}")
    need(len(sections) == len(STRIDES), f"tile: sections {sorted(sections)}")
    return header, sections


def check_polygon(index, polygon, edges, polygons, vertices, portals):
    """Checks one polygon's indices; returns twice its area in 1/256 cells and counts its edges by kind."""
    first, count = polygon[0], polygon[4]
    corners, kinds = [], Counter()
    for number in range(first, first + count):
        vertex, neighbour, kind, twin, _ = edges[number]
        corners.append(vertices[vertex])
        kinds[EDGE_KINDS[kind]] += 1
        if kind == 1:
            need(twin < polygons[neighbour][4], f"polygon {index}: its twin is no edge of polygon {neighbour}")
            back = edges[polygons[neighbour][0] + twin]
            need(back[1:4] == (index, 1, number - first), f"polygon {index}: the twin of an edge leads elsewhere")
        if kind == 2:
            need(portals[neighbour][:2] == (index, number - first), f"polygon {index}: portal of another edge")
    pairs = zip(corners, corners[1:] + corners[:1])
    twice = sum(b[0] * a[2] - a[0] * b[2] for a, b in pairs)
    need(twice > 0, f"polygon {index}: no area, or wound the other way")
    return twice, kinds


def unpack(block, length):
    """The bytes of an LZ4 block, which must have the given length."""
    need(len(block) < length <= 8 * len(block), f"{len(block)} bytes cannot stand for {length}")
    out, at = bytearray(), 0

    def extended(count):
        nonlocal at
        if count == 15:
            while block[at] == 255:
                count, at = count + 255, at + 1
            count, at = count + block[at], at + 1
        return count

    try:
        while True:
            token, at = block[at], at + 1
            literals = extended(token >> 4)
            out += cut(block, at, literals, "literals")
            at += literals
            if at == len(block):
                break
            distance, at = block[at] | block[at + 1] << 8, at + 2
            need(0 < distance <= len(out), f"a match {distance} bytes back, at {len(out)}")
            for _ in range(min(extended(token & 15) + 4, length + 1 - len(out))):
                out.append(out[-distance])
    except IndexError as error:
        raise Broken("an LZ4 block ends within a sequence") from error
    need(len(out) == length, f"{len(out)} bytes unpacked, {length} expected")
    return bytes(out)


def read_tile(blob):
    """Counts and areas of one tile."""
    header, sections = read_sections(blob)
    rows = {kind: list(layout.iter_unpack(sections[kind]))
            for kind, layout in {1: CORNER, 2: POLYGON, 3: EDGE, 4: PORTAL, 5: DETAIL}.items()}
    vertices, polygons, edges, portals, details = (rows[kind] for kind in (1, 2, 3, 4, 5))
    unit = header["cell_size"] / 256
    counts, count_by_area, twice_by_area = Counter(), Counter(), Counter()
    try:
        for index, polygon in enumerate(polygons):
            twice, kinds = check_polygon(index, polygon, edges, polygons, vertices, portals)
            corner_count = polygon[4] + polygon[8]
            for triangle in details[polygon[2]:polygon[2] + polygon[9]]:
                need(max(triangle[:3]) < corner_count, f"polygon {index}: a detail triangle of another's vertices")
            counts.update(kinds)
            count_by_area[polygon[5]] += 1
            twice_by_area[polygon[5]] += twice
    except IndexError as error:
        raise Broken("an index leads behind the end of its section") from error
    counts.update({"polygons": len(polygons), "vertices": len(vertices), "edges": len(edges),
                   "polygon_vertices": header["polygon_vertex_count"], "portals": len(portals),
                   "detail_triangles": len(details), "off_mesh_links": len(sections[7]) // STRIDES[7]})
    area = {number: twice / 2 * unit * unit for number, twice in twice_by_area.items()}
    return header, counts, count_by_area, area


def summary(data):
    """What the file holds."""
    root = read_root(data)
    data = data[:root["file_length"]]
    part = cut(data, root["meta_offset"], root["meta_length"], "metadata")
    check_crc(part, root["meta_crc"], "metadata")
    meta = read_meta(part)
    directory = cut(data, root["directory_offset"], root["directory_count"] * ENTRY.size, "directory")
    check_crc(directory, root["directory_crc"], "directory")
    graph = cut(data, root["graph_offset"], root["graph_length"], "island graph")
    need(root["graph_offset"] == 0 or zlib.crc32(graph) == root["graph_crc"], "island graph: checksum")
    totals, polygons, areas, tiles = Counter(), Counter(), Counter(), []
    for x, z, layer, flags, offset, length, crc, raw_length, input_hash, _ in ENTRY.iter_unpack(directory):
        place = [x, z, layer]
        need(flags in (0, 1), f"tile {place}: flags {flags:#x} this reader does not know")
        stored = cut(data, offset, length, f"tile {place}")
        check_crc(stored, crc, f"tile {place}")
        blob = unpack(stored, raw_length) if flags else stored
        header, counts, count_by_area, area = read_tile(blob)
        need([header[key] for key in ("x", "z", "layer")] == place, f"tile {place}: it says it stands elsewhere")
        totals.update(counts)
        polygons.update(count_by_area)
        areas.update(area)
        tiles.append({"at": place, "bytes": len(blob), "stored": length, "polygons": counts["polygons"], "input_hash": input_hash.hex()})
    known = {row["id"]: row["name"] for row in meta["areas"]}
    by_area = [{"id": number, "name": known.get(number), "polygons": polygons[number], "walkable_area": areas[number]}
               for number in sorted(polygons)]
    return {"sequence": root["sequence"], "meta": meta, "tile_count": len(tiles), "counts": dict(sorted(totals.items())),
            "areas": by_area, "walkable_area": sum(areas.values()), "tiles": tiles}


def main(arguments):
    """Prints the summary of the file named, or says what is wrong with it."""
    if len(arguments) != 2:
        print("usage: navtile_reader.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[1], "rb") as file:
            print(json.dumps(summary(file.read()), indent=2))
    except (Broken, OSError, UnicodeDecodeError, struct.error) as error:
        print(f"{arguments[1]}: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
