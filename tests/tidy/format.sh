#!/usr/bin/env bash
# What costs seconds and every commit must pass: clang-format of all C++, shellcheck of all scripts.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

# sources NAME...: our files with these names, each ended by a NUL.
sources() {
  local names=()
  for name; do names+=(-o -name "$name"); done
  find hw tlm platforms tb tests docs -type f \( "${names[@]:1}" \) -print0
}

sources '*.cpp' '*.hpp' | xargs -0 clang-format --dry-run --Werror
shellcheck bootstrap .ci/run
sources '*.sh' | xargs -0 shellcheck
