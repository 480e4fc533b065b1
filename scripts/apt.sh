# Sourced by the scripts that need something of the system's packages.

# install_with_apt WHO PACKAGES…: installs through apt-get where this user may, without a question.
# Says so on standard error in WHO's name. Fails where it cannot or may not.
install_with_apt() {
  local who=$1
  shift
  command -v apt-get >/dev/null 2>&1 || return 1
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null || return 1
    sudo=(sudo -n)
  fi
  local apt=(${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
    -o DPkg::Lock::Timeout=120)
  echo "$who: installing $*" >&2
  # An image may come without package lists, or with lists that have aged.
  "${apt[@]}" install "$@" >/dev/null 2>&1 && return
  { "${apt[@]}" update && "${apt[@]}" install "$@"; } >&2
}
