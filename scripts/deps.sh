#!/usr/bin/env bash
# Finds what a build or a trial needs, and installs what is missing: through apt-get where this user
# may. Silent, and without network, when all is there.
#
#   deps.sh                       Swift, a C compiler, pkg-config and libffi: what packages need
#   deps.sh c                     the same without Swift: what the C library needs
#   deps.sh valgrind [LEFT_OUT]   valgrind, which counts instructions and looks for leaks
#   deps.sh tmux                  tmux, in which the terminal view is driven
#   deps.sh chromium              a Chromium, in which exported pages are driven; prints its path
#   deps.sh python WHO LEFT_OUT   Python, which drives browsers and servers
#   deps.sh apt WHO PACKAGES…     the packages; says in WHO's name that it installs them
#
# The first two ask brew on macOS. If something cannot be had, they print the command to type, and
# fail; the three after them say in one line what is left out, and succeed; the one for Python says
# so and fails, as does the last one.
set -euo pipefail

oldest_swift=6.1

fail() {
  printf 'deps: %s\n' "$1" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# install_with_apt WHO PACKAGES…: asks no question. Fails where it cannot install, or may not.
install_with_apt() {
  local who=$1
  shift
  have apt-get || return 1
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    have sudo && sudo -n true 2>/dev/null || return 1
    sudo=(sudo -n)
  fi
  # Targets that make runs beside one another: apt-get waits for dpkg, but not for its own lists.
  local alone=()
  have flock && alone=(flock -w 600 -o /var/lib/dpkg)
  local apt=(${alone[@]+"${alone[@]}"} ${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive
    apt-get -qq -y -o DPkg::Lock::Timeout=120)
  echo "$who: installing $*" >&2
  # An image may come without package lists, or with lists that have aged.
  "${apt[@]}" install "$@" >/dev/null 2>&1 && return
  { "${apt[@]}" update && "${apt[@]}" install "$@"; } >&2
}

# ---- what builds need ----------------------------------------------------------------------------

check_swift() {
  local version oldest
  have swift || fail "no swift in PATH; https://swift.org/install has $oldest_swift or later"
  # Without one of its libraries it names it.
  version=$(swift --version 2>&1) || fail "swift does not start: ${version##*$'\n'}"
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$version")
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

see_to_build() {
  cc=$(compiler)
  add_brew_paths
  complete && return
  install_missing || fail "pkg-config or libffi's headers are missing. Type: $(command_to_type)"
  add_brew_paths
  complete || fail "libffi's headers are still not found. Type: $(command_to_type)"
}

# ---- what trials need ----------------------------------------------------------------------------

# libc6-dbg is what valgrind needs to know libc by.
see_to_valgrind() {
  have valgrind || install_with_apt valgrind valgrind libc6-dbg ||
    echo "valgrind: not here and not installable: ${1:-goals in instructions are not judged}" >&2
}

# The tests say themselves what they leave out.
see_to_tmux() {
  have tmux || install_with_apt tmux tmux ||
    echo 'tmux: not here and not installable: isalab step is not driven in a terminal' >&2
}

see_to_python() {
  have python3 || install_with_apt "$1" python3 ||
    fail "no python3 here and none installable: $1: $2"
}

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v $name 2>/dev/null && return
  done
  local mac='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  [ -x "$mac" ] && printf '%s\n' "$mac"
}

# Ubuntu's chromium-browser is a snap, which a container cannot start.
runs() {
  local limit=()
  have timeout && limit=(timeout 60)
  ${limit[@]+"${limit[@]}"} "$1" --headless=new --no-sandbox --version >/dev/null 2>&1
}

see_to_chromium() {
  local browser
  browser=$(find_browser) || { install_with_apt pages chromium && browser=$(find_browser); } ||
    browser=
  if [ -n "$browser" ] && runs "$browser"; then
    printf '%s\n' "$browser"
  else
    echo 'pages: no Chromium here and none installable: the exported pages are not driven' >&2
  fi
}

case "${1:-}" in
  '')
    check_swift
    see_to_build
    ;;
  c) see_to_build ;;
  valgrind) see_to_valgrind "${@:2}" ;;
  tmux) see_to_tmux ;;
  chromium) see_to_chromium ;;
  python) see_to_python "${@:2}" ;;
  apt) install_with_apt "${@:2}" ;;
  *)
    sed -n 's/^#   \(deps\.sh.*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
