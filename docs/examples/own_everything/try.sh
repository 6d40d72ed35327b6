#!/usr/bin/env bash
# Uses the entries in every command: try.sh COMMAND FOLDER_OF_EXPERIMENTS
set -euo pipefail
command=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  printf 'try.sh: %s\n' "$1" >&2
  exit 1
}

# Known by name, with their keys, wherever entries are said.
"$command" list >"$work/list"
"$command" list --schema >"$work/schema"
"$command" list --reference >"$work/reference"
for kind in leaf_spine least_loaded summed newest_first metered zipf volley relay; do
  for said in list schema reference; do
    grep -qw "$kind" "$work/$said" || fail "$kind is not in the $said"
  done
done
"$command" check "$folder/storm.yaml" --set switch.dept=3 2>"$work/said" && fail "a key that is not there was taken"
grep -q "did you mean 'depth'" "$work/said" || fail "no word of the key that was meant: $(cat "$work/said")"

# The same packets at the same times on all kernels, and nothing to say against them.
for experiment in storm relay; do
  "$command" check "$folder/$experiment.yaml" >/dev/null
  for kernel in fast signals doubting; do
    "$command" run "$folder/$experiment.yaml" --kernel $kernel --no-report --deliveries --out "$work/$experiment.$kernel" >/dev/null
  done
  for kernel in signals doubting; do
    cmp "$work/$experiment".{fast,$kernel}/deliveries.csv || fail "$experiment is another on the $kernel kernel"
  done
  [[ $(wc -l <"$work/$experiment.fast/deliveries.csv") -gt 80 ]] || fail "$experiment delivers too little"
done

# The checker of the switch's own link finds the fault, and the waveform has a group a link, with its own pin.
for kernel in fast signals; do
  "$command" run "$folder/storm.yaml" --kernel $kernel --set switch.wrong_at=150 --no-report --out "$work/wrong.$kernel" \
    >"$work/said" && fail "a wrong sum was not found on the $kernel kernel"
  grep -q 'SM1 broken on network.link_switch_0_0 at cycle 151' "$work/said" || fail "$(cat "$work/said")"
done
"$command" run "$folder/storm.yaml" --no-report --out "$work/wave" --vcd "$work/w.vcd" >/dev/null
[[ $(grep -c '^-network.link_switch_0_5$' "$work/w.gtkw") == 2 ]] || fail "the link has no group"
grep -q '^SystemC.network.column_0.switch_0.out_5.sum' "$work/w.gtkw" || fail "its own pin is not in the waveform"
"$command" graph "$folder/storm.yaml" -o "$work/w.dot"
