#!/usr/bin/env bash
# Prints how much of the C core its tests reach, file by file: the checks in C, the inputs in
# Tests/Fuzz/corpus and the suites in Swift, together. The package manager does not count C.
#
# Arguments: the least that has to be reached, per cent of regions.
# Status:    1 if less is; the others stand in .build-core/coverage/missed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

core_cc=$(command -v clang || true)
if [ -z "$core_cc" ] || ! has_core_tools || ! command -v python3 >/dev/null; then
  echo 'coverage: no clang, libffi or python3: nothing is counted' >&2
  exit 0
fi
tools=$(dirname "$(readlink -f "$core_cc")")
out=.build-core/coverage
flags=(-DNDEBUG -fprofile-instr-generate -fcoverage-mapping)
programs=(encodings key_paths edits programs)
export LLVM_PROFILE_FILE="$PWD/$out/raw/%p-%m.profraw"
export ASAN_OPTIONS=allocator_may_return_null=1
rm -rf "$out/raw" .build-cov/debug/codecov

# The package manager names files from the root on; so does this build, or each file were two.
core_root=$PWD/
build_core coverage -O1 -g "${flags[@]}"
link_core coverage core Tests/Core/*.c
"$out/core" | tail -n 1
for program in "${programs[@]}"; do
  link_core coverage "$program" -fsanitize=fuzzer "Tests/Fuzz/$program.c"
  "$out/$program" -runs=0 -max_len=512 "Tests/Fuzz/corpus/$program" 2>"$out/$program.log"
done
build=(--scratch-path .build-cov --enable-code-coverage)
for flag in "${flags[@]}"; do build+=(-Xcc "$flag"); done
scripts/swift-build.sh --build-tests "${build[@]}"
# Tests of assertions fail, which are left out here; that the suites pass is for other targets.
swift test --skip-build --no-parallel --disable-xctest "${build[@]}" | tail -n 1 || true

"$tools/llvm-profdata" merge -sparse "$out"/raw/*.profraw .build-cov/debug/codecov/*.profraw \
  -o "$out/all"
objects=(.build-cov/debug/*PackageTests.xctest -object "$out/core")
for program in "${programs[@]}"; do objects+=(-object "$out/$program"); done
"$tools/llvm-cov" export "${objects[@]}" "-instr-profile=$out/all" "$PWD/Sources/CIsa" |
  python3 scripts/coverage.py "${1:-0}" "$out/missed"
