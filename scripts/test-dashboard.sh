#!/usr/bin/env bash
# Tests Examples/Dashboard: puts load on the server, and drives its page in a headless Chromium. The
# first build fetches Hummingbird and takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh python dashboard 'it is not tested' || true
command -v python3 >/dev/null || exit 0
build=.build-dashboard
scripts/swift-build.sh --quiet -c release --package-path Examples/Dashboard \
  --scratch-path "$build" --disable-build-manifest-caching
server=$build/release/Dashboard
export PYTHONDONTWRITEBYTECODE=1
python3 Examples/Dashboard/Tests/load.py "$server"

browser=$(scripts/deps.sh chromium)
[ -n "$browser" ] || exit 0
pictures=$(mktemp -d "${TMPDIR:-/tmp}/dashboard-pictures.XXXXXX")
python3 Examples/Dashboard/Tests/drive.py "$browser" "$server" "$pictures"
