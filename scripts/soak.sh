#!/usr/bin/env bash
# Builds Tests/Stress/soak.c and the core as released, and runs it for so many seconds.
#
# Arguments: seconds; then threads, objects, and the number that the random acts begin from.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

if ! has_core_tools; then
  echo 'soak: no clang or gcc, or no libffi: nothing is run' >&2
  exit 0
fi
build_core plain -O2 -g -DNDEBUG
link_core plain soak Tests/Stress/soak.c
.build-core/plain/soak "$@"
