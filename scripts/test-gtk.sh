#!/usr/bin/env bash
# Tests Examples/Inventory: the bridge to GTK, and the program, which is driven with mouse and keys
# on a display that is only in memory. Installs what is missing where this user may, else says so in
# one line and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

have() {
  local name
  pkg-config --exists gtk4 2>/dev/null || return
  for name in xvfb-run xauth xdotool import; do
    command -v $name >/dev/null 2>&1 || return
  done
}
have || scripts/deps.sh apt gtk libgtk-4-dev xvfb xauth xdotool imagemagick || true
have || {
  echo 'gtk: no GTK 4, Xvfb, xdotool or ImageMagick here and none installable: not tested' >&2
  exit 0
}

# The other users of the library build there, too, so that it is built once.
build=Tests/Consumer/.build pictures=$(mktemp -d "${TMPDIR:-/tmp}/inventory-pictures.XXXXXX")
read -ra whole < <(scripts/swift-build.sh whole)
# A display that resets itself whenever its last client leaves, as xdotool does after each look,
# turns away the program that comes at that moment.
displayed() { xvfb-run -a -s '-screen 0 1000x600x24 -noreset' "$@"; }

displayed swift test --no-parallel --disable-xctest --disable-build-manifest-caching \
  --package-path Examples/Inventory --scratch-path "$build" "${whole[@]}"
displayed Examples/Inventory/Tests/Drive/drive.sh "$build/debug/Inventory" "$pictures"
echo "gtk: pictures in $pictures"
