#!/usr/bin/env bash
# Leaves each mechanism out in turn, and those that need it: what is left links, and the tests that remain pass.
# leave_one_out.sh BUILD_DIR [MECHANISM...]: a build folder of its own (made if it is not there); no names: all.
# Objects are shared between the rounds: only the lists of built-ins are compiled anew.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=$1
shift
[[ -e $build/CMakeCache.txt ]] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null

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

# round SPILLWAY_MECHANISMS: configures and builds, then says how many files were compiled for it.
round() {
  cmake -S "$root" -B "$build" -DSPILLWAY_MECHANISMS="$1" >/dev/null
  cmake --build "$build" >"$build/round.log" || { cat -- "$build/round.log"; return 1; }
  grep -c 'Building CXX' "$build/round.log" || true
}

everything=$(remaining)
round "$everything" >/dev/null
failed=()
for line in "${mechanisms[@]}"; do
  name=${line%% *}
  (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
  with=$(remaining "$name")
  printf '== without %s: %s\n' "$name" "${with//;/ }"
  if compiled=$(round "$with"); then
    printf '   %s files compiled\n' "$compiled"
    # What builds from scratch, or takes long, says nothing about what is linked here.
    ctest --test-dir "$build" -j "$(nproc)" --output-on-failure -LE '^(long|slurm|install|layout)$' \
      >"$build/without-$name.log" 2>&1 || failed+=("$name (tests)")
    grep -E 'tests passed|FAILED|\(Failed\)|\(Not Run\)|\(Timeout\)' "$build/without-$name.log" || true
  else
    printf '%s\n' "$compiled" | grep -E 'error|undefined reference' | sort -u | head -20
    failed+=("$name (link)")
  fi
done
round "$everything" >/dev/null

if ((${#failed[@]})); then
  printf 'failed without: %s\n' "${failed[@]}"
  exit 1
fi
