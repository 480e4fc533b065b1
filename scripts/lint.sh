#!/usr/bin/env bash
# Holds the shape of the sources: swift-format's rules, columns and blanks, C without warnings under
# each compiler that is there, with assertions and without, links in the documents that lead
# somewhere, and names of files and types that the glossary or the field explains. Everything that
# is wrong is printed before it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
columns=100

# The project's own files of the given patterns, one a line; isalab's resources have their own form.
texts() {
  git ls-files -co --exclude-standard -- "$@" ':!Lab/Sources/isalab/Resources' |
    while IFS= read -r file; do
      [ ! -f "$file" ] || printf '%s\n' "$file"
    done
}

# Runs the awk program `$1` over the files on standard input; what it prints is wrong. In it `file`
# is the file's name, and `begins` is true in its first line.
lines_are_fine() {
  local found
  found=$(tr '\n' '\0' |
    xargs -0 awk -v columns="$columns" "{ file = FILENAME; begins = FNR == 1 } $1") || return
  [ -z "$found" ] || { printf '%s\n' "$found" && return 1; }
}

check_shape() {
  # A column is a character: awk counts bytes, so continuation bytes are left out of the count.
  texts '*.c' '*.h' '*.sh' '.ci/run' | lines_are_fine '
    /\t/ { print file ":" FNR ": a tab" }
    { line = $0; gsub(/[\200-\277]/, "", line); wide = length(line) }
    wide > columns { print file ":" FNR ": " wide " columns, " columns " at most" }' || status=1
  texts '*.c' '*.h' '*.sh' '*.swift' '*.md' '*.yml' '*.kvo' '*Makefile' | lines_are_fine '
    /[ \t\r]$/ { print file ":" FNR ": a blank at the end" }' || status=1
}

# A suite that uses the core counts and sets what is the process's: see Tests/Support/Turn.swift.
check_suites() {
  texts 'Tests/*.swift' 'Lab/Tests/*.swift' | lines_are_fine '
    BEGIN { traits = "[.](balancedCounts|leavesNothing|leavesNoObjects|oneAtATime)" }
    (/\.serialized/ || /@Suite/ && file ~ /^Tests\/[A-Za-z]*Tests\//) && $0 !~ traits {
      print file ":" FNR ": a suite without .oneAtATime or a trait that compares live counts"
    }' || status=1
}

