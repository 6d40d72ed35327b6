#!/usr/bin/env bash
# whole_build.sh sanitized|apart COMMAND: builds all with clang++ and sanitizers, runs its tests, not only those of units, and
# compares long experiments with those of COMMAND; or compiles every source by itself, as one that is read with others may lack an include.
set -euo pipefail

# CMake looks for presets in the current folder.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
case ${1-} in
  sanitized) preset=sanitize ;;
  apart) preset=debug ;;
  *)
    echo "usage: whole_build.sh sanitized|apart COMMAND" >&2
    exit 2
    ;;
esac
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
[[ $preset == sanitize ]] || exit 0
ctest --preset sanitize
tests/compilers/same_bytes.sh "$2" build/sanitize/spillway yaml/experiments/hotspot-{butterfly,omega}.yaml
