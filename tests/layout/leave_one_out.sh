#!/usr/bin/env bash
# Leaves each mechanism out in turn, and those that need it: what is left links, and works as before.
# leave_one_out.sh [--link-only | --all-tests] BUILD_DIR [ROUND...]: a build folder (made if it is not there), whose choice of
# mechanisms is put back at the end. A round is a mechanism, or several in quotes; none given: each. A round links the command, and
# checks every shipped experiment that names a kind that was left out: it is accepted, or refused by that name. All are dealt out
# to the rounds, and in its round an experiment is run and delivers what it always does. With --link-only no experiment is
# tried, and without rounds there are two: without the first mechanism, and without all that can do without it. With
# --all-tests a round links all that remains too, and runs the tests that remain.
# That what stays asks for nothing of any other that is left out is seen in its symbols, too: mechanism_symbols.py.
# Objects are shared between the rounds: only the lists of built-ins are compiled anew.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
all_tests=
link_only=
if [[ ${1:-} == --all-tests ]]; then all_tests=yes && shift; fi
if [[ ${1:-} == --link-only ]]; then link_only=yes && shift; fi
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# Lines such as `feedback NEEDS packet nifdy`.
mapfile -t mechanisms < <(sed -n 's/^spillway_mechanism(\(.*\))$/\1/p' "$root/cmake/mechanisms.cmake")

# remaining LEFT_OUT...: all others that need none of them, in order, joined by semicolons.
remaining() {
  local out=" $* " line name changed=1 kept=()
  while ((changed)); do
    changed=0 kept=()
    for line in "${mechanisms[@]}"; do
      name=${line%% *}
      [[ $out == *" $name "* ]] && continue
      kept+=("$name")
      for needed in ${line#* NEEDS }; do
        if [[ $line == *NEEDS* && $out == *" $needed "* ]]; then out+="$name " changed=1; fi
      done
    done
  done
  (IFS=';' && printf '%s' "${kept[*]}")
}

# choose SPILLWAY_MECHANISMS: configures and builds, then says how many files were compiled for it.
choose() {
  cmake -S "$root" -B "$build" -DSPILLWAY_MECHANISMS="$1" >/dev/null
  local what=(--target spillway)
  [[ -z $all_tests ]] || what=()
  cmake --build "$build" "${what[@]}" >"$work/round.log" || { cat -- "$work/round.log"; return 1; }
  grep -c 'Building CXX' "$work/round.log" || true
}

# All kinds, each behind its axis.
kinds() {
  "$build/spillway" list | awk '/^[a-z]/ {axis = $1} /^  [a-z]/ {print axis, $1}' | sort -u
}

# one_experiment NAME SUM check|run: as above. Prints `accepted`, `ran`, `refused`, `untouched` or what is wrong.
one_experiment() {
  local yaml=$root/yaml/experiments/$1.yaml out=$work/$1 said axis kind
  if [[ $3 == check ]] && ! grep -qwFf "$work/gone_kinds" "$yaml"; then echo untouched && return; fi
  if said=$("$build/spillway" check "$yaml" 2>&1); then
    if [[ $3 == check ]]; then
      echo accepted
    elif ! said=$("$build/spillway" run "$yaml" --deliveries --no-report --out "$out" 2>&1); then
      printf 'wrong: %s: %s\n' "$1" "$said"
    elif said=$("$root/tests/tb/deliveries.sh" "$out/deliveries.csv") && [[ $said != "$2" ]]; then
      printf 'wrong: %s: delivered %s, not %s\n' "$1" "$said" "$2"
    else
      echo ran
    fi
    rm -rf -- "$out"
    return
  fi
  while read -r axis kind; do
    if [[ $said == *"$axis"*"found \"$kind\"" ]] && grep -q "\b$kind\b" "$yaml"; then echo refused && return; fi
  done <"$work/gone"
  printf 'wrong: %s: %s\n' "$1" "$said"
}
export -f one_experiment
export root build work

# try_experiments ROUND OF: those of the round are run, the others checked.
try_experiments() {
  comm -23 "$work/kinds" <(kinds) >"$work/gone"
  awk '{print $2}' "$work/gone" >"$work/gone_kinds"
  awk -v round="$1" -v of="$2" '/^[^#]/ && $4 != "slow" {print $1, $2, n++ % of == round ? "run" : "check"}' \
    "$root/tests/tb/deliveries.txt" | xargs -P "$(nproc)" -L 1 bash -c 'one_experiment "$@"' - >"$work/tried"
  printf '   %s experiments deliver the same, %s more are accepted, %s refused\n' "$(grep -cx ran "$work/tried")" \
    "$(grep -cx accepted "$work/tried")" "$(grep -cx refused "$work/tried")"
  ! grep wrong: "$work/tried" && grep -qx ran "$work/tried" && grep -qx refused "$work/tried"
}

# What builds from scratch, or takes long, says nothing about what is linked here; whole runs are those above.
try_tests() {
  ctest --test-dir "$build" -j "$(nproc)" --output-on-failure -LE '^(study|long|slurm|install|layout|night)$' \
    >"$build/without-$1.log" 2>&1 && local passed=yes
  grep -E 'tests passed|FAILED|\(Failed\)|\(Not Run\)|\(Timeout\)' "$build/without-$1.log" || true
  [[ -n ${passed:-} ]]
}

rounds=("$@")
if (($# == 0)); then
  rounds=("${mechanisms[@]%% *}")
  if [[ -n $link_only ]]; then
    rest=$(remaining "${rounds[0]}")
    rounds=("${rounds[0]}" "${rest//;/ }")
  fi
fi
# A round is a list of words.
# shellcheck disable=SC2048
for name in ${rounds[*]}; do
  [[ " ${mechanisms[*]%% *} " == *" $name "* ]] ||
    { echo "leave_one_out.sh: found \"$name\", expected one of ${mechanisms[*]%% *}" >&2 && exit 2; }
done

[[ -e $build/CMakeCache.txt ]] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
everything=""  # of which an empty list speaks
# However it ends, the folder is left with all of them chosen.
trap 'rm -rf -- "$work"; cmake -S "$root" -B "$build" -DSPILLWAY_MECHANISMS="$everything" >/dev/null' EXIT
choose "$everything" >/dev/null
kinds >"$work/kinds"
failed=() round=0 of=${#rounds[@]}
for name in "${rounds[@]}"; do
  # A round is a list of words.
  # shellcheck disable=SC2086
  with=$(remaining $name)
  printf '== without %s: %s\n' "$name" "${with//;/ }"
  if compiled=$(choose "$with"); then
    printf '   %s files compiled\n' "$compiled"
    [[ -n $link_only ]] || try_experiments $((round % of)) "$of" || failed+=("$name (experiments)")
    [[ -z $all_tests ]] || try_tests "$name" || failed+=("$name (tests)")
  else
    printf '%s\n' "$compiled" | grep -E 'error|undefined reference' | sort -u | head -20
    failed+=("$name (link)")
  fi
  ((++round))
done
choose "$everything" >/dev/null

if ((${#failed[@]})); then
  printf 'failed without: %s\n' "${failed[@]}"
  exit 1
fi
