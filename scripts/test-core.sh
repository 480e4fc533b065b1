#!/usr/bin/env bash
# Builds the core and its checks in C (Tests/Core) with the address sanitizer, runs them, and looks
# whether each public function is among the functions that are called with their allocations
# failing.
#
# Arguments: areas to check, such as `memory`; none: all.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

if ! has_core_tools; then
  echo 'core: no clang or gcc, or no libffi: its checks are not run' >&2
  exit 0
fi

names() { sed -E 's/\(.*//; s/.*[ *]//' | LC_ALL=C sort -u; }

# Calls have frames, as in what the package manager builds.
build_core asan -O1 -g -fno-omit-frame-pointer -fsanitize=address
link_core asan core Tests/Core/*.c
# Callbacks that were left are found by addresses in the stack, which locals have to be on.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0
# Complains of public functions, a name a line, that `core $1` does not print.
check_called() {
  local missing
  missing=$(LC_ALL=C comm -23 - <(.build-core/asan/core "$1" | LC_ALL=C sort -u))
  [ -z "$missing" ] || {
    printf "core: %s is not in Tests/Core/$1.def\n" $missing >&2
    return 1
  }
}

public_declarations | names | check_called functions
public_declarations | grep '^ *isa_status ' | names | check_called statuses
.build-core/asan/core "$@"
