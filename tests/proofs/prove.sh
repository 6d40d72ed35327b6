#!/usr/bin/env bash
# prove.sh MODEL holds|fails [-D...]: has Spin look at every state of a model. `fails` asks for a counterexample: a model
# in which a planted fault is not found proves nothing. Status 77: Spin is not installed.
set -euo pipefail
model=$(readlink -f "$1") expected=$2
shift 2
command -v spin >/dev/null && command -v cc >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
spin -a "$@" "$model" >spin.txt || { cat spin.txt; exit 2; }
# The compiler would take longer to optimise it than the search gains. Twice: safety and deadlock, then what must happen for ever.
check() {
  if [[ $1 == safety ]]; then
    cc -w -DVECTORSZ=4096 -DSAFETY -DNOCLAIM -o pan pan.c
    ./pan -m2000000 >pan.txt 2>&1 || { cat pan.txt; exit 2; }
  else
    cc -w -DVECTORSZ=4096 -o pan pan.c
    ./pan -m2000000 -a >pan.txt 2>&1 || { cat pan.txt; exit 2; }
  fi
  grep -E "errors:|states, stored|assertion violated|invalid end state|acceptance cycle" pan.txt
  ! grep -q "search was not completed\|max search depth too small\|out of memory" pan.txt || [[ $expected == fails ]] || exit 2
  grep -q "errors: 0" pan.txt
}
outcome=fails
if check safety && { ! grep -q "^ltl" spin.txt || check liveness; }; then outcome=holds; fi
echo "$outcome, expected: $expected"
[[ $outcome == "$expected" ]]
