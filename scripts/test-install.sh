#!/usr/bin/env bash
# Installs the C library as a user without Swift does, into a folder with a blank and an apostrophe
# in its name, and follows docs/c-library.md from there: its program, compiled and run by its own
# lines and the lines that `make install` says to type. Then other programs, with the shared library
# and the static one, under valgrind and the address sanitizer; and what an installation leaves
# alone.
set -euo pipefail
cd "$(dirname "$0")/.."
# This is another make than the make that may have called.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES PREFIX LIBDIR DESTDIR

root=$PWD
cc=${CC:-cc}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
prefix="$room/somebody's folder"
work="$room/main program"
mkdir -p "$prefix" "$work"
failed=0

# Says whether `$1` came out as expected: `$3` is what came, `$2` what should have.
expect() {
  if [ "$3" = "$2" ]; then
    echo "consumer: $1: as expected"
  else
    printf "consumer: %s: came '%s', expected '%s'\n" "$1" "$3" "$2" >&2
    failed=1
  fi
}

# A PATH that leads to everything but Swift.
path_without_swift() {
  local folder farm path=
  while IFS= read -r -d : folder; do
    if [ -e "$folder/swift" ]; then
      farm=$(mktemp -d "$room/bin.XXXXXX")
      ln -s "$folder"/* "$farm"
      rm -f "$farm"/swift*
      folder=$farm
    fi
    path=$path${path:+:}$folder
  done <<<"$PATH:"
  printf '%s' "$path"
}

# The C program of docs/c-library.md; the lines that follow it; its output.
page_block() {
  awk -v wanted="$1" '
    /^```/ && !open { open = 1; c = /^```c$/; if (c) after = 1; else if (after) after++; next }
    /^```/ { open = 0; if (after == 3) exit; next }
    open && after == wanted && (c || wanted > 1) { print }' docs/c-library.md
}

# ---- as the page says ----------------------------------------------------------------------------

follow_page() {
  local install compile
  { read -r install; read -r compile; } < <(page_block 2)
  said=$(PREFIX=$prefix && export PREFIX && eval "$install")
  eval "$(sed -n 's/^  //p' <<<"$said")"
  page_block 1 >"$work/main.c"
  (cd "$work" && eval "$compile")
}

PATH=$(path_without_swift)
expect "no Swift in PATH" "" "$(command -v swift swiftc || true)"
# Not in a subshell: a variable exported here holds for all that follows.
follow_page >"$room/page.out"
expect "the page's C program" "$(page_block 3)" "$(cat "$room/page.out")"

# ---- other programs ------------------------------------------------------------------------------

# Compiles file `$1` into `$2`; with `static` as `$3` it needs no shared library to run.
compile() {
  if [ "${3:-}" = static ]; then
    eval "$cc" '"$1"' -o '"$2"' "$(pkg-config --cflags isakvo)" '"$prefix/lib/libisakvo.a"' \
      "$(pkg-config --libs libffi)" -pthread
  else
    eval "$cc" '"$1"' -o '"$2"' "$(pkg-config --cflags --libs isakvo)"
  fi
}

# Compiles the page's program with the static library, and runs it where nothing is installed.
with_static() {
  compile "$work/main.c" "$work/static" static
  env -u LD_LIBRARY_PATH -u DYLD_LIBRARY_PATH "$work/static"
}

# One thread at first, then two.
with_threads() {
  compile Tests/Consumer/c/threads.c "$work/threads" static
  "$work/threads"
}

# The library in the program and once more in a module that it opens.
with_two_copies() {
  compile Tests/Consumer/c/copies.c "$work/copies" static
  eval "$cc" -DMODULE -shared -fPIC Tests/Consumer/c/copies.c -o '"$work/module.so"' \
    "$(pkg-config --cflags --libs isakvo)"
  "$work/copies" "$work/module.so"
}

# A plugin with the shared library, or the static, `$1`, that is closed while threads use it.
with_closed_plugin() {
  local libs
  case $1 in
    shared) libs=$(pkg-config --libs isakvo) ;;
    static) libs="\"\$prefix/lib/libisakvo.a\" $(pkg-config --libs libffi) -pthread" ;;
  esac
  eval "$cc" -DMODULE -shared -fPIC Tests/Consumer/c/closed.c -o '"$work/plugin.so"' \
    "$(pkg-config --cflags isakvo)" "$libs"
  eval "$cc" Tests/Consumer/c/closed.c -o '"$work/closed"' -ldl -pthread
  "$work/closed" "$work/plugin.so"
}

# A call for every function and each of its pointers.
with_nulls() {
  compile Tests/Consumer/c/nulls.c "$work/nulls" static
  "$work/nulls"
}

shared_library() {
  compgen -G "$prefix/lib/libisakvo.so" || printf '%s' "$prefix/lib/libisakvo.dylib"
}

# A copy of the example with five classes, where its Makefile finds nothing but what is installed.
example() { ${MAKE:-make} --silent -C "$work/c-inventory" "$@" 2>&1 | sed 's/0x[0-9a-f]*/0x…/g'; }

cp -R Examples/c-inventory "$work"
expect "C program with the static library" "$(page_block 3)" "$(with_static)"
expect "C program that begins a thread" "failures: 0, references: 1" "$(with_threads)"
expect "two copies of the library" "two copies, told 40000 and 40000" "$(with_two_copies)"
for library in shared static; do
  expect "a plugin that is closed, $library" "told 3000" "$(with_closed_plugin $library 2>&1)"
done
expect "C program that passes NULL" "" "$(with_nulls)"
expect "the functions that it calls" \
  "$(scripts/abi.sh exports "$(shared_library)" print | LC_ALL=C sort)" \
  "$("$work/nulls" names | LC_ALL=C sort -u)"
expect "C program of five classes" "$(cat Examples/c-inventory/expected.txt)" "$(example run)"

# ---- the guide, and C's own types ----------------------------------------------------------------

# The compilers that are here, with each language that the typed conveniences are for.
dialects() {
  local dialect
  for dialect in 'gcc -std=c11' 'gcc -std=c17' 'clang -std=c11' 'clang -std=c17' \
    'g++ -std=c++17' 'clang++ -std=c++17 -Wno-deprecated'; do
    ! command -v "${dialect%% *}" >/dev/null 2>&1 || echo "$dialect"
  done
}

# Compiles file `$2` by dialect `$1` without a warning, with the shared library or the static, `$3`,
# and runs it.
by_dialect() {
  local cc="$1 -Wall -Wextra -pedantic -Werror"
  compile "$2" "$work/dialect" "$3"
  "$work/dialect"
}

# The lines of refused.c that dialect `$1` refuses.
refused_by() {
  local limit=-fmax-errors=0
  case $1 in clang*) limit=-ferror-limit=0 ;; esac
  { eval "$1" -Wall -Wextra -Werror -fsyntax-only $limit "$(pkg-config --cflags isakvo)" \
    Tests/Consumer/c/refused.c 2>&1 || true; } |
    sed -n '/^In file included/d; /^ *from /d; s/.*refused\.c:\([0-9]*\):.*/\1/p' | sort -nu
}

