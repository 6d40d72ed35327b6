#!/usr/bin/env bash
# Runs the four ways to use the memory and holds them to what the page says: try.sh COMMAND FOLDER
set -euo pipefail
command=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  printf 'try.sh: %s\n' "$1" >&2
  exit 1
}
# A counter of a run, as a whole number of thousandths.
counter() {
  local value
  value=$(grep -o "\"$2\": [0-9.e+]*" "$work/$1/result.json" | cut -d' ' -f2)
  [[ -n $value ]] || fail "$1 has no $2"
  LC_ALL=C awk -v v="$value" 'BEGIN { printf "%d", v * 1000 }'
}
run() {
  local name=$1
  shift
  "$command" run "$folder/hbm.yaml" --no-report --out "$work/$name" "$@" >/dev/null
  [[ $(counter "$name" accesses.done) == $((56 * 200 * 1000)) ]] || fail "$name does not answer all"
}

run uniform
run next --set workload.pattern=stride
run eighth --set workload.pattern=stride --set workload.stride=8
run hashed --set workload.pattern=stride --set workload.stride=8 --set workload.hash=true
run page --set workload.pattern=hot_page --set workload.interleave=32
run embedding --set workload.pattern=embedding --set workload.skew=1.2
run combined --set workload.pattern=embedding --set workload.skew=1.2 --set 'switch={kind: combining, depth: 4, overtakes: true}'

# A stride of as many accesses as there are channels meets one of them; a hash spreads it again.
[[ $(counter eighth accesses.busiest) == 1000 ]] || fail "a stride of 8 meets more than one channel"
(($(counter hashed accesses.busiest) < 200)) || fail "hashed accesses are not spread"
(($(counter eighth accesses.end) > 4 * $(counter hashed accesses.end))) || fail "one channel is not slower than eight"
# Neighbours share rows, random accesses do not.
(($(counter next dram.row_hits) > 3 * $(counter uniform dram.row_hits))) || fail "neighbours do not share rows"
# A page within one channel holds up half of all accesses.
(($(counter page accesses.end) > 2 * $(counter uniform accesses.end))) || fail "a hot page costs nothing"
(($(counter embedding accesses.busiest) > $(counter uniform accesses.busiest))) || fail "Zipf's law is not felt"
# Switches that combine reads of a line leave less for the channels to do.
(($(counter combined dram.reads) + $(counter combined combining.merged) == $(counter embedding dram.reads))) || fail "reads are lost or made up"
(($(counter combined accesses.end) < $(counter embedding accesses.end) * 9 / 10)) || fail "combining reads gains nothing"
