#!/usr/bin/env bash
# The parts of `make install` that know its folders.
#
#   installed.sh check NAME FOLDER  fails with a sentence if isakvo.pc cannot hold the folder,
#                                   which the variable NAME has
#   installed.sh fill               fills in the template on standard input, $PREFIX for @PREFIX@
#                                   and the like
#   installed.sh find LIBDIR        sees to it that the loader and pkg-config find what is
#                                   installed: renews the loader's cache where that helps and this
#                                   user may, else prints the lines to type
set -euo pipefail
# Where ldconfig is, for a user who is not root.
PATH=$PATH:/usr/sbin:/sbin

check() {
  case "$2" in
    /*) ;;
    *)
      echo "install: $1 must be an absolute path, since isakvo.pc tells it to programs" \
        "elsewhere; type: $1='$PWD/$2'" >&2
      return 1
      ;;
  esac
  case "$2" in
    *[\"\\\$\#:\;]* | *$'\n'*)
      echo "install: isakvo.pc cannot hold a $1 with one of \" \\ \$ # : ; in it: $2" >&2
      return 1
      ;;
  esac
}

# Each word once, from left to right: what is filled in is not looked at again.
fill() {
  local line name
  while IFS= read -r line; do
    while [[ $line =~ ^([^@]*)@([A-Z]+)@(.*)$ ]]; do
      name=${BASH_REMATCH[2]}
      printf '%s%s' "${BASH_REMATCH[1]}" "${!name}"
      line=${BASH_REMATCH[3]}
    done
    printf '%s\n' "$line"
  done
}

# Whether the loader looks into folder `$1` by itself.
loader_looks_into() {
  case "$(uname -s):$1" in
    # A library's name holds its folder there.
    Darwin:*) return 0 ;;
  esac
  if compgen -G '/lib/ld-musl-*' >/dev/null; then
    [[ $1 == /lib || $1 == /usr/lib || $1 == /usr/local/lib ]]
  else
    ldconfig -N -X -v 2>/dev/null | cut -d : -f 1 | grep -Fx -- "$1" >/dev/null
  fi
}

# Whether the loader's cache, if it has one, is up to date after this.
renew_cache() {
  [ "$(uname -s)" = Linux ] && command -v ldconfig >/dev/null || return 0
  ldconfig 2>/dev/null
}

# The line that puts folder `$2` before those in the variable `$1`.
export_line() { printf '  export %s=%q"${%s:+:$%s}"\n' "$1" "$2" "$1" "$1"; }

lines_to_type() {
  local lib=$1 folders
  folders=:${PKG_CONFIG_PATH:-}:$(pkg-config --variable=pc_path pkg-config):
  [[ $folders == *":$lib/pkgconfig:"* ]] || export_line PKG_CONFIG_PATH "$lib/pkgconfig"
  [[ :${LD_LIBRARY_PATH:-}: == *":$lib:"* ]] && return
  if ! loader_looks_into "$lib"; then
    export_line LD_LIBRARY_PATH "$lib"
  elif ! renew_cache; then
    echo '  sudo ldconfig'
  fi
}

find_installed() {
  local lines
  lines=$(lines_to_type "$1")
  [ -n "$lines" ] || return 0
  printf 'install: type this before you compile and run a program:\n%s\n' "$lines"
}

case "$1" in
  check) check "$2" "$3" ;;
  fill) fill ;;
  find) find_installed "$2" ;;
esac
