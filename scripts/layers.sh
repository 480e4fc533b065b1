#!/usr/bin/env bash
# Holds the include order of the C core and the import rules of the Swift layers. Every violation
# is printed as FILE:LINE: MISTAKE; any of them fails.
#
# A new header of the core gets its line in `headers`, at the place that its own includes ask for.
set -euo pipefail
cd "$(dirname "$0")/.."

# Rank and header, in include order: a header includes only lower ranks and, of its own folder, what
# stands above it. Names without a folder are public.
headers='
0 isa_header.h
0 isa_types.h
0 isa_event.h
0 isa_testing.h
1 isa_class.h
1 isa_foreign.h
2 isa_object.h
3 isa_call.h
4 kvc_collections.h
5 kvc.h
5 kvc_typed.h
6 kvo.h
6 kvo_foreign.h
7 isa_trace.h
7 isa.h
0 base/word.h
0 base/alloc.h
0 base/status.h
0 base/system.h
0 base/thread.h
0 base/containers.h
0 base/reclaim.h
0 base/event.h
0 base/directory.h
1 model/selector.h
1 model/type.h
1 model/class.h
1 model/ivar.h
1 model/method.h
1 model/dispatch.h
2 object/object.h
3 call/call.h
3 call/signature.h
4 objects/box.h
4 objects/collection.h
5 coding/facts.h
5 coding/accessor.h
5 coding/coding.h
5 coding/to_many.h
5 proxies/proxy.h
6 observing/held.h
6 observing/path.h
6 observing/registration.h
6 observing/log.h
6 observing/registration_list.h
6 observing/link.h
6 observing/chain.h
6 observing/notifying_class.h
6 observing/registry.h
6 observing/deliver.h
6 observing/change.h
6 observing/set_start.h
6 observing/kvo_start.h
7 trace/arena.h
7 trace/trace_file.h
7 trace/writer.h
7 trace/structure.h
7 trace/settings.h
7 trace/trace.h
'
# The only files of the core that may include isa_testing.h.
testing_users='base/alloc.c start.c'

c_files() { find Sources/CIsa Sources/CIsaHeader -name '*.[ch]' | LC_ALL=C sort; }

