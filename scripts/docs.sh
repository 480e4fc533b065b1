#!/usr/bin/env bash
# Checks the links of the Markdown documents and the tests that they name, and builds the reference
# of the Swift layer from its comments: .build-docs/IsaKVO.doccarchive, pages for any web server.
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build-docs
graphs=$PWD/$out/graphs
archive=$out/IsaKVO.doccarchive
catalogue=Sources/IsaKVO/IsaKVO.docc

scripts/lint.sh docs
if ! command -v docc >/dev/null 2>&1; then
  echo "docs: no docc in PATH, so the reference is not built; it comes with the Swift toolchain"
  exit 0
fi
swift build --quiet --target IsaKVO --scratch-path "$out" \
  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs"
# A parameter that its name explains needs no line of its own; any other warning is a mistake.
wrong=$(docc convert "$catalogue" --fallback-display-name IsaKVO \
  --fallback-bundle-identifier IsaKVO --additional-symbol-graph-dir "$graphs" \
  --output-path "$archive" 2>&1 | grep -E '^(warning|error): ' |
  grep -v 'is missing documentation' || true)
[ -z "$wrong" ] || { printf '%s\n' "$wrong" && exit 1; }
echo "docs: $archive"
