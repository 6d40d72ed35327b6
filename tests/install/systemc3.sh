#!/usr/bin/env bash
# Builds all with the SystemC 3 of SYSTEMC_HOME and runs all quick tests, those from outside by CMake and pkg-config among
# them: systemc3.sh BUILD_DIR CXX. Exit status 77 if there is none.
set -euo pipefail

build=$1
export CXX=$2
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

if [[ -z ${SYSTEMC_HOME:-} ]]; then
  echo "systemc3.sh: skipped: SYSTEMC_HOME does not say where a SystemC 3 is"
  exit 77
fi
# Calls that SystemC or the compiler calls deprecated are errors here, and in the tests any warning of SystemC is one.
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPILLWAY_WERROR=ON
if ! grep -q '^FIND_PACKAGE_MESSAGE_DETAILS_SystemC:.*\[v3\.' "$build/CMakeCache.txt"; then
  echo "systemc3.sh: skipped: what SYSTEMC_HOME leads to is no SystemC 3"
  exit 77
fi
cmake --build "$build"
ctest --test-dir "$build" -LE 'long|slurm|night' -j2 --output-on-failure --no-tests=error
