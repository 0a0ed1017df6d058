#!/usr/bin/env bash
# Bakes a level on Slurm: an array of shards, and a join that starts when all of them are done. Prints the number of the
# join's job. Called again after shards were lost, it bakes those whose files are missing, and joins.
#
#   farm/slurm/bake.sh -n SHARDS -o OUT.navtile [-w FOLDER] [-s "OPTIONS OF SBATCH"] -- LEVEL... [OPTIONS OF NAVTILE BAKE]
#
# FOLDER holds shard files, events and logs, on a disk that all nodes see [default: OUT.navtile.shards]. NAVTILE names the program.
set -euo pipefail
usage() {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
shards='' out='' folder='' options=()
while getopts n:o:w:s: option; do
    case $option in
    n) shards=$OPTARG ;;
    o) out=$OPTARG ;;
    w) folder=$OPTARG ;;
    s) read -ra options <<<"$OPTARG" ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [[ ! $shards =~ ^[1-9][0-9]*$ || -z $out || $# -eq 0 ]]; then usage; fi
folder=${folder:-$out.shards}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

missing=()
for ((id = 1; id <= shards; id++)); do
    if [[ ! -e $folder/$id.navpart ]]; then missing+=("$id"); fi
done
after=()
if ((${#missing[@]})); then
    array=$(sbatch --parsable "${options[@]}" --array="$(IFS=,; echo "${missing[*]}")" --output="$folder/%a.log" \
        "$here/shard.sbatch" "$shards" "$folder" "$@")
    # A shard that fails for good takes the join with it, instead of leaving it in the queue for ever.
    after=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
fi
sbatch --parsable "${options[@]}" "${after[@]}" --output="$folder/join.log" "$here/join.sbatch" "$shards" "$folder" "$out"
