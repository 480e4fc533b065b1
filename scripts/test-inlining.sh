#!/usr/bin/env bash
# Looks at the machine code of accesses to properties that nobody observes, compiled with
# optimisation by a user of the package: a plain access and one test of the header, with no call and
# no key path made; at how often an observed set is checked for exclusivity; at a class that
# overrides getters, in a program with symbols and in one without; and at classes that are refused:
# compiled without reflection metadata, or generic below a module with library evolution.
set -euo pipefail
cd "$(dirname "$0")/.."

# In the folder of scripts/house.sh, which has built the library in the same manner.
package=Tests/Consumer/inlining scratch=.build-house/release
read -ra options < <(scripts/swift-build.sh measured)
swift build -c release --package-path $package --scratch-path $scratch \
  --disable-build-manifest-caching "${options[@]}"
build=$scratch/release
failed=0
complain() { echo "inlining: $1" >&2; failed=1; }
[ "$($build/Inlining)" = 1000 ] || complain "the program computes something else"

# The instructions of function `$1` up to its first return, mnemonic and operands.
path_of() {
  objdump -d --no-show-raw-insn $build/Inlining |
    awk -v name="8Inlining${#1}$1" '
      /^[0-9a-f]+ </ { inside = index($0, name) > 0 }
      inside && /^ / { sub(/^ *[0-9a-f]+:[ \t]*/, ""); print; if ($1 ~ /^ret/) inside = 0 }'
}

# Function `$1` may take `$3` instructions more than `$2`, tests once and calls nobody.
check_access() {
  local wrapped plain tests
  wrapped=$(path_of "$1")
  plain=$(path_of "$2")
  tests=$(grep -c '^test' <<<"$wrapped" || true)
  if grep -q '^call' <<<"$wrapped"; then complain "$1 makes a call before it returns"; fi
  [ "$tests" = 1 ] || complain "$1 tests $tests times"
  local more=$(($(wc -l <<<"$wrapped") - $(wc -l <<<"$plain")))
  [ $more -le "$3" ] || complain "$1 takes $more instructions more than $2, at most $3 expected"
  echo "inlining: $1 takes $more instructions more than $2"
}

