#!/usr/bin/env bash
# Sees to tmux, under which the terminal view is driven: installs it through apt-get where this user
# may. Where it cannot be had it says so in one line and succeeds; the tests then say what they left
# out.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

command -v tmux >/dev/null 2>&1 || install_with_apt tmux tmux ||
  echo 'tmux: not here and not installable: isalab step is not driven in a terminal' >&2
