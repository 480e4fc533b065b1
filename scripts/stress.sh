#!/usr/bin/env bash
# Builds a program of Tests/Stress and the core, and runs it for so many seconds.
#
#   stress.sh SECONDS…        stress.c, as released, and then with the thread sanitizer
#   stress.sh soak SECONDS…   soak.c, as released
#
# Arguments: seconds; then threads, for soak.c objects, and the number that the random acts begin
#            from, if not the time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

program=stress
[ "${1:-}" != soak ] || { program=soak && shift; }
if ! has_core_tools; then
  echo "$program: no clang or gcc, or no libffi: nothing is run" >&2
  exit 0
fi

# build NAME FLAGS…: builds the program in that folder.
build() {
  build_core "$@"
  link_core "$1" $program Tests/Stress/$program.c
}

# try NAME FLAGS…: builds in that folder, and runs.
try() {
  build "$@"
  echo "stress, $1:"
  ".build-core/$1/stress" "${arguments[@]}"
}

released=(plain -O2 -g -DNDEBUG)
if [ $program = soak ]; then
  build "${released[@]}"
  .build-core/plain/soak "$@"
  exit
fi
arguments=("${@:-60}") thread=(-O1 -g -DNDEBUG -fsanitize=thread)
try "${released[@]}"
# The thread sanitizer of Swift's clang is linked with Dispatch, which gcc's is not. gcc warns of
# each fence that this sanitizer does not see it.
if [ -z "${CC:-}" ] && command -v gcc >/dev/null; then
  core_cc=gcc core_linker=() thread+=(-Wno-tsan)
fi
export TSAN_OPTIONS=halt_on_error=1
try thread "${thread[@]}"
