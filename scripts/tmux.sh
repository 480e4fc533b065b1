#!/usr/bin/env bash
# Sees to tmux, under which the terminal view is driven: installs it through apt-get where this user
# may. Where it cannot be had it says so in one line and succeeds; the tests then say what they left
# out.
set -euo pipefail

install_with_apt() {
  command -v apt-get >/dev/null 2>&1 || return 1
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null || return 1
    sudo=(sudo -n)
  fi
  local apt=(${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
    -o DPkg::Lock::Timeout=120)
  printf 'tmux: installing tmux\n' >&2
  "${apt[@]}" install tmux >/dev/null 2>&1 && return
  { "${apt[@]}" update && "${apt[@]}" install tmux; } >/dev/null 2>&1
}

command -v tmux >/dev/null 2>&1 || install_with_apt ||
  echo 'tmux: not here and not installable: isalab step is not driven in a terminal' >&2
