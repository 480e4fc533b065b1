#!/usr/bin/env bash
# Builds the peers' drivers into a directory: peer-glib, peer-gnustep, peer-qt, and peer-isakvo,
# which is this library's core as `make install` builds it. And the drivers of the applications,
# this library's among them, into its folder `applications`.
#
#   Benchmarks/Peers/build.sh OUTDIR
#
# Installs what they need through apt-get where this user may. For each that cannot be had it prints
# one line, "left out: …", and the exit code is then 3; 1 is a peer that is there and does not
# compile.
set -euo pipefail

[ $# = 1 ] || {
  echo "usage: $0 OUTDIR" >&2
  exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
harness=../Sources/CPaired
objects=$out/peer-objects
applications=../Sources/applications
scripts=$out/peer-objects/scripts
result=0

have() { command -v "$1" >/dev/null 2>&1; }

has_package() { have pkg-config && pkg-config --exists "$@"; }

has_glib() { has_package gobject-2.0 gio-2.0; }

has_gnustep() {
  have gnustep-config && have gcc &&
    printf '#import <objc/runtime.h>\n' | gcc -x objective-c -fsyntax-only - >/dev/null 2>&1
}

# Qt's own tools are in no directory of PATH.
moc() {
  local directory
  for directory in "$(pkg-config --variable=libexecdir Qt6Core 2>/dev/null)" \
    /usr/lib/qt6/libexec /usr/lib/*/qt6/libexec; do
    if [ -x "$directory/moc" ]; then
      echo "$directory/moc"
      return
    fi
  done
  return 1
}

has_qt() { has_package Qt6Core && have g++ && moc >/dev/null; }

# mallinfo2, which the drivers count bytes by.
has_glibc() {
  have cc && printf '#include <malloc.h>\nstruct mallinfo2 m;\n' |
    cc -x c -fsyntax-only - 2>/dev/null
}

# compile FOLDER OUTDIR: each C file of a folder; OUTDIR has their objects and no others.
compile() {
  local source
  rm -rf "$2"
  mkdir -p "$2"
  for source in "$1"/*.c; do
    cc -std=gnu17 -O2 -Wall -Wextra -fPIC -I"$1/include" -c "$source" \
      -o "$2/$(basename "$source" .c).o"
  done
}

# The core as `make install` builds it, of the same compiler and optimisation as the peers: its
# application, and the driver of the core's rows, which counts what is alive by functions that are
# not installed, and so is linked with the core's objects.
# shellcheck disable=SC2046
build_isakvo() {
  make -s --no-print-directory -C ../.. .build-c/libisakvo.a >&2 &&
    cc -std=gnu17 -O2 -Wall -Wextra -DENGINE_SUBJECT='"isakvo-installed"' \
      -I../Sources/CWorkloads -I../Sources/CWorkloads/include -I"$harness/include" \
      -I../../Sources/CIsa/include -I../../Sources/CIsaHeader/include ../Sources/CWorkloads/*.c \
      ../Sources/engine-c/*.c "$objects"/*.o \
      $(find ../../.build-c -name '*.o' ! -name isakvo.o) \
      $(pkg-config --libs libffi) -lm -pthread -o "$out/peer-isakvo" &&
    cc -std=gnu17 -O2 -Wall -Wextra -I../../Sources/CIsa/include \
      -I../../Sources/CIsaHeader/include "$applications"/isakvo/*.c "$scripts"/*.o \
      ../../.build-c/libisakvo.a $(pkg-config --libs libffi) -pthread \
      -o "$out/applications/applications-isakvo"
}

# shellcheck disable=SC2046,SC2086 # flags are several words
build_glib() {
  cc -std=gnu17 -O2 -Wall -Wextra -I"$harness/include" glib/*.c "$objects"/*.o \
    $(pkg-config --cflags --libs gobject-2.0 gio-2.0) -lm -o "$out/peer-glib" &&
    cc -std=gnu17 -O2 -Wall -Wextra -I"$applications/script" glib/applications/*.c \
      "$scripts"/*.o $(pkg-config --cflags --libs gobject-2.0 gio-2.0) -pthread \
      -o "$out/applications/applications-glib"
}

# shellcheck disable=SC2046,SC2086
build_gnustep() {
  local flags
  # Anything that gnustep-config would write besides the program stays unwritten.
  flags=$(gnustep-config --objc-flags | tr ' ' '\n' | grep -vxE -e '-MMD|-MP|-g' | tr '\n' ' ')
  gcc $flags -std=gnu11 -O2 -I"$harness/include" gnustep/*.m "$objects"/*.o \
    $(gnustep-config --base-libs) -lm -o "$out/peer-gnustep" &&
    gcc $flags -std=gnu11 -O2 -I"$applications/script" gnustep/applications/*.m "$scripts"/*.o \
      $(gnustep-config --base-libs) -o "$out/applications/applications-gnustep"
}

# shellcheck disable=SC2046
build_qt() {
  "$(moc)" qt/person.h -o "$out/moc_person.cpp" &&
    g++ -std=c++17 -O2 -Wall -Wextra -fPIC -Iqt -I"$harness/include" qt/*.cpp \
      "$out/moc_person.cpp" "$objects"/*.o $(pkg-config --cflags --libs Qt6Core) \
      -o "$out/peer-qt" &&
    "$(moc)" qt/applications/objects.h -o "$out/moc_objects.cpp" &&
    g++ -std=c++17 -O2 -Wall -Wextra -fPIC -Iqt/applications -I"$applications/script" \
      qt/applications/*.cpp "$out/moc_objects.cpp" "$scripts"/*.o \
      $(pkg-config --cflags --libs Qt6Core) -pthread -o "$out/applications/applications-qt"
}

# peer NAME PACKAGES…: builds one, or says that it is left out.
peer() {
  local name=$1
  shift
  rm -f "$out/peer-$name"
  if ! "has_$name" && ! { ../../scripts/deps.sh apt peers "$@" && "has_$name"; }; then
    echo "left out: $name: not here and not installable ($*)"
    [ $result = 1 ] || result=3
    return
  fi
  built "$name"
}

# built NAME: builds one.
built() {
  if ! "build_$1"; then
    echo "peers: $1 does not compile" >&2
    result=1
  fi
}

if ! has_glibc; then
  echo 'left out: glib, gnustep, qt: their drivers need glibc (mallinfo2) and a C compiler'
  exit 3
fi
rm -rf "$out/applications"
mkdir "$out/applications"
compile "$harness" "$objects"
compile "$applications/script" "$scripts"
built isakvo
peer glib pkg-config libglib2.0-dev
peer gnustep libgnustep-base-dev gobjc
peer qt pkg-config qt6-base-dev qt6-base-dev-tools g++
exit $result
