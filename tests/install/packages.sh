#!/usr/bin/env bash
# Makes the Debian packages and tries them where nothing of the project is: packages.sh BUILD_DIR
# In a chroot that debootstrap makes, if it can; else unpacked into a folder, which leaves the dependencies untried.
# Says which. Exit status 77 where there are no Debian packages.
set -euo pipefail
for tool in dpkg-deb dpkg-shlibdeps cpack; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool" && exit 77; }
done
source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
mkdir -p -- "$1"
build=$(cd -- "$1" && pwd -P)
work=$(mktemp -d)
clean() {
  if mountpoint -q "$work/root/proc"; then umount "$work/root/proc"; fi
  rm -rf --one-file-system -- "$work"
}
trap clean EXIT
fail() {
  printf 'packages.sh: %s\n' "$*" >&2
  exit 1
}

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cd -- "$source"
cmake --preset package -B "$build" ${launcher[@]+"${launcher[@]}"} >/dev/null
cmake --build "$build" >/dev/null
cd -- "$build"
rm -f -- *.deb
cpack -G DEB >"$work/cpack" 2>&1 || { cat -- "$work/cpack" && fail "cpack failed"; }

library=(libspillway[0-9]*.deb) development=(libspillway-dev_*.deb) command=(spillway_*.deb)
for package in "${library[0]}" "${development[0]}" "${command[0]}"; do
  [[ -s $package ]] || fail "found no $package"
done
depends() { dpkg-deb -f "$1" Depends | tr -d '\n'; }
version=$(dpkg-deb -f "${library[0]}" Version) name=$(dpkg-deb -f "${library[0]}" Package)
[[ $(depends "${library[0]}") == *libsystemc* ]] || fail "$name does not depend on libsystemc"
for package in "${development[0]}" "${command[0]}"; do
  [[ $(depends "$package") == *"$name (= $version)"* ]] || fail "$package does not depend on $name (= $version)"
done
[[ $(depends "${development[0]}") == *libsystemc-dev* ]] || fail "libspillway-dev does not depend on libsystemc-dev"
holds() { grep -q -- "$2" <<<"$(dpkg-deb -c "$1")"; }
holds "${library[0]}" '/usr/lib/.*/libspillway_hw\.so\.' || fail "$name has no libraries"
if holds "${library[0]}" /usr/bin/; then fail "$name has programs"; fi
for file in usr/bin/spillway usr/share/man/man1/spillway-run.1.gz usr/share/bash-completion/completions/spillway \
  usr/share/zsh/vendor-completions/_spillway usr/share/spillway/yaml/experiments/storm-plain.yaml; do
  holds "${command[0]}" "/$file\$" || fail "spillway has no /$file"
done
if command -v lintian >/dev/null; then
  # The contact has no address; one package holds several libraries.
  lintian --fail-on error --suppress-tags malformed-contact,maintainer-address-missing,bogus-mail-host \
    "${library[0]}" "${development[0]}" "${command[0]}" || fail "lintian found errors"
fi

# try_in ROOT RUN...: the command, as a user's; RUN is what comes before a command of the system in ROOT.
try_in() {
  local run=("$@") before
  before=$("${run[@]}" spillway --version)
  [[ $before == "spillway $version" ]] || fail "--version says $before"
  "${run[@]}" spillway run storm-plain --json >"$work/result.json"
  grep -q '"status": "ok"' "$work/result.json" || fail "the run is not ok"
  grep -qx hotspot-butterfly <<<"$("${run[@]}" spillway list experiments --names)" || fail "no shipped experiments"
}

mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true; } |
  sed -nE '/^(URIs:|deb )/{s/^(URIs: |deb (\[[^]]*\] )?)([^ ]+).*/\3/p;q}')
if ((EUID == 0)) && command -v debootstrap >/dev/null &&
  debootstrap --variant=minbase "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" "$work/root" "$mirror" >"$work/log" 2>&1 &&
  mount -t proc proc "$work/root/proc"; then
  echo "trying in a chroot"
  cp -- "${library[0]}" "${development[0]}" "${command[0]}" "$work/root/tmp/"
  cp -- "$source/docs/examples/one_block/main.cpp" "$work/root/tmp/"
  chroot "$work/root" apt-get install -qq -y --no-install-recommends "/tmp/${library[0]}" "/tmp/${command[0]}" >"$work/log" 2>&1 ||
    { tail -20 -- "$work/log" && fail "apt-get cannot install the command"; }
  try_in chroot "$work/root"
  chroot "$work/root" apt-get install -qq -y --no-install-recommends "/tmp/${development[0]}" g++ pkg-config >"$work/log" 2>&1 ||
    { tail -20 -- "$work/log" && fail "apt-get cannot install libspillway-dev"; }
  # shellcheck disable=SC2016
  chroot "$work/root" sh -c 'c++ -std=c++17 -o /tmp/one /tmp/main.cpp $(pkg-config --cflags --libs spillway-hw) && /tmp/one'
else
  echo "no chroot (it needs root, debootstrap and a mirror): trying what is unpacked in a folder"
  for package in "${library[0]}" "${command[0]}"; do dpkg-deb -x "$package" "$work/root"; done
  libraries=$(dirname -- "$(find "$work/root" -name 'libspillway_hw.so.*' -print -quit)")
  try_in env "LD_LIBRARY_PATH=$libraries" "PATH=$work/root/usr/bin:$PATH"
fi
echo "packages of $version hold"
