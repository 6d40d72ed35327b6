#!/usr/bin/env bash
# keep_platforms.sh KEPT_PLATFORMS_TEST: writes kept_platforms.txt anew, after a change that means to change results.
# The message of its commit says why they change.
set -euo pipefail
file=$(dirname -- "${BASH_SOURCE[0]}")/kept_platforms.txt
lines=$(mktemp)
trap 'rm -f -- "$lines"' EXIT
kinds=$("$1" --gtest_list_tests | sed -n 's|^.*/\([a-z_]*\)  .*|\1|p')
for kind in $kinds; do
  SPILLWAY_KEEP=1:48 "$1" --gtest_filter="*/$kind" | sed -n 's/^kept: //p'
done >"$lines"
{ sed -n '/^#/p' "$file"; cat "$lines"; } >"$lines.all"
mv -- "$lines.all" "$file"