# Prints FILE:LINE:NAME for each #include "NAME" and #include <NAME>, the latter as <NAME.
c_includes() {
  c_files | while IFS= read -r file; do
    awk -v file="$file" '
      match($0, /^[ \t]*#[ \t]*include[ \t]*["<]/) {
        name = substr($0, RLENGTH); sub(/[">][^">]*$/, "", name); sub(/^"/, "", name)
        print file ":" FNR ":" name
      }' "$file"
  done
}

check_c() {
  c_includes | awk -F: -v headers="$headers" -v testing_users="$testing_users" '
    BEGIN {
      ranks["base"] = 0; ranks["model"] = 1; ranks["object"] = 2
      ranks["call"] = 3; ranks["objects"] = 4; ranks["coding"] = 5; ranks["proxies"] = 5
      ranks["observing"] = 6; ranks["trace"] = 7
      count = split(headers, lines, "\n")
      for (i = 1; i <= count; i++)
        if (split(lines[i], field, " ") == 2) { rank[field[2]] = field[1]; place[field[2]] = i }
      count = split(testing_users, lines, " ")
      for (i = 1; i <= count; i++) tester[lines[i]] = 1
    }
    # "base/thread.c" for a file of the core, the bare name for a public header.
    function short(path) {
      sub(/^Sources\/CIsaHeader\/(include\/)?/, "", path)
      sub(/^Sources\/CIsa\/(include\/)?/, "", path)
      return path
    }
    function folder(name) { return name ~ /\// ? substr(name, 1, index(name, "/") - 1) : "" }
    function complain(text) { print $1 ":" $2 ": " text; failed = 1 }
    # The name in the list of `name`, included by `from`.
    function resolve(name, from) {
      if (sub(/^\.\.\//, "", name)) return name
      if (name ~ /\//) return name
      if (folder(from) != "" && ((folder(from) "/" name) in rank)) return folder(from) "/" name
      return name
    }
    function rank_of(name) {
      if (name in rank) return rank[name]
      if (name == "isa_header.c") return 0
      if (folder(name) == "") return 8
      return folder(name) in ranks ? ranks[folder(name)] : -1
    }
    {
      from = short($1); target = $3; mine = rank_of(from)
      if (mine < 0) { complain("no rank is known for the folder " folder(from)); next }
      if (from ~ /\.h$/ && !(from in rank) && folder(from) != "") {
        complain(from " is missing from the list in scripts/layers.sh"); next
      }
      if (target ~ /^</) {
        if (target == "<ffi.h" && mine != 3) complain("only call/ may include <ffi.h>")
        next
      }
      target = resolve(target, from)
      if (!(target in rank)) {
        if (folder(target) == "" && folder(from) == "" && mine == 8) next
        complain("includes " target ", which is not in the list in scripts/layers.sh"); next
      }
      if (target == "isa_testing.h" && !(from in tester))
        complain("isa_testing.h is for tests and " testing_users)
      else if (rank[target] > mine)
        complain("rank " mine " includes " target ", which is rank " rank[target])
      else if (from ~ /\.h$/ && folder(target) == folder(from) && mine != 8 &&
               place[target] >= place[from])
        complain("includes " target ", which does not stand above " from " in its folder")
    }
    END { exit failed }'
}

# Prints FILE:LINE: text for each line of the files on standard input that matches `$1` outside a
# comment.
matches() {
  while IFS= read -r file; do
    awk -v file="$file" -v pattern="$1" '
      { line = $0; sub(/^[ \t]*\/\/.*/, "", line); sub(/[ \t]\/\/ .*/, "", line) }
      line ~ pattern { print file ":" FNR ": " $0 }' "$file"
  done
}

# Fails with `$1` if standard input has lines, which it prints.
expect_none() {
  local found
  found=$(cat)
  [ -z "$found" ] && return
  printf '%s\n' "$found" | sed "s|\$|   <- $1|"
  return 1
}

swift_files() {
  find Sources Lab/Sources -name Resources -prune -o -name '*.swift' -print | LC_ALL=C sort
}
library_files() { swift_files | { grep '^Sources/Isa' || true; }; }
# The files that say Unsafe; all others are safe Swift.
fence='
IsaKeyValue/Classes: PropertyInfo
IsaKeyValue/Coding: CollectionHandle KeySearch
IsaKeyValue/Errors: Outcome Status
IsaKeyValue/Objects: AdoptedClasses AnswerSlot KeptObject WeakSlot
IsaKeyValue/Observing: ChangeInPlace ClosureRegistration DeliveryScope IndexSets
IsaKeyValue/Observing: LoggedNotification ObserverNumbers RegistrationToken ValueTag
IsaKeyValue/Support: Addresses CallbackBox CopiedList InternedText KeyValueTrace Lock
IsaKeyValue/Support: SwiftRuntime ThreadKey ThreadState
IsaKeyValue/Values: Objects SwiftBox
IsaRuntime/Classes: DispatchTables EncodingWalk KeyHooks MethodBox
IsaRuntime/Coding: Coding
IsaRuntime/Objects: Invocation
IsaRuntime/Observing: RuntimeChange
IsaRuntime/Values: Boxes ValueMemory
IsaKVO/Class: ClassMethods Field FieldTable Forwarding GetterOverrides KnownPaths RootMethods
IsaKVO/Class: ClassRegistration Conformances KeyForwarder OverriddenGetter StandIn
IsaKVO/Coding: ObjectCoder ValueForm
IsaKVO/Object: Dynamic Exclusivity KVObject MainActorGuard ObjectMemory Reflection SwiftLayout
IsaKVO/Observe: ChangeInPlace+Notify ObservedReader
IsaKVO/Path: EvaluatedObservation EvaluatedPath Evaluation KeyPathProbe KeyPathSteps PathWalk
IsaKVO/Path: PropertyEnd Sources
IsaKVO/ToMany: ArrayEdit LiveCollections ToManyField ToManyPlace
IsaKVO/Tracking: ForeignTracking KVObject+Tracking TrackingMode TrackingQuestion
IsaKVOBindings/Rows: ElementArrays
IsaKVOBindings/Bind: DeliveredPushes KVObject+MakeBinding OneWay PushFrame TwoWay
'
# The files that take a context as Apple does, by an address that nobody looks into.
contexts='KVObject\+Observers|NSKVObject|KeyedArray'
contexts="(IsaKVOFoundation/($contexts)|IsaKeyValue/Observing/ObservationContext)\\.swift\$"
unsafe='Unmanaged|Unsafe[A-Za-z]*Pointer|OpaquePointer|unsafeBitCast|unsafeDowncast'
unsafe="(^|[^A-Za-z_])($unsafe)([^A-Za-z_]|\$)"

# The files behind the fence, by their paths.
fenced() {
  awk -F ': ' 'NF == 2 { n = split($2, names, " ")
    for (i = 1; i <= n; i++) print "Sources/" $1 "/" names[i] ".swift" }' <<<"$fence"
}

# Prints the imports of module `$1` in the files on standard input that do not match `$2`.
imports() {
  { grep -Ev "$2" || true; } |
    matches "^[ \t]*(@[A-Za-z_]+ )*([a-z]+ )*import ([a-z]+ )?$1([ .]|\$)"
}

check_swift() {
  local failed=0
  library_files | { grep -vxF -f <(fenced) || true; } | { grep -Ev "$contexts" || true; } |
    matches "$unsafe" | expect_none "unsafe code stands in the files that the fence names" ||
    failed=1
  local file
  while IFS= read -r file; do
    [ -f "$file" ] || { echo "$file: the fence names it, but it is not there"; failed=1; }
  done < <(fenced)
  library_files | matches '^[ \t]*(@[A-Za-z_()]+ )*(public )?import CIsa([ .]|$)' |
    expect_none "say: internal import CIsa, or package import CIsa" || failed=1
  public_users='KVO/Object/KVObject|KeyValue/Support/(SwiftRuntime|ThreadKey)'
  library_files | matches '^[ \t]*public import (CIsaHeader|CSwiftRuntime)' |
    { grep -Ev "^Sources/Isa($public_users)\\.swift:" || true; } |
    expect_none "publicly KVObject.swift imports CIsaHeader, two files CSwiftRuntime" ||
    failed=1
  library_files | { grep '^Sources/IsaKeyValue/' || true; } | imports 'Isa[A-Z][A-Za-z]*' '^$' |
    expect_none "IsaKeyValue is below the other modules" || failed=1
  library_files | { grep '^Sources/IsaRuntime/' || true; } | imports 'IsaKVO[A-Za-z]*' '^$' |
    expect_none "IsaRuntime is beside IsaKVO" || failed=1
  library_files | { grep '^Sources/IsaKVO' || true; } | imports 'IsaRuntime' '^$' |
    expect_none "IsaKVO is beside IsaRuntime" || failed=1
  library_files | { grep '^Sources/IsaKVO/' || true; } | imports 'IsaKVO[A-Za-z]+' '^$' |
    expect_none "IsaKVO is below the modules that are named after it" || failed=1
  library_files | { grep -v '^Sources/IsaKVOCombine/' || true; } |
    imports '(IsaKVO|Open)?Combine' '^$' |
    expect_none "Combine is for IsaKVOCombine alone, on which no module stands" || failed=1
  library_files | { grep '^Sources/IsaKVOCombine/' || true; } |
    imports '(IsaKVO[A-Za-z]+|CIsa[A-Za-z]*|Foundation)' '^$' |
    expect_none "IsaKVOCombine stands on IsaKVO and IsaKeyValue" || failed=1
  local core='Runtime/(CoreHandles|Indexes|Listeners|ObjectState\+Header)|Designs/HandmadeDesigns'
  core="^Lab/Sources/isalab/($core|Errors/CallTrials(\+[A-Za-z]+)?)\\.swift"
  swift_files | { grep '^Lab/' || true; } | imports CIsa "$core" |
    expect_none "isalab stands on IsaRuntime; files whose subject is the core alone call C" ||
    failed=1
  local users='Object/(Exclusivity|MainActorGuard|ObjectMemory|SwiftLayout)'
  users="$users|Class/(Conformances|GetterOverrides)"
  users="$users|Path/PropertyEnd|Tracking/TrackingMode"
  users="(IsaKVO/($users)|IsaKeyValue/Support/(SwiftRuntime|ThreadKey))\\.swift\$"
  library_files | imports CSwiftRuntime "$users" |
    expect_none "only ten files import CSwiftRuntime" || failed=1
  return $failed
}

status=0
check_c || status=1
check_swift || status=1
[ $status != 0 ] || echo "layers: the core's includes and the Swift layers' imports keep the order"
exit $status