check_swift() {
  local files=()
  while IFS= read -r file; do files+=("$file"); done < <(texts '*.swift')
  [ ${#files[@]} = 0 ] || swift format lint --strict --parallel "${files[@]}" || status=1
}

# Where libffi's headers are; empty where the compiler finds them by itself.
libffi_flags=$(pkg-config --cflags libffi 2>/dev/null || true)

# Compiles one file with compiler `$1` and keeps nothing.
compiles() {
  local compiler=$1
  shift
  # shellcheck disable=SC2086 # the flags are several words or none
  "$compiler" -std=c17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror \
    -ISources/CIsa -ISources/CIsa/include -ISources/CIsaHeader/include \
    -ISources/CSwiftRuntime/include $libffi_flags "$@"
}

# Prints, each ended by a zero byte, the calls of `compiles` that hold all of the C.
compilations() {
  local compiler file
  # gcc finds more when it optimises, and that pass is what `make install` builds.
  for compiler in clang gcc; do
    command -v $compiler >/dev/null 2>&1 || continue
    local released='-fsyntax-only'
    [ $compiler != gcc ] || released='-O2 -c -o /dev/null'
    while IFS= read -r file; do
      # Swift's calling convention is clang's.
      [ $compiler != gcc ] || [ "${file%/*}" != Sources/CSwiftRuntime ] || continue
      printf 'compiles %s -fsyntax-only %q\0' $compiler "$file"
      printf 'compiles %s %s -DNDEBUG %q\0' $compiler "$released" "$file"
    done < <(texts 'Sources/*.c')
    while IFS= read -r file; do
      printf 'compiles %s -std=gnu17 -D_GNU_SOURCE %s %s %s %q\0' $compiler \
        -IBenchmarks/Sources/CPaired/include -IBenchmarks/Sources/CWorkloads/include \
        "$released" "$file"
    done < <(texts 'Benchmarks/Sources/*.c')
    # A header compiles by itself.
    while IFS= read -r file; do
      printf 'compiles %s -fsyntax-only -x c -include %q /dev/null\0' $compiler "$file"
    done < <(texts 'Sources/CIsa/*.h' 'Sources/CIsaHeader/*.h' 'Sources/CSwiftRuntime/*.h')
  done
}

check_c() {
  export -f compiles
  export libffi_flags
  compilations | xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" bash -c || status=1
}

# The public headers serve C from C99 on, and C++ from C++11 on.
check_public_headers() {
  local pair
  local pairs='clang:c99 clang:c11 gcc:c99 gcc:c11 clang++:c++11 clang++:c++17 g++:c++11 g++:c++17'
  for pair in $pairs; do
    local compiler=${pair%%:*} language=c
    command -v "$compiler" >/dev/null 2>&1 || continue
    case $compiler in *++) language=c++ ;; esac
    "$compiler" "-std=${pair#*:}" -Wall -Wextra -pedantic -Werror -fsyntax-only -x $language \
      -ISources/CIsa/include -ISources/CIsaHeader/include -include isa.h /dev/null || status=1
  done
}

# Prints TARGET for each relative link of a Markdown file, without its #part.
links() {
  awk '
    /^```/ { code = !code }
    code { next }
    {
      gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^)]*\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH)
        sub(/#.*/, "", target)
        if (target != "" && target !~ /^[a-z]+:/) print FNR ":" target
      }
    }' "$1"
}

check_links() {
  local file link
  while IFS= read -r file; do
    while IFS= read -r link; do
      [ -e "$(dirname "$file")/${link#*:}" ] && continue
      echo "$file:${link%%:*}: link to ${link#*:}, which does not exist"
      status=1
    done < <(links "$file")
  done < <(texts '*.md')
}

# docs/behaviour.md and Tests/ConformanceTests name the same cases and rules: a test's name begins
# with its ID.
check_behaviour() {
  local id='([A-Z]{3,4}-[0-9]{2}|rule [0-9]+(\.[0-9]+)*)'
  comm -3 <(grep -oE "\b$id\b" docs/behaviour.md | sort -u) \
    <(grep -rhoE "(@Test\(|^ *)\"$id(, $id)*\b" Tests/ConformanceTests | grep -oE "$id" | sort -u) |
    awk -F '\t' '
      $1 != "" { print "docs/behaviour.md names " $1 ", and no test begins with it" }
      $1 == "" { print "docs/behaviour.md does not name " $2 ", which a test begins with" }
      END { exit NR > 0 }' || status=1
}

# Prints, for each ID that a test in Tests/ConformanceTests begins with, whether the tests with it
# run on Swift classes as well: "ID all", "ID some" or "ID none".
kinds_of_tests() {
  find Tests/ConformanceTests -name '*.swift' -exec awk '
    /@Test\(/ { head = ""; inside = 1 }
    inside { head = head $0 }
    inside && /func / {
      inside = 0
      sub(/^[^"]*"/, "", head)
      on_both = head ~ /Kind\.allCases|Way\.(allCases|proxies)/
      while (match(head, /^([A-Z][A-Z][A-Z]+-[0-9][0-9]|rule [0-9]+(\.[0-9]+)*)/)) {
        id = substr(head, 1, RLENGTH)
        head = substr(head, RLENGTH + 1)
        sub(/^, /, "", head)
        print id, on_both
      }
    }' {} + | awk '
    { on_both = $NF; sub(/ [01]$/, ""); count[$0]++; both[$0] += on_both }
    END {
      for (id in count)
        print id, both[id] == 0 ? "none" : both[id] == count[id] ? "all" : "some"
    }'
}

# The last column of docs/behaviour.md says which of a rule's tests run on Swift classes as well:
#   both                                    each of them
#   both; not ID, ID: why; partly ID: why   all but those, and of the latter only some
#   run time: why                           none
check_kinds() {
  kinds_of_tests | awk -F '|' '
    function ids(text, into,    n) {
      split("", into)
      while (match(text, /[A-Z][A-Z][A-Z]+-[0-9][0-9]|rule [0-9]+(\.[0-9]+)*/)) {
        into[substr(text, RSTART, RLENGTH)] = 1
        text = substr(text, RSTART + RLENGTH)
        n++
      }
      return n + 0
    }
    function wrong(what) { print "docs/behaviour.md: rule" $2 what; failed = 1 }
    function stated(id, column) {
      return (id in named) ? named[id] : column ~ /^ run time: / ? "none" : "all"
    }
    NR == FNR { state = $0; sub(/.* /, "", state); sub(/ [a-z]*$/, ""); kinds[$0] = state; next }
    /^\| [0-9]+\.[0-9.]+ \|/ {
      column = $6
      if (!ids($5, tests)) {
        if (column != " – ") wrong("has no tests, and its last column is not –")
        next
      }
      if (column !~ /^ (both|run time: [^ ].*|both; .*) $/)
        wrong("does not say whom it is shown on")
      split("", named)
      parts = column ~ /^ run time: / ? 1 : split(column, part, ";")
      for (i = 2; i <= parts; i++) {
        kind = part[i] ~ /^ not .*: [^ ]/ ? "none" : part[i] ~ /^ partly .*: [^ ]/ ? "some" : ""
        if (kind == "") { wrong("gives no reason:" part[i]); continue }
        sub(/: .*/, "", part[i])
        ids(part[i], exceptions)
        for (id in exceptions) {
          named[id] = kind
          if (!(id in tests)) wrong("excepts " id ", which is none of its tests")
        }
      }
      for (id in tests)
        if (stated(id, column) != kinds[id])
          wrong("says of the tests " id ": " stated(id, column) " on Swift classes, not " kinds[id])
    }
    END { exit failed }' - docs/behaviour.md || status=1
}

# The words of the field, which docs/glossary.md need not explain, behind where the field uses them.
field_words='
C and POSIX: address alloc arguments block counts double entry error fork index info lock locked
C and POSIX: log long map member queue range scratch stack system thread word
Swift: access actor any boxed buffer codable conformance convertible core declare declared dynamic
Swift: enum equality exclusivity export finding generic getter hashed hashing identity interned kind
Swift: lazy macro main model modification mutable mutation mutating named note opaque optional
Swift: overridden override plugin policy reflection runtime safe sequence setting storage store
Swift: stored swift tracked tracker unchecked untyped variable wrapping
Swift, the memory layout of its runtime: layout numbering base
Objective-C Runtime, objc/runtime.h: association body handle implementation ownership property
Key-Value Coding Programming Guide: coding collection decimal dictionary keyed null number ordered
Key-Value Coding Programming Guide: scalar search string unordered validation validator
Key-Value Observing, NSKeyValueObserving.h: affecting before insertion message observing removal
Foundation: action bridging builder conversion foundation invocation keyed
Cocoa Bindings: arranging bind current default display editing filter node option pattern
Cocoa Bindings: rearrangement sort tree
Combine: assign observable publisher sink state
ReactiveX and RxSwift: bag distinct
Patterns, Gamma and others 1994: callback facade
libffi: ffi invoke
safe memory reclamation, Michael 2004: reclaim
plain English: added adopted adopter announced bulk changing containers control copied cure
plain English: customization deliver delivered elsewhere ending evaluation expected finder hub
plain English: introspection kept known live longer made making mergeable mode naming notify on only
plain English: parts pending planning question quadruple reading refcount refusal relations rest
plain English: seeking several shown sourced stand step synthesize testing tied together two under
plain English: in walk watch watching within writer writing written
'

# A word of a file's name, of a struct in a header or of a type that other Swift files see stands
# in a first column of docs/glossary.md, or among the words of the field.
check_words() {
  texts 'Sources/CIsa/*.c' 'Sources/CIsa/*.h' 'Sources/*.swift' | tr '\n' '\0' |
    xargs -0 awk -v field="$field_words" '
      function singular(word) {
        if (word ~ /ies$/) sub(/ies$/, "y", word)
        else if (word ~ /(ss|x|ch|sh)es$/) sub(/es$/, "", word)
        else if (word !~ /ss$/) sub(/s$/, "", word)
        return word
      }
      function learn(text,    word, count, i) {
        count = split(tolower(text), word, /[^a-z]+/)
        for (i = 1; i <= count; i++) known[singular(word[i])] = 1
      }
      function look(name, place,    word, count, i) {
        gsub(/[A-Z][A-Z]+/, "_&", name)
        gsub(/[A-Z][a-z]/, "_&", name)
        count = split(tolower(name), word, /[^a-z]+/)
        for (i = 1; i <= count; i++) {
          word[i] = singular(word[i])
          if (word[i] in known || (word[i], place) in said) continue
          said[word[i], place] = 1
          print place ": the word " word[i] " is neither in docs/glossary.md nor one of the field"
          failed = 1
        }
      }
      BEGIN {
        count = split(field, line, "\n")
        for (i = 1; i <= count; i++) { sub(/^[^:]*: /, "", line[i]); learn(line[i]) }
        learn("isa kvo kvc kv ns nskv n")
        while ((getline row < "docs/glossary.md") > 0)
          if (row ~ /^\| \*\*/) { split(row, cell, "|"); learn(cell[2]) }
      }
      FNR == 1 {
        name = FILENAME
        gsub(/^.*\/|\.[a-z]+$/, "", name)
        look(name, FILENAME)
      }
      FILENAME ~ /\.h$/ && /^(typedef )?(struct|union) [a-z_]+ \{/ {
        name = $0
        sub(/^(typedef )?(struct|union) /, "", name)
        sub(/ .*/, "", name)
        look(name, FILENAME ":" FNR)
      }
      FILENAME ~ /\.swift$/ && !/private / &&
        /^(@[a-zA-Z(]+\)? |[a-z]+ )*(struct|class|enum|protocol|actor|typealias) [A-Z]/ {
        name = $0
        sub(/^.*(struct|class|enum|protocol|actor|typealias) /, "", name)
        sub(/[^A-Za-z].*/, "", name)
        look(name, FILENAME ":" FNR)
      }
      END { exit failed }' || status=1
}

# Every package that a manifest fetches stands in the bill of dependencies, and no other.
check_dependencies() {
  local bill=docs/dependencies.spdx.json ours='libffi/libffi' address='https://github.com/[^"]*'
  comm -3 \
    <(texts '*Package.swift' ':!*/Fixtures/*' | xargs -d '\n' grep -ohE "$address" | sort -u) \
    <(grep -oE "$address" "$bill" | grep -v "$ours" | sort -u) |
    awk -v bill="$bill" -F '\t' '
      $1 != "" { print bill " does not name " $1 ", which a manifest fetches" }
      $1 == "" { print bill " names " $2 ", which no manifest fetches" }
      END { exit NR > 0 }' || status=1
}

case "${1:-all}" in
  docs)
    check_links
    check_words
    check_dependencies
    scripts/figures.sh --check || status=1
    check_behaviour
    check_kinds
    ;;
  all)
    check_shape
    check_suites
    check_links
    check_words
    check_dependencies
    check_swift
    check_c
    check_public_headers
    scripts/figures.sh --check || status=1
    check_behaviour
    check_kinds
    ;;
esac
[ $status != 0 ] || echo "lint: nothing to complain about"
exit $status