# The lines of dropped.c of which dialect `$1`, with options `$2`, says that a status is dropped.
dropped_by() {
  { eval "$1" -Wall -Wextra -c -o /dev/null $2 "$(pkg-config --cflags isakvo)" \
    Tests/Consumer/c/dropped.c 2>&1 || true; } |
    sed -n 's/.*dropped\.c:\([0-9]*\):.*unused-result.*/\1/p' | sort -nu
}

# The blocks of a page in language `$1`, or plain ones, one below another.
blocks() {
  awk -v fence="\`\`\`$1" '
    /^```/ { is_on = !is_open && $0 == fence; is_open = !is_open
             if (is_on && count++) print ""
             next }
    is_on { print }' docs/c-guide.md
}

guide=Examples/c-guide/guide.c
expect "the guide has its program" "$(cat $guide)" "$(blocks c)"
expect "the guide says what its program prints" "$(cat Examples/c-guide/expected.txt)" \
  "$(blocks '' | sed '/^$/,$d')"
while IFS= read -r dialect; do
  for library in shared static; do
    expect "the guide's program by $dialect, $library" "$(cat Examples/c-guide/expected.txt)" \
      "$(by_dialect "$dialect" $guide $library)"
  done
  expect "C's own types by $dialect" "109 checks" \
    "$(by_dialect "$dialect" Tests/Consumer/c/typed.c static)"
  expect "types refused by $dialect" "$(sed -n '\|// refused$|=' Tests/Consumer/c/refused.c)" \
    "$(refused_by "$dialect")"
  expect "a status that is dropped, by $dialect" 9 "$(dropped_by "$dialect" '')"
  expect "the same where the file says so" '' "$(dropped_by "$dialect" -DISA_UNCHECKED)"
done < <(dialects)

# ---- leaks ---------------------------------------------------------------------------------------

# Whether valgrind finds neither an error nor a leak in program `$1`, not even a possible one.
valgrind_is_content() {
  valgrind -q --leak-check=full --error-exitcode=1 "$1" >/dev/null && echo yes
}

scripts/deps.sh valgrind 'leaks are not checked'
if command -v valgrind >/dev/null 2>&1; then
  compile Tests/Consumer/c/kept.c "$work/kept"
  compile $guide "$work/guide"
  compile Tests/Consumer/c/typed.c "$work/typed" static
  expect "a program that keeps all to its end" "kept by isakvo $(pkg-config --modversion isakvo)" \
    "$("$work/kept")"
  for program in a.out kept guide typed c-inventory/inventory; do
    expect "$program under valgrind" yes "$(valgrind_is_content "$work/$program")"
  done
fi
# The sanitizer ends a program that leaks with an error.
with_sanitizer() {
  local cc="$cc -fsanitize=address"
  compile Tests/Consumer/c/kept.c "$work/checked" static
  "$work/checked"
}

expect "a program that keeps all to its end, under the address sanitizer" \
  "kept by isakvo $(pkg-config --modversion isakvo)" "$(with_sanitizer && true)"
example clean
expect "C program of five classes under the address sanitizer" \
  "$(cat Examples/c-inventory/expected.txt)" "$(example run CFLAGS=-fsanitize=address)"

# ---- what an installation looks at and leaves alone ----------------------------------------------

# A loader's configuration that names folder `$LOOKS_INTO` alone, and whose cache `$MAY_RENEW` says
# whether this user may renew.
fake_ldconfig() {
  mkdir "$room/fake"
  cat >"$room/fake/ldconfig" <<'END'
#!/bin/sh
case "$*" in
  *-v*) echo "$LOOKS_INTO: (from somewhere)" ;;
  *) echo renewed >>"$RENEWED"; [ "$MAY_RENEW" = yes ] ;;
esac
END
  chmod +x "$room/fake/ldconfig"
}

# The advice of an installation under `$prefix` where the loader looks into folder `$1`, and the
# user may renew its cache or not, `$2`; then how often it did.
found_by_loader() {
  export LOOKS_INTO=$1 MAY_RENEW=$2 RENEWED="$room/renewed"
  : >"$RENEWED"
  PATH="$room/fake:$PATH" LD_LIBRARY_PATH='' scripts/installed.sh find "$prefix/lib" |
    sed -n 's/^  //p'
  grep -c renewed "$RENEWED" || true
}

if [ "$(uname -s)" = Linux ] && ! compgen -G '/lib/ld-musl-*' >/dev/null; then
  fake_ldconfig
  lib=$(printf %q "$prefix/lib")
  expect "a folder that the loader looks into" 1 "$(found_by_loader "$prefix/lib" yes)"
  expect "the same, for a user who may not renew the loader's cache" "sudo ldconfig
1" "$(found_by_loader "$prefix/lib" no)"
  expect "a folder that the loader does not look into" \
    "export LD_LIBRARY_PATH=$lib\"\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}\"
0" "$(found_by_loader /usr/local/lib yes)"
  rm "$room/renewed"
  PATH="$room/fake:$PATH" LOOKS_INTO=/usr/lib MAY_RENEW=yes RENEWED="$room/renewed" \
    "${MAKE:-make}" --silent install PREFIX=/usr DESTDIR="$room/a stage" >"$room/staged.out"
  expect "staging says nothing and leaves the loader's cache alone" "" \
    "$(cat "$room/staged.out" "$room/renewed" 2>/dev/null)"
  expect "what is staged tells where it will be" /usr \
    "$(PKG_CONFIG_PATH="$room/a stage/usr/lib/pkgconfig" pkg-config --variable=prefix isakvo)"
fi
# ---- CMake, and other folders --------------------------------------------------------------------

# Configures, builds and runs the page's program by CMake, linked with target `$1`.
by_cmake() {
  rm -rf "$work/cmake"
  mkdir "$work/cmake"
  cp "$work/main.c" "$work/cmake"
  cat >"$work/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(hello C)
find_package(isakvo ${2:-0.2} REQUIRED)
add_executable(hello main.c)
target_link_libraries(hello PRIVATE IsaKVO::$1)
END
  (
    cd "$work/cmake"
    cmake -DCMAKE_PREFIX_PATH="$prefix" -B build . >cmake.log 2>&1 &&
      cmake --build build >>cmake.log 2>&1 || { tail -5 cmake.log && exit 1; }
    build/hello
  )
}

if command -v cmake >/dev/null || scripts/deps.sh apt cmake cmake >/dev/null; then
  for target in isakvo static; do
    expect "a program by CMake, IsaKVO::$target" "$(page_block 3)" "$(by_cmake $target)"
  done
  expect "the next minor version is another one to CMake" yes \
    "$(by_cmake isakvo 0.3 >/dev/null || sed -n 's/.*requested version "0.3".*/yes/p' \
    "$work/cmake/cmake.log")"
  expect "a range of versions that has this one" "$(page_block 3)" "$(by_cmake static 0.1...0.3)"
  expect "a range that ends before it" yes \
    "$(by_cmake isakvo '0.1...<0.2.0' >/dev/null || echo yes)"
else
  echo 'consumer: CMake: left out, it is not here and not installable'
fi
expect "pkg-config takes a version in development for that version" yes \
  "$(pkg-config --exists 'isakvo >= 0.2.0' && echo yes)"
expect "the headers tell the version that make installs" "$(pkg-config --modversion isakvo)" \
  "$(printf '#include "kvo.h"\nISAKVO_VERSION_TEXT\n' |
    eval "$cc" -E -P -x c - "$(pkg-config --cflags isakvo)" | tail -1 | tr -d '"')"
"${MAKE:-make}" --silent install PREFIX="$prefix" LIBDIR="$prefix/lib/some-abi" >/dev/null
expect "LIBDIR holds what is linked" "$prefix/lib/some-abi" \
  "$(PKG_CONFIG_PATH="$prefix/lib/some-abi/pkgconfig" pkg-config --variable=libdir isakvo)"
expect "and the library" yes "$([ -f "$prefix/lib/some-abi/libisakvo.a" ] && echo yes)"
"${MAKE:-make}" --silent uninstall PREFIX="$prefix" LIBDIR="$prefix/lib/some-abi"
"${MAKE:-make}" --silent install PREFIX="$prefix" >/dev/null
expect "a relative PREFIX is refused" "install: PREFIX must be an absolute path, since isakvo.pc \
tells it to programs elsewhere; type: PREFIX='$root/build dir'" \
  "$("${MAKE:-make}" --silent install PREFIX='build dir' 2>&1 | head -1)"
expect "nothing of it is made" "" "$(find "$root/build dir" 2>/dev/null)"
"${MAKE:-make}" --silent uninstall PREFIX="$prefix"
expect "uninstalling leaves no file" "" "$(find "$prefix" ! -type d)"
exit $failed
