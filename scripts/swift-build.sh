#!/usr/bin/env bash
# `swift build` with the given arguments. Its compilers keep what they free, and have the memory of
# glibc's allocator in huge pages where the system gives them to those who ask: that saves an eighth
# of the processor's time. Programs that are built run without.
#
#   swift-build.sh ARGUMENTS…           builds
#   swift-build.sh quietly ARGUMENTS…   builds, with the options of `whole`, where one package after
#                                       another is built in one folder
#   swift-build.sh whole                prints the options for a package that is built once
#   swift-build.sh measured             prints those for programs whose size and work are measured
set -euo pipefail

# They take the least of the processor's time: a module at a time, which is written by the run that
# compiles it, nothing for debuggers, and no system module in the index, where the package manager
# looks for tests. Where a module is edited and built again the plain options are quicker.
whole=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -wmo
  -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo)

case "${1:-}" in
  whole)
    echo "${whole[@]}"
    exit
    ;;
  measured)
    # Valgrind reads the fourth version of the debugger's format.
    echo --manifest-cache none --disable-index-store -Xcc -gdwarf-4 -Xswiftc -dwarf-version=4
    exit
    ;;
  quietly)
    shift
    set -- --quiet --disable-build-manifest-caching "${whole[@]}" "$@"
    # The package manager hands a package's traits to the compiler in the order of a set, which is
    # another one each time: every second build would compile the library anew. The cached plan of a
    # folder may be that of another package, which was built there last.
    export SWIFT_DETERMINISTIC_HASHING=1
    ;;
esac
tunables=(hugetlb=1 top_pad=67108864 trim_threshold=1073741824 mmap_threshold=33554432
  tcache_max=4096 tcache_count=2000)
GLIBC_TUNABLES=$(printf ':glibc.malloc.%s' "${tunables[@]}")
export GLIBC_TUNABLES=${GLIBC_TUNABLES#:}
exec swift build "$@"