if [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null 2>&1; then
  check_access wrappedGet plainGet 8
  check_access wrappedSet plainSet 8
  check_access wrappedAdd plainAdd 18
  [ -n "$(path_of genericGet)" ] || complain "there is no genericGet"
  if path_of genericGet | grep -q swift_getKeyPath; then complain "genericGet makes a key path"; fi
else
  echo "inlining: the machine code is looked at on x86-64 with objdump only"
fi

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

user=(swiftc -swift-version 6 -I $build/Modules
  -Xcc -fmodule-map-file=Sources/CIsaHeader/include/module.modulemap
  -Xcc -fmodule-map-file=Sources/CSwiftRuntime/include/module.modulemap
  -Xcc -fmodule-map-file=Sources/CIsa/include/module.modulemap -Xcc -ISources/CIsa/include
  -Xcc -ISources/CIsa -Xcc -ISources/CIsaHeader/include)

# Builds program `$1` of what comes from standard input, by the compiler's options that follow.
compile() {
  local program="$room/$1"
  shift
  cat >"$room/main.swift"
  "${user[@]}" "$@" -emit-object -module-name Program -o "$room/main.o" "$room/main.swift"
  # shellcheck disable=SC2046 # as many words as there are files
  swiftc -o "$program" "$room"/*.o $(pkg-config --libs libffi) \
    $(find $build/IsaKVO.build/ $build/IsaKeyValue.build/ $build/CIsa.build/ \
      $build/CIsaHeader.build/ $build/CSwiftRuntime.build/ -name '*.o')
}

compile mute -Xfrontend -disable-reflection-metadata <<'END'
import IsaKVO
final class Mute: KVObject { @Dynamic var value = 1 }
_ = Mute().observe(\.value) { _, _ in }
END
answer=$("$room/mute" 2>&1)
case $answer in
  *"without reflection metadata"*) echo "inlining: a class without its metadata is refused" ;;
  *) complain "a class without reflection metadata is not refused: '$answer'" ;;
esac

compile overriding <<'END'
import IsaKVO
class Base: KVObject {
  @Dynamic var name = "b"
  @Dynamic final var fixed = 1
  var title: String { get { fatalError("a subclass overrides this") } set {} }
}
final class Sub: Base {
  override var name: String { get { super.name + "?" } set { super.name = newValue } }
  override var title: String { get { fatalError("nobody asks for this") } set {} }
}
let object = Sub()
let token = object.observe(\.name, options: [.old, .new]) {
  print($1.oldValue!, $1.newValue!)
}
object.name = "c"
for key in ["name", "name", "fixed"] { print(try object.value(forKey: key)!) }
token.invalidate()
END
answer=$("$room/overriding" 2>&1)
[ "$answer" = $'b? c?\nc?\nc?\n1' ] || complain "an overridden getter is not asked: '$answer'"
# The overrides that symbols told are not known then: nobody's getter is called to find them out.
strip "$room/overriding"
answer=$("$room/overriding" 2>"$room/reported")
[ "$answer" = $'b? c?\nc\nc\n1' ] || complain "stripped of symbols it answers: '$answer'"
[ "$(grep -c 'declare name in the class' "$room/reported")" = 1 ] ||
  complain "stripped of symbols it reports: '$(cat "$room/reported")'"
echo "inlining: overridden getters are told by symbols, and reported without them"

# A class of a module with library evolution, and generic ones below it: the compiler reads these
# classes' properties by code, so that they have no place.
cat >"$room/Evolving.swift" <<'END'
import IsaKVO
open class Evolving: KVObject {
  @Dynamic open var number = 0
  public override init() {}
}
END
"${user[@]}" -parse-as-library -suppress-warnings -enable-library-evolution \
  -module-name Evolving -emit-module -emit-module-path "$room/Evolving.swiftmodule" \
  -emit-object -o "$room/evolving.o" "$room/Evolving.swift"
compile placeless -I "$room" <<'END'
import Evolving
import IsaKVO
class Middle: Evolving { @Dynamic var middle = 1 }
final class Low<Value>: Middle { @Dynamic var low = 2 }
let middle = Middle(), low = Low<Int>()
let heard = middle.observe(\.middle, options: .new) { print("middle", $1.newValue!) }
middle.middle += 1
let unheard = low.observe(\.low) { _, _ in }
low.low += 1
print(low.low, heard.isValid, unheard.isValid)
END
answer=$("$room/placeless" 2>"$room/reported")
[ "$answer" = $'middle 2\n3 true false' ] &&
  grep -q 'class Low<Int> is generic, and inherits from a class of a module' "$room/reported" ||
  complain "a class whose properties have no place answers: '$answer' $(cat "$room/reported")"
echo "inlining: a generic class below a module with library evolution is refused"

# Counts what Swift checks for exclusivity, for the program that it is loaded before.
${CC:-cc} -shared -fPIC -x c -o "$room/count.so" - -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
static long count;
void swift_beginAccess(void *place, void *access, uintptr_t flags, void *caller)
{
    void (*begin)(void *, void *, uintptr_t, void *);
    *(void **)&begin = dlsym(RTLD_NEXT, "swift_beginAccess");
    count++;
    begin(place, access, flags, caller);
}
__attribute__((destructor)) static void tell(void) { printf("%ld\n", count); }
END
compile setting -O <<'END'
import IsaKVO
final class Meter: KVObject { @Dynamic var count = 0 }
let meter = Meter(), sets = Int(CommandLine.arguments[1])!
var told = 0
let token = meter.observe(\.count, options: [.old, .new]) { _, _ in told += 1 }
for number in 0..<sets { meter.count = number }
precondition(told == sets)
token.invalidate()
END
accesses() { LD_PRELOAD="$room/count.so" "$room/setting" "$1"; }
checked=$(($(accesses 2000) - $(accesses 1000)))
[ $checked = 1000 ] || complain "1000 observed sets are checked for exclusivity $checked times"
echo "inlining: an observed set is checked for exclusivity once"
exit $failed
