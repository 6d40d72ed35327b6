#!/usr/bin/env bash
# Same seed, same bytes: same_bytes.sh COMMAND OTHER_COMMAND EXPERIMENT.yaml...
# Runs each experiment with two builds of the command and compares every delivery.
set -euo pipefail

if (($# < 3)); then
  echo "usage: same_bytes.sh COMMAND OTHER_COMMAND EXPERIMENT.yaml..." >&2
  exit 2
fi
one=$1
other=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

status=0
for experiment in "$@"; do
  name=$(basename -- "$experiment" .yaml)
  "$one" run "$experiment" --out "$work/$name/one" --deliveries >/dev/null
  "$other" run "$experiment" --out "$work/$name/other" --deliveries >/dev/null
  deliveries=$(wc -l <"$work/$name/one/deliveries.csv")
  # The first line is the head of the table: a run without deliveries shows nothing.
  if ((deliveries < 2)); then
    echo "same_bytes: $experiment: nothing was delivered" >&2
    status=1
  elif ! cmp -- "$work/$name/one/deliveries.csv" "$work/$name/other/deliveries.csv"; then
    echo "same_bytes: $experiment: the two builds differ" >&2
    status=1
  else
    echo "same_bytes: $experiment: $((deliveries - 1)) deliveries, equal"
  fi
done
exit "$status"
