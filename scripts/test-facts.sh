#!/usr/bin/env bash
# Runs the trials of facts (Tests/Protocol/facts.c) on the core's own sources, which must pass, and
# on mutants of them: each has one step of the argument in base/directory.h or coding/facts.h left
# out, and must fail. A mutant may wait where the step would stand, so that other threads come
# between.
# The folder .build-protocol/facts keeps the latest mutant.
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build-protocol/facts
seconds=20 # for which a mutant is tried; beside other programs threads seldom meet
status=0

# The parts that the trials compile anew, with the mutant's headers.
parts='base/directory coding/facts coding/accessor'
cc=$(command -v clang || command -v gcc || true)
if [ -z "$cc" ] || ! command -v timeout >/dev/null || ! pkg-config --exists libffi 2>/dev/null; then
  echo 'clang or gcc, timeout, libffi: one is not here: facts and their mutants are not tried' >&2
  exit 0
fi
read -ra ffi <<<"$(pkg-config --cflags --libs libffi)"

# compile_all FOLDER: the core's objects but for the parts.
compile_all() {
  local file
  mkdir -p "$1"
  for file in Sources/CIsa/*.c Sources/CIsa/*/*.c; do
    case " $parts " in *" $(sed -E 's,Sources/CIsa/(.*)\.c,\1,' <<<"$file") "*) continue ;; esac
    "$cc" -std=c17 -O1 -DNDEBUG -ISources/CIsa/include -ISources/CIsaHeader/include "${ffi[@]}" \
      -c "$file" -o "$1/$(tr / . <<<"${file#Sources/CIsa/}").o"
  done 2>"$1/log" || { cat "$1/log" >&2 && exit 1; }
}

# copy_to FOLDER: copies the sources of the trials.
copy_to() {
  rm -rf "$1"
  mkdir -p "$1/Tests"
  cp -r Sources "$1"
  cp -r Tests/CIsaTestSupport Tests/Protocol "$1/Tests"
}

# try FOLDER SECONDS: compiles the sources there and runs the trials for so long; what they print,
# or that they came to no end, goes to FOLDER/found. True if they pass.
try() {
  local part files=() code=0
  for part in $parts; do files+=("$1/Sources/CIsa/$part.c"); done
  "$cc" -std=gnu17 -O2 -DNDEBUG -I"$1/Sources/CIsa/include" -I"$1/Sources/CIsaHeader/include" \
    -I"$1/Tests/CIsaTestSupport/include" "$1/Tests/Protocol/facts.c" \
    "$1/Tests/CIsaTestSupport/facts.c" "${files[@]}" "$out"/objects/*.o \
    -o "$1/trials" "${ffi[@]}" -pthread 2>"$1/log" || { cat "$1/log" >&2 && exit 1; }
  { timeout $(($2 + 10)) "$1/trials" "$2" >"$1/found"; } 2>/dev/null || code=$?
  case $code in
    0) return ;;
    124) echo 'a thread comes to no end' >>"$1/found" ;;
    1) ;;
    *) echo 'a thread reads what is not there' >>"$1/found" ;;
  esac
  return 1
}

# mutant NAME FILE SED…: the sources with FILE changed by sed's extended expressions.
mutant() {
  local name=$1 file=$2 folder=$out/mutant found='NOT FOUND'
  shift 2
  copy_to "$folder"
  sed -E -i "$@" "$folder/$file"
  if cmp -s "$folder/$file" "$file"; then
    found='THE SOURCE HAS CHANGED: no such step'
    status=1
  elif try "$folder" "$seconds"; then status=1
  else found=$(tail -n 1 "$folder/found")
  fi
  echo "mutant $name: $found"
}

rm -rf "$out"
compile_all "$out/objects"
copy_to "$out/own"
if try "$out/own" 5; then echo 'facts: the trials pass'
else
  status=1
  echo "facts: $(tail -n 1 "$out/own/found")"
fi

wait='for (volatile int turns = 0; turns < 3000; turns++) {}'
core=Sources/CIsa

# W1, W2, W3.
mutant ITEM_PUT_BEFORE_IT_IS_WHOLE $core/coding/facts.c -e '/memcpy\(made->bytes/d' \
  -e "s/( *)(if \(made != NULL\)) (isa__directory_put.*)"\
"/\1\2 { \3 $wait memcpy(made->bytes, bytes, size); }/"
mutant BLOCK_STORED_BEFORE_IT_IS_FILLED $core/base/directory.c -e '/if \(present != NULL\) fill/d' \
  -e 's/( *)(__atomic_store_n\(&directory->block, made.*)'\
'/&\n\1if (present != NULL) fill(made, present, hash);/'
mutant ITEM_TAKEN_OUT_FIRST $core/base/directory.c \
  -e "s/( *)__atomic_store_n\(&place->item, item"\
"/\1__atomic_store_n(\&place->item, NULL, __ATOMIC_RELEASE);\n\1$wait\n&/"
mutant BLOCK_FILLED_UP $core/base/directory.c \
  -e 's/\(present->count \+ 1\) \* 2 <= present->mask \+ 1/present->count <= present->mask/'
mutant WRITERS_WITHOUT_LOCK $core/coding/facts.c -e '/isa__(un)?lock\(&facts_lock\)/d'
# W4, R1.
mutant ITEM_FREED_AT_ONCE $core/coding/facts.c \
  -e 's/isa__retire\(&former->retired\)/isa__retired_free[ISA_RETIRED_FACT](\&former->retired)/'
mutant BLOCK_FREED_AT_ONCE $core/coding/facts.c \
  -e 's/isa__retire\(&outgrown->retired\)'\
'/isa__retired_free[ISA_RETIRED_DIRECTORY](\&outgrown->retired)/'
mutant READ_OUTSIDE_SECTION $core/coding/facts.h \
  -e 's/= isa__reader_enter\(\)/= isa__thread_get()/' \
  -e 's/isa__reader_leave\(thread\)/(void)thread/'
# F1, F3, F5.
mutant EPOCH_LOADED_AFTER_ASKING $core/coding/accessor.c \
  -e '/uint64_t epoch = isa__method_epoch\(\);/d' \
  -e "/^isa_status isa__answer_find/,\$s/( *)if \(status != ISA_OK\) return status;"\
"/&\n\1$wait\n\1uint64_t epoch = isa__method_epoch();/"
mutant RENEWED_WITHOUT_COMPARING $core/coding/facts.c \
  -e 's/if \(fact == NULL \|\| memcmp.*/if (fact == NULL) return false;/'
mutant EPOCH_NOT_COMPARED $core/coding/facts.h -e 's/if \(fact == NULL \|\| .*/if (fact == NULL)/'
# Interned texts. The two threads meet at each text: one that sleeps there lets the other come.
sleep='extern int usleep(unsigned); usleep(20);'
mutant TEXT_NOT_LOOKED_FOR_AGAIN $core/coding/facts.c \
  -e "s/( *)isa__lock\(&key_lock\);/\1$sleep\n&/" \
  -e 's/key = find\(keys, text\); .*/key = NULL;/'
mutant TEXTS_WITHOUT_LOCK $core/coding/facts.c -e '/isa__(un)?lock\(&key_lock\)/d' \
  -e "s/( *)key = find\(keys, text\); .*/&\n\1$sleep/"
mutant OUTGROWN_BLOCK_FREED $core/coding/facts.c -e '/keys->outgrown = outgrown/d' \
  -e 's/outgrown->retired.next = .*/isa__retired_free[ISA_RETIRED_DIRECTORY](\&outgrown->retired);/'
exit $status
