#!/usr/bin/env bash
# Sees to valgrind, which counts the instructions that some goals are judged by and looks for leaks:
# installs it through apt-get where this user may. Where it cannot be had it says so in one line,
# with what is then not done, `$1`, and succeeds.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

# libc6-dbg is what valgrind needs to know libc by.
command -v valgrind >/dev/null 2>&1 || install_with_apt valgrind valgrind libc6-dbg ||
  echo "valgrind: not here and not installable: ${1:-goals in instructions are not judged}" >&2
