#!/usr/bin/env bash
# Does with the documentation what users of the package and the Swift Package Index do: asks for the
# symbol graphs of all modules, and has DocC's plugin build the reference of the modules that
# .spi.yml names, of which a warning is an error. It does so in a copy of the package whose manifest
# has the plugin, which no user of the package is to fetch. The archives are
# .build-docs/MODULE.doccarchive, pages for any web server.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/.build-docs
copy=$out/IsaKVO
plugin=https://github.com/swiftlang/swift-docc-plugin
# The examples of the articles are built there, with what the package fetches for its traits: to
# compile that takes longer than to compile the package.
build=$PWD/.build-snippets/.build
failed=0

# Makes the copy: the manifest, and links to the sources.
make_copy() {
  mkdir -p "$copy"
  ln -sfn "$PWD/Sources" "$copy/Sources"
  ln -sfn "$PWD/Tests" "$copy/Tests"
  awk -v plugin="$plugin" '{ print }
    /^  dependencies: \[$/ { print "    .package(url: \"" plugin "\", from: \"1.5.0\")," }' \
    Package.swift >"$copy/Package.swift"
}

# `swift package` of the copy with the given arguments; what it prints goes into a file.
package() {
  scripts/swift-build.sh package --package-path "$copy" --scratch-path "$build" "$@" \
    >"$out/log" 2>&1
}

# The package manager has not built the modules that run the tests, and ends with an error about
# their graphs in any package with tests.
graphs_are_written() {
  package dump-symbol-graph || true
  awk '/^Files written to / { written = 1 }
    /^error: / && !/IsaKVOPackage(Discovered)?Tests/ { wrong = 1 }
    END { exit wrong || !written }' "$out/log"
}

# Builds the archive of module `$1`.
is_documented() {
  package --allow-writing-to-directory "$out" generate-documentation --target "$1" \
    --output-path "$out/$1.doccarchive" --warnings-as-errors
}

# Says that `$1` came out if the command behind it succeeds; else what the command has printed.
expect() {
  if "${@:2}"; then
    echo "docs: $1"
  else
    cat "$out/log" >&2
    echo "docs: $1: failed" >&2
    failed=1
  fi
}

modules=$(sed -n 's/.*documentation_targets: \[\(.*\)\]/\1/p' .spi.yml | tr -d ' ' | tr ',' '\n')
[ -n "$modules" ] || { echo 'docs: .spi.yml names no modules' >&2 && exit 1; }
make_copy
expect "the symbol graphs of all modules" graphs_are_written
while IFS= read -r module; do
  expect ".build-docs/$module.doccarchive" is_documented "$module"
done < <(sort -u <<<"$modules")
exit $failed
