#!/usr/bin/env bash
# keep_commands.sh KEPT_COMMANDS_TEST: writes the sums of kept_settings.txt and kept_commands.txt anew, after a change that means to
# change results. The message of its commit says why they change.
set -euo pipefail
here=$(dirname -- "${BASH_SOURCE[0]}")
sums=$(mktemp)
trap 'rm -f -- "$sums"' EXIT
keep() {  # TEST, FILE, a part of its name: the lines that are no comments get the sums in order
  SPILLWAY_KEEP=1 "$1" --gtest_filter="*$3*" | sed -n 's/^kept: //p' | sort -n | cut -d' ' -f2- >"$sums"
  if [[ $(wc -l <"$sums") != $(grep -vc '^#\|^$' "$2") ]]; then
    echo "$2: a line has no sum, or more than one; nothing is written" >&2
    exit 1
  fi
  awk -v sums="$sums" '/^#/ || /^$/ { print; next } { getline line < sums; print line }' "$2" >"$sums.all"
  mv -- "$sums.all" "$2"
}
keep "$1" "$here/kept_settings.txt" settings_of
keep "$1" "$here/kept_commands.txt" commands_write
