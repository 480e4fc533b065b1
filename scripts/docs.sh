#!/usr/bin/env bash
# Has DocC build the reference of the modules that .spi.yml names, from their symbol graphs; a
# warning is an error. The archives are .build-docs/MODULE.doccarchive, pages for any web server.
# The modules are those that scripts/snippets.sh has built for the examples, with both traits, as
# they were then: `make docs` calls it before.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/.build-docs
build=$PWD/.build-snippets/.build
failed=0

# Writes what the compiler says of module `$1` into folder `$2`.
describe() {
  local map include=(-I "$build/debug/Modules")
  while IFS= read -r map; do
    include+=(-Xcc "-fmodule-map-file=$map" -I "$(dirname "$map")")
  done < <(find Sources "$build"/debug/COpenCombineHelpers.build -name module.modulemap)
  mkdir -p "$2"
  swift symbolgraph-extract -module-name "$1" -minimum-access-level public \
    -emit-extension-block-symbols "${include[@]}" \
    -target "$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",*/\1/p')" \
    -output-dir "$2"
}

# Builds the archive of module `$1`.
is_documented() {
  rm -rf "$out/graphs/$1" "$out/$1.doccarchive"
  describe "$1" "$out/graphs/$1" &&
    docc convert "Sources/$1/$1.docc" --additional-symbol-graph-dir "$out/graphs/$1" \
      --fallback-display-name "$1" --fallback-bundle-identifier "$1" --warnings-as-errors \
      --output-path "$out/$1.doccarchive"
}

modules=$(sed -n 's/.*documentation_targets: \[\(.*\)\]/\1/p' .spi.yml | tr -d ' ' | tr ',' '\n')
[ -n "$modules" ] || { echo 'docs: .spi.yml names no modules' >&2 && exit 1; }
while IFS= read -r module; do
  if said=$(is_documented "$module" 2>&1); then
    echo "docs: .build-docs/$module.doccarchive"
  else
    printf '%s\ndocs: %s: failed\n' "$said" "$module" >&2
    failed=1
  fi
done < <(sort -u <<<"$modules")
exit $failed
