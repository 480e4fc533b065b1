#!/usr/bin/env bash
# Fuzzes the core by libFuzzer, under the address sanitizer and that of undefined behaviour: each
# program of Tests/Fuzz for so many seconds, one beside another, from the inputs in
# Tests/Fuzz/corpus and those of earlier runs. An input that crashes, leaks or takes more than 20
# seconds fails, and is kept in .build-core/fuzz; it becomes a file of the corpus once it is mended.
#
# Arguments: seconds, and programs, such as `edits`; none: all. 0 seconds: the corpus in the tree
#            alone. `keep` for the seconds: puts into the tree the inputs of earlier runs that add
#            to its coverage.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

core_cc=$(command -v clang || true)
out=.build-core/fuzz
seconds=${1:-60}
shift || true
programs=("$@")
[ $# -gt 0 ] || programs=(encodings key_paths edits programs)
if [ -z "$core_cc" ] || ! has_core_tools; then
  echo 'fuzz: no clang, or no libffi: nothing is fuzzed' >&2
  exit 0
fi

# Calls through an IMP cast to its true type are the dispatch itself.
sanitizers=(-fsanitize=address,undefined -fno-sanitize=function -fno-sanitize-recover=undefined)
build_core fuzz -O1 -g "${sanitizers[@]}" -fsanitize=fuzzer-no-link
for program in "${programs[@]}"; do
  link_core fuzz "$program" -fsanitize=fuzzer "Tests/Fuzz/$program.c"
done
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0

# fuzz PROGRAM: the words of libFuzzer's last lines go to PROGRAM.log.
fuzz() {
  local limits=(-timeout=20 -rss_limit_mb=2048 -max_len=512 "-artifact_prefix=$out/$1-")
  local known=Tests/Fuzz/corpus/$1 found=$out/corpus/$1
  mkdir -p "$found" "$known"
  case $seconds in
    keep) "$out/$1" "${limits[@]}" -merge=1 "$known" "$found" ;;
    0) "$out/$1" "${limits[@]}" -runs=0 "$known" ;;
    *) "$out/$1" "${limits[@]}" "-max_total_time=$seconds" "$found" "$known" ;;
  esac >"$out/$1.log" 2>&1
}

status=0
running=()
for program in "${programs[@]}"; do
  fuzz "$program" &
  running+=("$!")
done
for i in "${!programs[@]}"; do
  program=${programs[$i]}
  if wait "${running[$i]}"; then
    echo "fuzz $program: $(grep -oE 'Done [0-9]+ runs|MERGE-OUTER: [0-9]+ new files' \
      "$out/$program.log" | tail -n 1 || true)"
  else
    status=1
    echo "fuzz $program: $(grep -E 'SUMMARY|\(last error|runtime error' "$out/$program.log" |
      tail -n 2 | tr '\n' ' '); see $out/$program.log"
  fi
done
exit $status
