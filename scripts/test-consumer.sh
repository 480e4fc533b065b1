#!/usr/bin/env bash
# Uses the project as others do: two Swift packages that depend on it by path, one written for it
# and one ported from Apple systems; files that are wrong, of which the compiler says what and
# where; and what scripts/test-install.sh does with the C library.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# Compares the output `$3` of program `$1` with what it should be, `$2`.
expect() {
  if [ "$3" = "$2" ]; then
    echo "consumer: $1: as expected"
  else
    echo "consumer: $1 printed '$3', expected '$2'" >&2
    failed=1
  fi
}

native_answer='Ann, 30 → Ann, 40
Ann, 40 → Bob, 40'

ported_answer='nickname: none
summary: Ann: 0.0
summary: Ann: 10.0
balance by 10.0
summary: Ann: 25.0
balance by 15.0
entries: insertion at [0]
Ann is Annie
nickname: Annie
1 ["balance"]
Ann 0.0'

# Builds and runs the package in folder `$1`, whose program is `$2`.
swift_package() {
  swift build --quiet --package-path "Tests/Consumer/$1" --disable-automatic-resolution
  "Tests/Consumer/$1/.build/debug/$2"
}

# Packages in Swift: a folder and its program, which prints what the folder's expected.txt says.
programs='Tests/Consumer/isolated Isolated
Tests/Consumer/beside Beside
Examples/ViewModel ViewModel
Examples/Invoice Invoice
Examples/Port/Ported Ported
Porting/Tests/Fixtures Fixtures'

# Builds and runs program `$2` of the package in folder `$1`; all share the library that is built.
program() {
  local build=Tests/Consumer/.build
  # Another package was built last in that folder.
  swift build --quiet --disable-build-manifest-caching --package-path "$1" --scratch-path "$build" \
    --product "$2" >&2
  "$build/debug/$2"
}

# The repositories that the packages with a build folder of their own have fetched; they depend on
# this one alone.
fetched() {
  local folder
  for folder in Tests/Consumer/*/.build/{checkouts,repositories}; do
    [ ! -d "$folder" ] || ls "$folder"
  done
}

# The Swift files of the packages for 0.1 with the edits of docs/what-became-of.md, and of those
# that are built here; the README's example ends its observation too.
moved() {
  (cd Tests/Fixtures/0.1 && git ls-files native ported | xargs cat) |
    sed -e 's/try person\.observe(/person.observe(/' \
      -e 's/^class Account: KVObject/class Account: NSKVObject/'
}
built() {
  (cd Tests/Consumer && git ls-files native ported | xargs cat) |
    grep -vx 'observation.invalidate()'
}

# The first Swift example of the README.
readme_example() { awk '/^```/ { if (on) exit; on = /swift/; next } on' README.md; }

# The mistakes that the compiler finds in file `$1`, as LINE: MESSAGE, by lines.
found_wrong() {
  local include
  local flags=(-I Tests/Consumer/native/.build/debug/Modules -Xcc -ISources/CIsa)
  for include in Sources/CIsaHeader Sources/CSwiftRuntime Sources/CIsa; do
    flags+=(-Xcc "-fmodule-map-file=$include/include/module.modulemap" -Xcc "-I$include/include")
  done
  swiftc -typecheck -swift-version 6 -diagnostic-style llvm "${flags[@]}" "$1" 2>&1 |
    sed -n -e 's/^[^:]*\.swift:\([0-9]*\):[0-9]*: error: /\1: /p' -e '/^<unknown>/p' |
    sort -s -n
}

# The same, as the comments above the lines say it.
said_wrong() {
  awk 'sub(/^ *\/\/ error below: /, "") { said[++count] = $0; next }
    { for (i = 1; i <= count; i++) print FNR ": " said[i]; count = 0 }' "$1"
}

scripts/test-install.sh || failed=1
expect "Swift package" "$native_answer" "$(swift_package native Native)"
expect "ported Swift package" "$ported_answer" "$(swift_package ported Ported)"
expect "the packages of 0.1, moved by the page that says how" "$(built)" "$(moved)"
while read -r folder name; do
  expect "$folder" "$(cat "$folder/expected.txt")" "$(program "$folder" "$name")"
done <<<"$programs"
expect "a package that depends on this one fetches nothing" "" "$(fetched)"
for file in Tests/Consumer/wrong/*.swift; do
  expect "what is wrong in $(basename "$file")" "$(said_wrong "$file")" "$(found_wrong "$file")"
done
diff <(readme_example) Tests/Consumer/native/Sources/Native/main.swift ||
  { echo "consumer: README.md shows another example than the one that runs" >&2 && failed=1; }
exit $failed
