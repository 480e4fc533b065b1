#!/usr/bin/env bash
# Uses the project as others do. Swift packages depend on it by path: one written for it, one ported
# from Apple systems, one with the macros, one with a library to open at run time, one with the
# collections of other packages, and one with tests of the rules of Combine and of sequences under
# the operators of AsyncAlgorithms. Beside them stand files that are wrong, of which the compiler
# says what and where; and what scripts/test-install.sh does with the C library.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# Prints what program `$1` prints, and by what it ended if it failed.
said() { "$1" || echo "ends with $?"; }

# Compares the output `$3` of program `$1` with what it should be, `$2`.
expect() {
  if [ "$3" = "$2" ]; then
    echo "consumer: $1: as expected"
  else
    echo "consumer: $1 printed '$3', expected '$2'" >&2
    failed=1
  fi
}

# Packages in Swift: a folder and its programs. A program prints what the folder's expected.txt
# says, or expected/PROGRAM.txt.
programs='Tests/Consumer/native Native
Tests/Consumer/ported Ported
Tests/Consumer/isolated Isolated Defaulted
Tests/Consumer/beside Beside
Tests/Consumer/collections Collecting
Tests/Consumer/opened Opening OpeningTracked
Tests/Consumer/forked Forked
Examples/ViewModel ViewModel
Examples/Invoice Invoice
Examples/Products Observing AppleNames Wrappers Bound RunTime Core
Examples/Port/Ported Ported
Porting/Tests/Fixtures Fixtures'
# Those with the traits.
trait_programs='Tests/Consumer/macros Declared
Examples/Macros Macros
Examples/Combine Combining'

shared=Tests/Consumer/.build
# The examples of the articles have the traits as well, with which the library is compiled anew.
traits=.build-snippets/.build
read -ra whole < <(scripts/swift-build.sh whole)

# Builds the package in folder `$2` in build folder `$1`, and compares what its programs print, `$3`
# and those after it. The packages without traits have the same build folder, so that the library
# is built once. An example prints the same while a trace of it is recorded.
programs_print() {
  local build=$1 folder=$2 name expected trace=$1/example.kvotrace
  shift 2
  scripts/swift-build.sh quietly --package-path "$folder" --scratch-path "$build" || failed=1
  for name in "$@"; do
    expected=$folder/expected/$name.txt
    [ -e "$expected" ] || expected=$folder/expected.txt
    expect "$folder: $name" "$(cat "$expected")" "$(said "$build/debug/$name")"
    [[ $folder == Examples/* ]] || continue
    rm -f "$trace"
    expect "$folder: $name, traced" "$(cat "$expected")" \
      "$(ISAKVO_TRACE=$trace said "$build/debug/$name")"
    expect "the trace of $folder: $name" KVOTRACE "$(head -c 8 "$trace")"
  done
}

# The packages that are fetched for the package in folder `$1` with the options behind it, where
# nothing has been built.
fetched() {
  local folder package=$1
  shift
  folder=$(mktemp -d)
  # The versions of a run with other traits would be fetched, too.
  rm -f "$package/Package.resolved"
  if swift package --package-path "$package" --scratch-path "$folder" "$@" resolve >&2; then
    ls "$folder/checkouts"
  else
    echo "$package is not resolved"
  fi
  rm -rf "$folder" "$package/Package.resolved"
}

# Runs the tests of the package in folder `$1` in build folder `$2`; if there is none, in the build
# folder of packages with the traits.
tests_pass() {
  local place=(--package-path "$1" --scratch-path "${2:-$traits}")
  scripts/swift-build.sh quietly --build-tests "${place[@]}" &&
    swift test --quiet --no-parallel --disable-xctest --skip-build "${whole[@]}" "${place[@]}" ||
    failed=1
}

# The first Swift example of the README.
readme_example() { awk '/^```/ { if (on) exit; on = /swift/; next } on' README.md; }

# The mistakes that the compiler finds in file `$1`, as LINE: MESSAGE, by lines.
found_wrong() {
  local include
  local flags=(-I "$traits/debug/Modules" -Xcc -ISources/CIsa
    -load-plugin-executable "$traits/debug/IsaKVOMacrosPlugin-tool#IsaKVOMacrosPlugin")
  for include in Sources/CIsaHeader Sources/CSwiftRuntime Sources/CIsa; do
    flags+=(-Xcc "-fmodule-map-file=$include/include/module.modulemap" -Xcc "-I$include/include")
  done
  swiftc -typecheck -swift-version 6 -diagnostic-style llvm "${flags[@]}" "$1" 2>&1 |
    sed -n -e "s/ (from macro '[A-Za-z]*')\$//" -e '/^<unknown>/p' \
      -e 's/^[^:]*\.swift:\([0-9]*\):[0-9]*: error: /\1: /p' |
    sort -s -n
}

# The same, as the comments above the lines say it.
said_wrong() {
  awk 'sub(/^ *\/\/ error below: /, "") { said[++count] = $0; next }
    { for (i = 1; i <= count; i++) print FNR ": " said[i]; count = 0 }' "$1"
}

scripts/test-install.sh || failed=1
while read -r folder names; do
  # shellcheck disable=SC2086 # several names
  programs_print "$shared" "$folder" $names
done <<<"$programs"
tests_pass Examples/Dashboard/Plant "$shared"
while read -r folder names; do
  # shellcheck disable=SC2086 # several names
  programs_print "$traits" "$folder" $names
done <<<"$trait_programs"
tests_pass Tests/Consumer/streams
expect "the package itself fetches nothing" "" "$(fetched .)"
expect "nor does one that depends on it without a trait" "" "$(fetched Tests/Consumer/native)"
expect "the trait Macros fetches one package" "swift-syntax" "$(fetched . --traits Macros)"
expect "the trait Combine fetches one package" "OpenCombine" "$(fetched . --traits Combine)"
for file in Tests/Consumer/wrong/*.swift; do
  expect "what is wrong in $(basename "$file")" "$(said_wrong "$file")" "$(found_wrong "$file")"
done
diff <(readme_example) Tests/Consumer/native/Sources/Native/main.swift ||
  { echo "consumer: README.md shows another example than the one that runs" >&2 && failed=1; }
exit $failed
