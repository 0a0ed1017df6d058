#!/usr/bin/env python3
"""Bakes a level on a Ray cluster: a task for each shard, and one that joins their files.

    farm/ray/bake.py -n SHARDS -o OUT.navtile [--threads N] [--address ADDRESS] -- LEVEL... [OPTIONS OF NAVTILE BAKE]

The level lies where every node finds it under the same name. Shard files travel through Ray's object store, so that nothing else
has to be shared. A task whose node dies is run again elsewhere; one that fails because the level or the settings are wrong
is not. NAVTILE names the program on the nodes.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import ray

PROGRAM = os.environ.get("NAVTILE", "navtile")


class BakeFailed(Exception):
    """A shard that failed, with the text of its error."""


def run(arguments):
    """Runs the program; its error is the exception's text."""
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise BakeFailed(f"status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


# Nodes that die are Ray's to replace; an error of the program would only come again.
@ray.remote(max_retries=3)
def bake_shard(program, share, shards, threads, arguments):
    """The bytes of the file of one shard."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, f"{share}.navpart")
        shard = ["--shard", f"{share}/{shards}", "--quiet", "--threads", str(threads), "-o", str(file)]
        run([program, "bake", *arguments, *shard])
        return file.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", "--shards", type=int, required=True)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--threads", type=int, default=1, help="threads, and so processors, of each task")
    parser.add_argument("--address", help="the cluster [default: $RAY_ADDRESS, else this machine]")
    parser.add_argument("arguments", nargs="+", metavar="LEVEL...", help="as for navtile bake")
    args = parser.parse_args()
    ray.init(address=args.address, log_to_driver=False, include_dashboard=False)
    tasks = {
        bake_shard.options(num_cpus=args.threads).remote(PROGRAM, share, args.shards, args.threads, args.arguments): share
        for share in range(1, args.shards + 1)
    }
    # Beside the result, which must have room for all of it anyway.
    with tempfile.TemporaryDirectory(dir=pathlib.Path(args.output).resolve().parent) as folder:
        files, waiting = [], list(tasks)
        while waiting:
            (done, *_), waiting = ray.wait(waiting)
            share = tasks.pop(done)
            try:
                file = pathlib.Path(folder, f"{share}.navpart")
                file.write_bytes(ray.get(done))
            except ray.exceptions.RayTaskError as error:
                sys.exit(f"share {share} of {args.shards}: {error.cause}")
            # Its bytes leave the object store with the last name of it.
            del done
            files.append(str(file))
        print(run([PROGRAM, "join", *files, "--report", "-o", args.output]), end="")


if __name__ == "__main__":
    main()
