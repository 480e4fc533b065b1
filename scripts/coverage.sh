#!/usr/bin/env bash
# Prints how much of the C core its tests reach, file by file: the checks in C, the inputs in
# Tests/Fuzz/corpus and the suites in Swift, together. The package manager does not count C.
#
# Arguments: the least that has to be reached, per cent of regions.
# Status:    1 if less is; the others stand in .build-core/coverage/missed.
# Output:    .build-core/coverage/options: what the suites were built with, which are run so again.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

core_cc=$(command -v clang || true)
if [ -z "$core_cc" ] || ! has_core_tools; then
  echo 'coverage: no clang or libffi: nothing is counted' >&2
  exit 0
fi
scripts/deps.sh python coverage 'nothing is counted' || true
command -v python3 >/dev/null || exit 0

# Counts the regions of the core that any of several programs has reached, by what `llvm-cov export`
# prints. A region stands in it once for each program and place that has the function, and is
# reached if it was in one of them. Fails if less than `$1` per cent is; file `$2` gets the regions
# that are not.
count_regions() {
  python3 /dev/fd/3 "$@" 3<<'END'
import collections
import json
import sys

CODE, ROOT = 0, "Sources/CIsa/"

def regions(functions):
    reached = {}
    for function in functions:
        for line, column, end, end_column, count, file, _, kind in function["regions"]:
            name = function["filenames"][file]
            if kind == CODE and ROOT in name:
                key = name.split(ROOT)[-1], line, column, end, end_column
                reached[key] = max(reached.get(key, 0), count)
    return reached

def main():
    least, missed_file = float(sys.argv[1]), sys.argv[2]
    reached = regions(json.load(sys.stdin)["data"][0]["functions"])
    total = collections.Counter(key[0] for key in reached)
    missed = collections.defaultdict(list)
    for key in sorted(key for key in reached if reached[key] == 0):
        missed[key[0]].append(key[1:])
    with open(missed_file, "w", encoding="utf-8") as out:
        for name, places in missed.items():
            for line, column, _, _ in places:
                print("%s%s:%d:%d" % (ROOT, name, line, column), file=out)
    for name in sorted(total):
        print("%-36s %5d regions %7.2f %%"
              % (name, total[name], 100 - 100 * len(missed[name]) / total[name]))
    share = 100 - 100 * sum(map(len, missed.values())) / len(reached)
    print("%-36s %5d regions %7.2f %%" % ("in all", len(reached), share))
    sys.exit(share < least)

main()
END
}

tools=$(dirname "$(readlink -f "$core_cc")")
out=.build-core/coverage
flags=(-DNDEBUG -fprofile-instr-generate -fcoverage-mapping)
programs=(encodings key_paths edits programs)
export LLVM_PROFILE_FILE="$PWD/$out/raw/%p-%m.profraw"
export ASAN_OPTIONS=allocator_may_return_null=1
rm -rf "$out/raw" .build-cov/debug/codecov

# The package manager names files from the root on; so does this build, or each file were two.
core_root=$PWD/
build_core coverage -O1 -g -fno-omit-frame-pointer "${flags[@]}"
link_core coverage core Tests/Core/*.c
"$out/core" | tail -n 1
for program in "${programs[@]}"; do
  link_core coverage "$program" -fsanitize=fuzzer "Tests/Fuzz/$program.c"
  "$out/$program" -runs=0 -max_len=512 "Tests/Fuzz/corpus/$program" 2>"$out/$program.log"
done
read -ra build <<<"--scratch-path .build-cov $(scripts/swift-build.sh whole)"
for flag in "${flags[@]}"; do build+=(-Xcc "$flag"); done
scripts/swift-build.sh --build-tests --enable-code-coverage "${build[@]}"
echo "${build[@]}" >"$out/options"
# Tests of assertions fail, which are left out here; that the suites pass is for other targets.
swift test --skip-build --no-parallel --disable-xctest --enable-code-coverage "${build[@]}" |
  tail -n 1 || true

"$tools/llvm-profdata" merge -sparse "$out"/raw/*.profraw .build-cov/debug/codecov/*.profraw \
  -o "$out/all"
objects=(.build-cov/debug/*PackageTests.xctest -object "$out/core")
for program in "${programs[@]}"; do objects+=(-object "$out/$program"); done
"$tools/llvm-cov" export "${objects[@]}" "-instr-profile=$out/all" "$PWD/Sources/CIsa" |
  count_regions "${1:-0}" "$out/missed"
