#!/usr/bin/env bash
# Prints the path of a Chromium for `make test-pages`, which it installs through apt-get where this
# user may. Where none can be had it says so in one line, prints nothing and succeeds.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

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
  command -v timeout >/dev/null 2>&1 && limit=(timeout 60)
  ${limit[@]+"${limit[@]}"} "$1" --headless=new --no-sandbox --version >/dev/null 2>&1
}

browser=$(find_browser) || { install_with_apt pages chromium && browser=$(find_browser); } ||
  browser=
if [ -n "$browser" ] && runs "$browser"; then
  printf '%s\n' "$browser"
else
  echo 'pages: no Chromium here and none installable: the exported pages are not driven' >&2
fi
