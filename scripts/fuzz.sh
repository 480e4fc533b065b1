#!/usr/bin/env bash
# Fuzzes by libFuzzer, under the address sanitizer and, in C, the sanitizer of undefined behaviour:
# each program of Tests/Fuzz for so many seconds, one beside another, from the inputs in
# Tests/Fuzz/corpus and the inputs of earlier runs. An input that crashes, leaks or takes more than
# 20 seconds fails, and is kept in .build-core/fuzz; it becomes a file of the corpus once it is
# mended.
#
# Arguments: seconds, and programs, such as `edits`; none: all, and those in C where there is no
#            Swift. 0 seconds: the corpus in the tree alone. `keep` for the seconds: puts into the
#            tree the inputs of earlier runs that add to its coverage.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/core.sh

core_cc=$(command -v clang || true)
out=.build-core/fuzz
seconds=${1:-60}
shift || true
programs=("$@")
if [ $# = 0 ]; then
  programs=(encodings key_paths edits programs)
  ! command -v swift >/dev/null || programs+=(objects scenarios)
fi
if [ -z "$core_cc" ] || ! has_core_tools; then
  echo 'fuzz: no clang, or no libffi: nothing is fuzzed' >&2
  exit 0
fi

# Calls through an IMP cast to its true type are the dispatch itself.
sanitizers=(-fsanitize=address,undefined -fno-sanitize=function -fno-sanitize-recover=undefined)
build_core fuzz -O1 -g "${sanitizers[@]}" -fsanitize=fuzzer-no-link

# Builds the modules in Swift below isalab, so that what they reach is noted, and by the package
# manager the packages of others, which are not asked.
build_swift() {
  local module include
  scripts/swift-build.sh quietly --package-path Lab --target isalab --scratch-path .build-fuzz
  echo 'module CIsaTestSupport { umbrella "include" export * }' >"$out/module.modulemap"
  ln -sfn "$PWD/Tests/CIsaTestSupport/include" "$out/include"
  for include in Sources/CIsaHeader Sources/CSwiftRuntime Sources/CIsa; do
    includes+=(-Xcc "-I$include/include" -Xcc "-fmodule-map-file=$include/include/module.modulemap")
  done
  for include in "$out" .build-fuzz/checkouts/FlyingFox/CSystemLinux/include; do
    includes+=(-Xcc "-fmodule-map-file=$include/module.modulemap")
  done
  includes+=(-I .build-fuzz/debug/Modules)
  ln -sfn "$PWD/Tests/Models" "$out/IsaKVOTestModels"
  mkdir -p "$out/IsaKVOTestSupport"
  ln -sfn "$PWD"/Tests/Support/{Recording,RuntimeValue+Any}.swift "$out/IsaKVOTestSupport/"
  for module in Sources/{IsaKeyValue,IsaRuntime,IsaKVO,IsaKVOBindings} \
    "$out"/IsaKVOTest{Models,Support} Lab/Sources/KVOTrace; do
    find "$module/" -name '*.swift' -print0 |
      xargs -0 swiftc "${swift_flags[@]}" "${includes[@]}" \
        -package-name "$(package_of "$module")" -module-name "${module##*/}" -c \
        -emit-module -emit-module-path "$out/${module##*/}.swiftmodule" -o "$out/${module##*/}.o"
  done
}

package_of() { case $1 in Lab/* | scenarios) echo lab ;; *) echo isakvo ;; esac; }

# The sources of program `$1` in Swift, a line each.
swift_sources() {
  echo "Tests/Fuzz/$1.swift"
  case $1 in
    objects) find Tests/ModelTests -name '*.swift' ! -name '*Tests.swift' ;;
    scenarios) find Lab/Sources/isalab .build-fuzz/plugins/outputs/lab/isalab \
      -name '*.swift' ! -path '*/Resources/*' ;;
  esac
}

# Links program `$1`: its own sources, the modules in Swift, and the core as it was built above.
link_swift() {
  local sources objects others=.build-fuzz/debug
  mapfile -t sources < <(swift_sources "$1")
  mapfile -t objects < <(find "$others"/{ArgumentParser,ArgumentParserToolInfo,Flying*}.build/ \
    "$others/CSwiftRuntime.build/" -name '*.o')
  swiftc "${swift_flags[@]}" "${includes[@]}" -package-name "$(package_of "$1")" \
    -module-name "Fuzz_$1" -parse-as-library \
    -Xfrontend -entry-point-function-name -Xfrontend "$1_main" "${sources[@]}" "${objects[@]}" \
    "$out"/{Isa,KVO}*.o "$out"/Sources*.o "$out"/Tests*.o \
    "${core_libraries[@]/#-pthread/-lpthread}" -o "$out/$1"
}

includes=(-I "$out")
swift_flags=(-swift-version 6 -sanitize=fuzzer -sanitize=address -wmo -gnone)
for program in "${programs[@]}"; do
  if [ -e "Tests/Fuzz/$program.c" ]; then
    link_core fuzz "$program" -fsanitize=fuzzer "Tests/Fuzz/$program.c"
  else
    [ -n "${built_swift:-}" ] || build_swift
    built_swift=yes
    link_swift "$program"
  fi
done
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0
export LSAN_OPTIONS=suppressions=$PWD/Tests/leaks.txt

# fuzz PROGRAM: the words of libFuzzer's last lines go to PROGRAM.log.
fuzz() {
  local limits=(-timeout=20 -rss_limit_mb=2048 -max_len=512 "-artifact_prefix=$out/$1-")
  local known=(Tests/Fuzz/corpus/$1) found=$out/corpus/$1
  mkdir -p "$found" "${known[0]}"
  # The examples are inputs as well.
  [ "$1" != scenarios ] || known+=(Examples/scenarios) limits+=(-max_len=4096)
  case $seconds in
    keep) "$out/$1" "${limits[@]}" -merge=1 "${known[0]}" "$found" ;;
    0) "$out/$1" "${limits[@]}" -runs=0 "${known[@]}" ;;
    *) "$out/$1" "${limits[@]}" "-max_total_time=$seconds" "$found" "${known[@]}" ;;
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
