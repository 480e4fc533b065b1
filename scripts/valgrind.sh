#!/usr/bin/env bash
# Sees to valgrind, which counts the instructions that some goals are judged by: installs it through
# apt-get where this user may. Where it cannot be had it says so in one line and succeeds.
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
  printf 'valgrind: installing valgrind\n' >&2
  # libc6-dbg is what valgrind needs to know libc by.
  "${apt[@]}" install valgrind libc6-dbg >/dev/null 2>&1 && return
  { "${apt[@]}" update && "${apt[@]}" install valgrind libc6-dbg; } >/dev/null 2>&1
}

command -v valgrind >/dev/null 2>&1 || install_with_apt ||
  echo 'valgrind: not here and not installable: goals in instructions are not judged' >&2
