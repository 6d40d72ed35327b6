#!/usr/bin/env bash
# whole_build.sh sanitized|apart: builds all with clang++ and sanitizers, and runs its tests, not only those of units;
# or compiles every source by itself, as one that is read with others may lack an include.
set -euo pipefail

# CMake looks for presets in the current folder.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
case ${1-} in
  sanitized) preset=sanitize ;;
  apart) preset=debug ;;
  *)
    echo "usage: whole_build.sh sanitized|apart" >&2
    exit 2
    ;;
esac
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
if [[ $preset == sanitize ]]; then ctest --preset sanitize; fi
