#!/usr/bin/env bash
# Builds the core and the checks of Tests/Core for other processors and C libraries, with each
# compiler and by each of these flags, and runs them under qemu. One row for each combination:
#
#   PROCESSOR COMPILER LIBRARY FLAGS: the last line that the checks print, or why it was left out
#
# Arguments: words; only rows that have all of them are tried, such as `s390x gcc -O2`.
# Needs:     Debian's or Ubuntu's packages, which it installs where this user may: cross compilers,
#            qemu-user. musl for other processors and libffi's source are unpacked in .build-cross,
#            by package lists of its own; the system's stay as they are.
# Output:    the same rows in .build-cross/rows; the checks' own words in .build-cross/PROCESSOR-….
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/.build-cross
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
seconds=${SECONDS_EACH:-600} # for which the checks of a row may run
failed=0

# Processor, triplet of its compiler, name of its emulator, name of its packages.
processors='x86_64 x86_64-linux-gnu qemu-x86_64 amd64
aarch64 aarch64-linux-gnu qemu-aarch64 arm64
armhf arm-linux-gnueabihf qemu-arm armhf
i686 i686-linux-gnu qemu-i386 i386
riscv64 riscv64-linux-gnu qemu-riscv64 riscv64
s390x s390x-linux-gnu qemu-s390x s390x'
levels='-O0
-O1
-O2
-O3
-O2 -flto
-O2 -D_FORTIFY_SOURCE=3'

# The processor whose fields these are: processor, triplet, emulator, debian, and musl, the folder
# name of its C library.
select_processor() {
  read -r processor triplet emulator debian || return
  musl=${triplet/gnu/musl}
  [ "$processor" != i686 ] || musl=i386-linux-musl
}

# ---- the rows -----------------------------------------------------------------------------------

all_rows() {
  local level compiler library
  while select_processor; do
    for compiler in gcc clang; do
      for library in glibc musl; do
        while read -r level; do
          # musl has no functions that are fortified.
          [[ $library == musl && $level == *FORTIFY* ]] ||
            echo "$processor $compiler $library $level"
        done <<<"$levels"
      done
    done
  done <<<"$processors"
}

# The rows that have all words.
rows_with() {
  local row word
  while read -r row; do
    for word in "$@"; do
      [[ " $row " == *" $word "* ]] || continue 2
    done
    echo "$row"
  done < <(all_rows)
}

# ---- packages -----------------------------------------------------------------------------------

is_native() { [ "$processor" = "$(uname -m)" ]; }

# Names the compiler's, the emulator's and the C library's packages of the processor.
install_processor() {
  local name=${triplet/x86_64/x86-64}
  is_native || { command -v "$triplet-gcc" && command -v "$emulator"; } >/dev/null ||
    scripts/deps.sh apt cross "gcc-$name" "libc6-dev-$debian-cross" qemu-user
}

# Runs apt-get with lists of its own in $out/apt: sources as well, and packages of each processor.
own_apt() { APT_CONFIG=$out/apt/config apt-get -qq "$@"; }

prepare_own_apt() {
  local site
  [ ! -e "$out/apt/ready" ] || return 0
  mkdir -p "$out/apt/lists/partial" "$out/apt/cache/archives/partial"
  site=$(apt-get indextargets --format 'deb $(SITE) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' | grep -E 'debian|ubuntu' | grep ' main' | sort -u)
  { echo "$site" && sed 's/^deb /deb-src /' <<<"$site"; } >"$out/apt/sources.list"
  cat >"$out/apt/config" <<END
Dir::State::lists "$out/apt/lists";
Dir::Cache "$out/apt/cache";
Dir::Etc::sourcelist "$out/apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "root";
APT::Architectures { "amd64"; "arm64"; "armhf"; "i386"; "s390x"; "riscv64"; };
Acquire::Languages "none";
END
  # A processor that the release has no packages for has no list either.
  own_apt update >"$out/apt/log" 2>&1 || true
  touch "$out/apt/ready"
}

# Unpacks the processor's musl, and has the compiler find it there.
install_musl() {
  local root=$out/musl/$processor
  [ ! -e "$root/musl-gcc.specs" ] || return 0
  mkdir -p "$root"
  (cd "$root" && own_apt download "musl-dev:$debian" >/dev/null 2>&1 && dpkg -x musl-dev_*.deb .) ||
    return 1
  # The system's own headers come last, for the kernel's headers.
  sed -E -e "s,/usr/(lib|include)/$musl,$root&,g" \
    -e "s,-isystem include%s,& -idirafter $(kernel_headers),g" \
    "$root/usr/lib/$musl/musl-gcc.specs" >"$root/musl-gcc.specs"
}

kernel_headers() {
  if is_native; then echo "/usr/include -idirafter /usr/include/$triplet"
  else echo "/usr/$triplet/include"
  fi
}

unpack_libffi() {
  [ ! -e "$out/libffi/source/configure" ] || return 0
  mkdir -p "$out/libffi/source"
  (cd "$out/libffi" && own_apt source --download-only libffi) >/dev/null 2>&1 || return 1
  tar -xf "$out"/libffi/libffi_*.orig.tar.* -C "$out/libffi/source" --strip-components 1
}

