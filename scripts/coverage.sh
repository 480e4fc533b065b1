#!/usr/bin/env bash
# Prints how much of the C core its tests reach, file by file: the checks in C, the inputs in
# Tests/Fuzz/corpus and the suites in Swift, together.
#
# Arguments: the least that has to be reached, per cent of regions.
# Status:    1 if less is; what is not reached stands in .build-core/coverage/report.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

core_cc=$(command -v clang || true)
if [ -z "$core_cc" ] || ! has_core_tools; then
  echo 'coverage: no clang, or no libffi: nothing is counted' >&2
  exit 0
fi
tools=$(dirname "$(readlink -f "$core_cc")")
out=.build-core/coverage
flags=(-DNDEBUG -fprofile-instr-generate -fcoverage-mapping)
programs=(encodings key_paths edits programs)
export LLVM_PROFILE_FILE="$PWD/$out/raw/%p-%m.profraw"
export ASAN_OPTIONS=allocator_may_return_null=1
rm -rf "$out/raw"

# The package manager names files from the root on; so does this build, or each file were two.
core_root=$PWD/
build_core coverage -O1 -g "${flags[@]}"
link_core coverage core Tests/Core/*.c
"$out/core"
for program in "${programs[@]}"; do
  link_core coverage "$program" -fsanitize=fuzzer "Tests/Fuzz/$program.c"
  "$out/$program" -runs=0 -max_len=512 "Tests/Fuzz/corpus/$program" 2>"$out/$program.log"
done
build=(--scratch-path .build-cov --enable-code-coverage)
for flag in "${flags[@]}"; do build+=(-Xcc "$flag"); done
swift build --build-tests "${build[@]}"
swift test --skip-build --no-parallel --disable-xctest "${build[@]}" | tail -n 1

"$tools/llvm-profdata" merge -sparse "$out"/raw/*.profraw .build-cov/debug/codecov/*.profraw \
  -o "$out/all"
objects=(.build-cov/debug/*PackageTests.xctest -object "$out/core")
for program in "${programs[@]}"; do objects+=(-object "$out/$program"); done
report() { "$tools/llvm-cov" "$1" "${objects[@]}" "-instr-profile=$out/all" "${@:2}"; }
report show -show-regions -region-coverage-lt=100 "$PWD/Sources/CIsa" >"$out/report.txt"
report report "$PWD/Sources/CIsa" -show-branch-summary=false |
  awk -v least="${1:-0}" '
    NF >= 10 && $1 ~ /\.c$|^TOTAL/ { printf "%-32s %6d regions %8s\n", $1, $2, $4 }
    /^TOTAL/ { low = $4 + 0 < least }
    END { exit low }'
