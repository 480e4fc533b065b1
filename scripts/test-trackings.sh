#!/usr/bin/env bash
# Runs the trials of how trackings are found (Tests/Protocol/trackings.c) on this processor, and on
# arm64 under qemu: it installs the compiler's folder and the emulator through apt-get where this
# user may. Where something cannot be had it says so in one line and goes on.
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build-protocol/trackings
status=0

# try NAME RUN... -- COMPILER...: compiles the trials, and runs them as RUN says.
try() {
  local name=$1 run=() folder=$out/$1
  shift
  while [ "$1" != -- ]; do run+=("$1") && shift; done
  shift
  mkdir -p "$folder"
  # Beside a thread's own memory there is room for a little that is opened.
  local size
  for size in 8 100000; do
    "$@" -std=gnu17 -O2 -Wall -Wextra -Werror -DSIZE=$size -fPIC -shared \
      Tests/Protocol/trackings_opened.c -o "$folder/opened_$size.so"
  done
  # A call at a function's end would take the place of the caller, whose part of the stack counts.
  "$@" -std=gnu17 -O2 -Wall -Wextra -Werror -fno-optimize-sibling-calls \
    -ISources/CSwiftRuntime/include \
    Tests/Protocol/trackings.c Sources/CSwiftRuntime/swift_tracking.c -o "$folder/trackings" \
    -pthread -ldl
  if timeout 120 "${run[@]}" "$folder/trackings" "$folder"/opened_*.so; then
    echo "trackings: $name: as expected"
  else
    echo "trackings: $name: failed" >&2
    status=1
  fi
}

if [ "$(uname -s)" != Linux ] || ! command -v clang >/dev/null; then
  echo 'trackings: no Linux or no clang: how they are found is not tried' >&2
  exit 0
fi
try "$(uname -m)" env -- clang
if [ "$(uname -m)" != aarch64 ]; then
  sysroot=/usr/aarch64-linux-gnu
  if { command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc; } >/dev/null ||
    scripts/deps.sh apt qemu-aarch64 qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross; then
    # The compiler is clang, as for Swift; gcc's folder has the rest.
    try aarch64 qemu-aarch64 -L "$sysroot" -- clang --target=aarch64-linux-gnu \
      -isystem "$sysroot/include" --ld-path=/usr/bin/aarch64-linux-gnu-ld -B "$sysroot/lib"
  else
    echo 'qemu or a compiler for arm64: not here and not installable: arm64 is not tried' >&2
  fi
fi
exit $status