# Builds libffi for the processor with the C library, by gcc.
build_libffi() {
  local folder=$out/libffi/$processor-$library
  [ ! -e "$folder/lib/libffi.a" ] || return 0
  mkdir -p "$folder/build"
  (cd "$folder/build" && ../../source/configure --host="$triplet" CC="${gcc[*]}" CFLAGS=-O2 \
    --prefix="$folder" --libdir="$folder/lib" --disable-shared --disable-docs \
    --disable-multi-os-directory && make -j "$jobs" && make install) >"$folder/log" 2>&1
}

# ---- building and running -----------------------------------------------------------------------

# Sets the words that call gcc, which links, and the row's compiler.
set_compilers() {
  gcc=("$triplet-gcc")
  ! is_native || gcc=(gcc)
  [ "$library" = glibc ] || gcc+=("-specs=$out/musl/$processor/musl-gcc.specs")
  cc=("${gcc[@]}")
  [ "$compiler" = clang ] || return 0
  if [ "$library" = glibc ]; then
    cc=(clang "--target=$triplet" -isystem "/usr/$triplet/include")
    ! is_native || cc=(clang)
  else
    cc=(clang "--target=$musl" -nostdlibinc -isystem "$out/musl/$processor/usr/include/$musl")
    read -ra after <<<"-idirafter $(kernel_headers)"
    cc+=("${after[@]}")
  fi
}

sources() {
  local name
  printf '%s\n' Sources/CIsaHeader/*.c Sources/CIsa/*.c Sources/CIsa/*/*.c Tests/Core/*.c
  for name in foreign litmus node observer person scalars signatures to_many; do
    echo "Tests/CIsaTestSupport/$name.c"
  done
}

# Compiles each source into the row's folder. Assertions are on where nothing is optimised.
compile_all() {
  local flags=(-std=gnu17 -Wall -Wextra -Wshadow -Werror
    -ISources/CIsa -ISources/CIsa/include -ISources/CIsaHeader/include
    -ITests/CIsaTestSupport/include "-I$out/libffi/$processor-$library/include" "${level[@]}")
  [ "${level[0]}" = -O0 ] || flags+=(-DNDEBUG)
  # shellcheck disable=SC2016 # the inner shell expands it
  # Fixtures, unlike the core, leave it to libatomic where i386 aligns 64 bits to 4 bytes.
  sources | xargs -P "$jobs" -I '{}' bash -c \
    'file=$1 folder=$2 compiler=$3 && shift 3
     [[ $compiler != clang || $file != Tests/* ]] || set -- "$@" -Wno-atomic-alignment
     "$@" -c "$file" -o "$folder/$(tr / . <<<"$file").o"' \
    compile '{}' "$folder" "$compiler" "${cc[@]}" "${flags[@]}"
}

# lld compiles the code that clang left for the linker; gcc links it with the C library.
link_all() {
  local objects=("$folder"/*.o) flags=()
  if [[ $compiler == clang && ${level[*]} == *-flto* ]]; then
    "${cc[@]}" "${level[@]}" -fuse-ld=lld -r -nostdlib "${objects[@]}" -o "$folder/whole" || return
    objects=("$folder/whole")
  elif [ "$compiler" = gcc ]; then
    flags=("${level[@]}")
  fi
  "${gcc[@]}" "${flags[@]}" -static "${objects[@]}" \
    "$out/libffi/$processor-$library/lib/libffi.a" -latomic -pthread -lm -o "$folder/core"
}

run() {
  if is_native; then timeout "$seconds" "$folder/core"
  else timeout "$seconds" "$emulator" "$folder/core"
  fi
}

# Why the row cannot be tried; nothing if it can.
obstacle() {
  install_processor >"$out/log" 2>&1 || { echo "no compiler or emulator" && return; }
  [ "$compiler" = gcc ] || command -v clang >/dev/null || { echo "no clang" && return; }
  prepare_own_apt
  [ "$library" = glibc ] || install_musl || { echo "the release has no musl for it" && return; }
  set_compilers
  unpack_libffi || { echo "no source of libffi" && return; }
  build_libffi || echo "libffi does not build: .build-cross/libffi/$processor-$library/log"
}

# Tries the row; says how that ended.
try() {
  local why said
  why=$(obstacle)
  [ -z "$why" ] || { echo "left out: $why" && return 0; }
  set_compilers
  folder="$out/$processor-$compiler-$library$(tr -d ' ' <<<"${level[*]}")"
  rm -rf "$folder"
  mkdir -p "$folder"
  if ! { compile_all && link_all; } >"$folder/log" 2>&1; then
    echo "does not build: ${folder#"$PWD"/}/log"
    return 1
  fi
  run >"$folder/said" 2>&1 && said=$(tail -n 1 "$folder/said") || {
    echo "fails: $(tail -n 1 "$folder/said")"
    return 1
  }
  rm -f "$folder"/*.o "$folder/whole"
  echo "$said"
}

mkdir -p "$out"
[ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null || {
  echo 'cross: no Linux with apt-get: other processors are not tried' >&2
  exit 0
}
rows=$(rows_with "$@")
[ -n "$rows" ] || { echo "cross: no row has all of these words: $*" >&2 && exit 2; }
: >"$out/rows"
while read -r name compiler library flags; do
  select_processor < <(grep "^$name " <<<"$processors")
  read -ra level <<<"$flags"
  came=$(try </dev/null) || failed=1
  printf '%-8s %-6s %-6s %-23s %s\n' "$name" "$compiler" "$library" "$flags" "$came" |
    tee -a "$out/rows"
done <<<"$rows"
exit $failed
