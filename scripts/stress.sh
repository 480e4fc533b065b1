#!/usr/bin/env bash
# Builds Tests/Stress/stress.c and the core, as released and with the thread sanitizer, and runs
# each for so many seconds.
#
# Arguments: seconds; then threads, and the number that the random acts begin from, if not the time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

if ! has_core_tools; then
  echo 'stress: no clang or gcc, or no libffi: nothing is run' >&2
  exit 0
fi

# try NAME FLAGS…: builds in that folder, and runs.
try() {
  local name=$1
  shift
  build_core "$name" "$@"
  link_core "$name" stress Tests/Stress/stress.c
  echo "stress, $name:"
  ".build-core/$name/stress" "${arguments[@]}"
}

arguments=("${@:-60}") thread=(-O1 -g -DNDEBUG -fsanitize=thread)
try plain -O2 -g -DNDEBUG
# The thread sanitizer of Swift's clang is linked with Dispatch, which gcc's is not. gcc warns of
# each fence that this sanitizer does not see it.
if [ -z "${CC:-}" ] && command -v gcc >/dev/null; then
  core_cc=gcc core_linker=() thread+=(-Wno-tsan)
fi
export TSAN_OPTIONS=halt_on_error=1
try thread "${thread[@]}"
