#!/usr/bin/env bash
# Bakes a level on a few machines by GNU parallel over ssh, or on this one, and joins the shard files.
#
#   farm/parallel/bake.sh -n SHARDS -o OUT.navtile [-w FOLDER] [-j JOBS] [-m HOSTS] -- LEVEL... [OPTIONS OF NAVTILE BAKE]
#
# HOSTS is a file with a host a line, as `parallel --sshloginfile` takes it; all of them see the level and FOLDER under the
# same names. FOLDER holds shard files and logs [default: OUT.navtile.shards]. A shard that fails is tried three times; called
# again, the script bakes those that are missing. NAVTILE names the program.
set -euo pipefail
usage() {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
shards='' out='' folder='' jobs=1 hosts=()
while getopts n:o:w:j:m: option; do
    case $option in
    n) shards=$OPTARG ;;
    o) out=$OPTARG ;;
    w) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    m) hosts=(--sshloginfile "$OPTARG" --workdir "$PWD") ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [[ ! $shards =~ ^[1-9][0-9]*$ || -z $out || $# -eq 0 ]]; then usage; fi
folder=${folder:-$out.shards}
navtile=${NAVTILE:-navtile}
mkdir -p "$folder"

missing=() files=()
for ((id = 1; id <= shards; id++)); do
    files+=("$folder/$id.navpart")
    if [[ ! -e $folder/$id.navpart ]]; then missing+=("$id"); fi
done
if ((${#missing[@]})); then
    # Quoted once, as the shell on the other host reads it again.
    bake=$(printf '%q ' "$navtile" bake "$@" --resume --quiet --threads 1)
    parts_of=$(printf '%q' "$folder")
    printf '%s\n' "${missing[@]}" | parallel --jobs "$jobs" --retries 3 --joblog "$folder/jobs.log" "${hosts[@]}" \
        "$bake --shard {}/$shards --events $parts_of/{}.events -o $parts_of/{}.navpart"
fi
exec "$navtile" join "${files[@]}" --report -o "$out"
