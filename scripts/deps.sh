#!/usr/bin/env bash
# Finds what a build needs and installs what is missing: through apt-get where this user may,
# through brew on macOS, else it prints the one command to type and fails. Silent, and without
# network, when all is there.
#
#   deps.sh        Swift, a C compiler, pkg-config and libffi: what the packages need
#   deps.sh c      the same without Swift: what the C library needs
set -euo pipefail
. "$(dirname "$0")/apt.sh"

oldest_swift=6.1

fail() {
  printf 'deps: %s\n' "$1" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

check_swift() {
  local version oldest
  have swift || fail "no swift in PATH; https://swift.org/install has $oldest_swift or later"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p')
  oldest=$(printf '%s\n%s\n' "$oldest_swift" "$version" | sort -t . -k1,1n -k2,2n -k3,3n | head -1)
  [ "$oldest" = "$oldest_swift" ] ||
    fail "swift is version ${version:-unknown}; $oldest_swift or later is needed"
}

compiler() {
  local candidate
  for candidate in "${CC:-}" cc clang gcc; do
    # CC may hold flags as well, hence unquoted further down.
    if [ -n "$candidate" ] && have "${candidate%% *}"; then
      printf '%s' "$candidate"
      return
    fi
  done
  fail "no C compiler in PATH; install gcc or clang"
}

# Homebrew does not link libffi into its prefix, so pkg-config has to be told.
add_brew_paths() {
  if have brew; then
    PKG_CONFIG_PATH="$(brew --prefix)/opt/libffi/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
    export PKG_CONFIG_PATH
  fi
}

libffi_compiles() {
  local flags
  flags=$(pkg-config --cflags libffi 2>/dev/null) || return 1
  # shellcheck disable=SC2086 # both hold several words
  printf '#include <ffi.h>\nffi_cif cif;\n' | $cc $flags -x c -fsyntax-only - >/dev/null 2>&1
}

complete() { have pkg-config && libffi_compiles; }

command_to_type() {
  if have apt-get; then
    echo "sudo apt-get update && sudo apt-get install -y pkg-config libffi-dev"
  elif have dnf; then
    echo "sudo dnf install -y pkgconf-pkg-config libffi-devel"
  elif have yum; then
    echo "sudo yum install -y pkgconfig libffi-devel"
  elif have zypper; then
    echo "sudo zypper install -y pkg-config libffi-devel"
  elif have pacman; then
    echo "sudo pacman -S --needed pkgconf libffi"
  elif have apk; then
    echo "sudo apk add pkgconf libffi-dev"
  elif have brew; then
    echo "brew install pkg-config libffi"
  else
    echo "install pkg-config and libffi with its headers"
  fi
}

install_missing() {
  case "$(uname -s)" in
    Darwin) have brew && brew install --quiet pkg-config libffi ;;
    *) install_with_apt deps pkg-config libffi-dev ;;
  esac
}

[ "${1:-}" = c ] || check_swift
cc=$(compiler)
add_brew_paths
complete && exit 0
install_missing || fail "pkg-config or libffi's headers are missing. Type: $(command_to_type)"
add_brew_paths
complete || fail "libffi's headers are still not found. Type: $(command_to_type)"
