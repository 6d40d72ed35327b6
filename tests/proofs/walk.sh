#!/usr/bin/env bash
# walk.sh MODEL SEED STEPS [-D...]: prints a random walk of a model, a line a cycle of it, as kept in walks/ for
# the tests of replays. STEPS: those of Spin, of which a cycle takes many.
# walk.sh --check FILE: compares a kept walk with what its first line makes now. Status 77: Spin is not installed.
set -euo pipefail
folder=$(dirname "$(readlink -f "$0")")
if [[ $1 == --check ]]; then
  read -r -a words < <(sed -n '1s/^# walk.sh //p' "$2")
  made=$("$0" "${words[@]}") || exit "$?"
  diff "$2" - <<<"$made"
  exit
fi
model=$1 seed=$2 steps=$3
shift 3
command -v spin >/dev/null || exit 77
echo "# walk.sh $model $seed $steps${*:+ $*}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
spin -T "-n$seed" "-u$steps" -DWALK "$@" "$folder/$model.pml" | sed -n 's/^walk //p' | sed '$d' # of which the last may be half a line
