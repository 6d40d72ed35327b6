#!/usr/bin/env bash
# Uses the project from outside: use_installed.sh cmake|examples|pkg-config|subdirectory|shared BUILD_DIR CXX
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

# Hides all packages but SystemC.
only_systemc=()
for package in Boost yaml-cpp nlohmann_json fmt CLI11 EXPAT; do
  only_systemc+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

# The prefix is moved after the installation: nothing in it may know where it was.
install_and_move() {
  cmake --install "$build" --prefix "$work/first" >/dev/null
  mv -- "$work/first" "$work/moved prefix"
  prefix="$work/moved prefix"
}

# use_own EXAMPLE COMMAND SECTION KIND KEY: the user's own `main` has every command, and its kind of switch or
# interface is known by name in each.
use_own() {
  local command=$2 section=$3 kind=$4 key=$5 yaml=$examples/$1/$4.yaml
  diff <("$command" --help | grep -E '^  [a-z]') <("$prefix/bin/spillway" --help | grep -E '^  [a-z]')
  "$command" run "$yaml" --out "$work/$1_out"
  "$command" check "$yaml" >/dev/null
  "$command" list "$section" >"$work/listed"
  grep -q "$kind" "$work/listed"
  "$command" graph "$yaml" -o "$work/$1.dot"
  [[ -s $work/$1.dot ]]
  printf 'name: own\nexperiment: %s\ngrid: {traffic.0.rate: [0.05, 0.1]}\n' "$yaml" >"$work/$1.yaml"
  "$command" sweep "$work/$1.yaml" -j 1 --out "$work/$1_sweep" >/dev/null
  if "$command" check "$yaml" --set "$section.${key}s=true" 2>/dev/null; then
    echo "use_installed.sh: a key that the $section does not have was taken" >&2
    return 1
  fi
}
use_own_switch() { use_own own_switch "$1" switch bufferless fair; }
use_own_everything() { "$examples/own_everything/try.sh" "$1" "$examples/own_everything"; }
use_own_interface() { use_own own_interface "$1" interface paced interval; }
use_examples() {
  local example
  for example in "$@"; do
    cmake -S "$examples/$example" -B "$work/$example" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$work/$example"
    "use_$example" "$work/$example/$example"
  done
}

# links_of PAGE: where its links lead, but for places within pages and other sites; code between back quotes has none.
# The quotes are sed's, not the shell's.
# shellcheck disable=SC2016
links_of() { sed 's/`[^`]*`//g' "$1" | grep -oE '\]\([^)#: ]+[):#]' | sed 's/^](//; /:$/d; s/.$//'; }

case $way in
  cmake)
    install_and_move
    for file in doc/spillway/{LICENSE,README.md,docs/tutorial.md,docs/examples/one_block/main.cpp} \
      man/man1/spillway{,-run,-certify}.1 bash-completion/completions/spillway zsh/site-functions/_spillway \
      fish/vendor_completions.d/spillway.fish spillway/yaml/experiments/storm-plain.yaml \
      spillway/python/spillway_results.py; do
      [[ -s $prefix/share/$file ]] || { echo "use_installed.sh: share/$file is not installed" >&2 && exit 1; }
    done
    # Links of the pages lead to what is installed.
    for page in "$prefix"/share/doc/spillway/{,docs/}*.md; do
      while read -r link; do
        [[ -e ${page%/*}/$link ]] || { echo "use_installed.sh: $page has a dead link to $link" >&2 && exit 1; }
      done < <(links_of "$page")
    done
    configure() { cmake -S "$here/cmake_user" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@"; }
    configure "${only_systemc[@]}" -DCOMPONENTS="hw;tlm" >/dev/null
    cmake --build "$work/build"
    "$work/build/user"
    "$work/build/tlm_user"
    if configure -DCOMPONENTS=tb >"$work/said" 2>&1; then
      echo "use_installed.sh: tb was found without the packages that it needs" >&2
      exit 1
    fi
    # CMake breaks lines where it likes.
    tr -s ' \n' ' ' <"$work/said" | grep -q 'not found: Boost 1.74, yaml-cpp, nlohmann_json, fmt, CLI11, EXPAT'
    if configure -DCOMPONENTS=nonsense >"$work/said" 2>&1; then
      echo "use_installed.sh: a component was found that there is not" >&2
      exit 1
    fi
    tr -s ' \n' ' ' <"$work/said" | grep -q "found no component nonsense, expected some of hw, tlm"
    use_examples own_everything
    ;;
  examples)
    install_and_move
    use_examples own_switch own_interface
    ;;
  pkg-config)
    install_and_move
    pc_folder=$(dirname -- "$(find "$prefix" -name spillway.pc)")
    export PKG_CONFIG_PATH=$pc_folder
    for package in spillway-hw spillway; do
      # pkg-config escapes blanks for a shell to read.
      eval "flags=($(pkg-config --cflags --libs "$package"))"
      "$CXX" -std=c++17 -Werror -o "$work/user" "$here/main.cpp" "${flags[@]}"
      "$work/user"
    done
    "$CXX" -std=c++17 -o "$work/plug_in_cpu" "$examples/plug_in_cpu/main.cpp" "${flags[@]}"
    "$work/plug_in_cpu" "$examples/plug_in_cpu/platform.yaml"
    ;;
  subdirectory)
    # One mechanism is enough to build.
    cmake -S "$here/subdirectory_user" -B "$work/build" -G Ninja "${only_systemc[@]}" \
      -DSPILLWAY_SOURCE_DIR="$here/../.." -DSPILLWAY_MECHANISMS=packet >"$work/said"
    grep -q 'hw and tlm only, as these were not found: Boost' "$work/said"
    cmake --build "$work/build"
    "$work/build/user"
    # Nothing but what the program links was built.
    built=$(find "$work/build/spillway" -name '*.a' -printf '%f\n' | sort | xargs)
    if [[ $built != libspillway_hw.a || -e $work/build/spillway/spillway ]]; then
      echo "use_installed.sh: a program that links spillway::hw built $built" >&2
      exit 1
    fi
    # Who asks for a component gets it, or hears what is missing.
    if cmake -S "$here/subdirectory_user" -B "$work/build" "${only_systemc[@]}" -DSPILLWAY_COMPONENTS=platforms \
      -DSPILLWAY_SOURCE_DIR="$here/../.." >"$work/said" 2>&1; then
      echo "use_installed.sh: platforms was built without the packages that it needs" >&2
      exit 1
    fi
    tr -s ' \n' ' ' <"$work/said" | grep -q 'platforms and tb need what was not found: Boost'
    ;;
  shared)
    # As little as there is to build; a parent of C++20 takes what was built as C++17.
    cmake -S "$here/../.." -B "$work/shared" -G Ninja -DBUILD_SHARED_LIBS=ON -DSPILLWAY_COMPONENTS=hw \
      -DSPILLWAY_MECHANISMS=packet -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 >/dev/null
    cmake --build "$work/shared" >/dev/null
    build=$work/shared
    install_and_move
    [[ -n $(find "$prefix" -name 'libspillway_hw.so*') && -z $(find "$prefix" -name '*.a') ]]
    cmake -S "$here/cmake_user" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENTS=hw \
      "${only_systemc[@]}" >/dev/null
    cmake --build "$work/build" --target user
    ldd "$work/build/user" >"$work/said"
    grep -q libspillway_hw.so "$work/said"
    "$work/build/user"
    ;;
  *)
    echo "use_installed.sh: unknown way '$way'" >&2
    exit 2
    ;;
esac
