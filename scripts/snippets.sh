#!/usr/bin/env bash
# Compiles and runs the examples of README.md, of the articles and of two pages of docs. The
# ```swift blocks of one of them, in order, are the body of one function; a warning is an error.
# They must print what the plain blocks that follow a ```swift block say. The packages that they
# need besides this one are those in the ```text blocks.
set -euo pipefail
cd "$(dirname "$0")/.."

room=.build-snippets
status=0

# The documents whose examples are run, one a line.
articles() {
  git ls-files -co --exclude-standard -- \
    README.md 'Sources/*.docc/*.md' docs/coding.md docs/observing.md
}

# The program of article `$1`, whose errors are reported by the article's own lines.
program() {
  {
    echo "import IsaKVO"
    awk '/^```/ { on = !on && /^```swift$/; next } on && /^import /' "$1"
  } | sort -u
  printf '\nfunc article() async throws {\n'
  awk -v file="$1" '
    /^```/ {
      on = !on && /^```swift$/
      blocks += on
      if (on) print "#sourceLocation(file: \"" file "\", line: " FNR + 1 ")"
      next
    }
    on && /^import / { print ""; next }
    on && /^(let|var) / { kept[++count] = $2; sub(/[^A-Za-z0-9_].*/, "", kept[count]) }
    on { print }
    # An observation in a block goes on in those after it. One block is a whole example, which keeps
    # what it needs by itself.
    END {
      print "#sourceLocation()"
      if (blocks < 2) exit
      for (i = 1; i <= count; i++) print "  withExtendedLifetime(" kept[i] ") {}"
    }' "$1"
  printf '}\n\ntry await article()\n'
}

# The lines that the examples of article `$1` print, as it says.
printed() {
  awk '
    /^```/ && block != "" { follows = block == "swift"; block = ""; next }
    /^```/ {
      block = $0 == "```swift" ? "swift" : $0 == "```" && follows ? "output" : "other"
      follows = 0
      next
    }
    block == "output" { print }
    block == "" && NF { follows = 0 }' "$1"
}

# Writes `$1` from standard input, if that is not what it says already.
update() {
  mkdir -p "$(dirname "$1")"
  cat >"$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# The lines of article `$1` for a manifest that begin with `$2`, but for those about this package.
needed() {
  awk -v start="$2" '/^```/ { on = !on && /^```text$/; next } on && index($0, start) == 1' "$1" |
    { grep -vE '"IsaKVO"|…' || true; }
}

# The manifest of a package with one program for each name on standard input.
manifest() {
  cat <<'END'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Snippets",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "IsaKVO", path: "..", traits: ["Combine", "Macros"]),
END
  cat "$room"/*.packages | sort -u
  printf '  ],\n  targets: [\n'
  while IFS= read -r name; do
    echo "    .executableTarget("
    echo "      name: \"$name\", dependencies: ["
    for product in $(products); do
      echo "        .product(name: \"$product\", package: \"IsaKVO\"),"
    done
    cat "$room/$name.products"
    echo "      ],"
    echo "      swiftSettings: [.unsafeFlags([\"-warnings-as-errors\"])]),"
  done
  printf '  ],\n  swiftLanguageModes: [.v6]\n)\n'
}

products() { grep -o 'library(name: "Isa[A-Za-z]*"' Package.swift | cut -d '"' -f 2; }

names=()
rm -f "$room"/*.packages
while IFS= read -r article; do
  grep -q '^```swift$' "$article" || continue
  name=$(basename "$article" .md)Examples
  # An article may have the same name.
  case $article in docs/*) name=Docs$name ;; esac
  names+=("$name")
  program "$article" | update "$room/Sources/$name/main.swift"
  printed "$article" | update "$room/$name.expected"
  needed "$article" '.package(' >"$room/$name.packages"
  needed "$article" '.product(' >"$room/$name.products"
done < <(articles)
printf '%s\n' "${names[@]}" | manifest | update "$room/Package.swift"

scripts/swift-build.sh quietly --package-path "$room"
for name in "${names[@]}"; do
  if "$room/.build/debug/$name" | diff -u "$room/$name.expected" -; then
    echo "snippets: $name: as it says"
  else
    echo "snippets: $name prints something else than it says" >&2
    status=1
  fi
done
exit $status
