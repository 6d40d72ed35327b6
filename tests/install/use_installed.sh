#!/usr/bin/env bash
# Uses the project from outside: use_installed.sh cmake|pkg-config|subdirectory BUILD_DIR CXX
# Exit status 0 if a program can be built that way and runs.
set -euo pipefail

way=$1
build=$(cd -- "$2" && pwd -P)
export CXX=$3
flags=()
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
examples=$here/../../docs/examples
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# The prefix is moved after the installation: nothing in it may know where it was.
install_and_move() {
  cmake --install "$build" --prefix "$work/first" >/dev/null
  mv -- "$work/first" "$work/moved prefix"
  prefix="$work/moved prefix"
}

# The user's own `main` has every command, and its switch is known by name in each.
use_own_switch() {
  local command=$1 yaml=$examples/own_switch/bufferless.yaml
  diff <("$command" --help | grep -E '^  [a-z]') <("$prefix/bin/spillway" --help | grep -E '^  [a-z]')
  "$command" run "$yaml" --out "$work/out"
  "$command" check "$yaml" >/dev/null
  "$command" list switch | grep -q bufferless
  "$command" graph "$yaml" -o "$work/graph.dot"
  [[ -s $work/graph.dot ]]
  printf 'name: own\nexperiment: %s\ngrid: {traffic.0.rate: [0.05, 0.1]}\n' "$yaml" >"$work/sweep.yaml"
  "$command" sweep "$work/sweep.yaml" -j 1 --out "$work/sweep" >/dev/null
  if "$command" check "$yaml" --set switch.fari=true 2>/dev/null; then
    echo "use_installed.sh: a key that the switch does not have was taken" >&2
    return 1
  fi
}

case $way in
  cmake)
    install_and_move
    cmake -S "$here/cmake_user" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$work/build"
    "$work/build/user"
    cmake -S "$examples/own_switch" -B "$work/switch" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$work/switch"
    use_own_switch "$work/switch/own_switch"
    ;;
  pkg-config)
    install_and_move
    pc_folder=$(dirname -- "$(find "$prefix" -name spillway.pc)")
    export PKG_CONFIG_PATH=$pc_folder
    for package in spillway-hw spillway; do
      # pkg-config escapes blanks for a shell to read.
      eval "flags=($(pkg-config --cflags --libs "$package"))"
      "$CXX" -std=c++17 -o "$work/user" "$here/main.cpp" "${flags[@]}"
      "$work/user"
    done
    for example in own_switch plug_in_cpu; do
      "$CXX" -std=c++17 -o "$work/$example" "$examples/$example/main.cpp" "${flags[@]}"
    done
    use_own_switch "$work/own_switch"
    "$work/plug_in_cpu" "$examples/plug_in_cpu/platform.yaml"
    ;;
  subdirectory)
    cmake -S "$here/subdirectory_user" -B "$work/build" -G Ninja \
      -DSPILLWAY_SOURCE_DIR="$here/../.." >/dev/null
    cmake --build "$work/build" --target user
    "$work/build/user"
    ;;
  *)
    echo "use_installed.sh: unknown way '$way'" >&2
    exit 2
    ;;
esac
