#!/usr/bin/env bash
# Tests Examples/Store: the rules, kill -9 included, and what the demonstration prints; and that
# objects and contexts do not cross actors. Installs SQLite's headers where this user may, else says
# so in one line and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { pkg-config --exists sqlite3 2>/dev/null; }
have || scripts/deps.sh apt store libsqlite3-dev || true
have || {
  echo 'store: no SQLite here and none installable: not tested' >&2
  exit 0
}

# The other users of the library build there, too, so that it is built once.
build=$PWD/Tests/Consumer/.build
read -ra whole < <(scripts/swift-build.sh whole)
swift test --no-parallel --disable-xctest --disable-build-manifest-caching \
  --package-path Examples/Store --scratch-path "$build" "${whole[@]}"
"$build/debug/store-demo" | diff Examples/Store/expected.txt -

# What must not compile: each file says which words the compiler refuses it with.
refused=0
headers=(-I "$build/checkouts/GRDB.swift/Sources/GRDBSQLite")
for name in CIsaHeader CSwiftRuntime CIsa; do headers+=(-I "Sources/$name/include"); done
for file in Examples/Store/Tests/Refused/*.swift; do
  said=$(swiftc -swift-version 6 -emit-sil -o /dev/null -I "$build/debug/Modules" "${headers[@]}" \
    "$file" 2>&1) && { echo "store: $file is accepted" >&2 && exit 1; }
  words=$(sed -n 's,^// refused: ,,p' "$file")
  grep -qF "$words" <<<"$said" || {
    printf 'store: %s is refused otherwise:\n%s\n' "$file" "$said" >&2
    exit 1
  }
  refused=$((refused + 1))
done
echo "store: as expected; $refused programs are refused"
