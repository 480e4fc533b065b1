#!/usr/bin/env bash
# Checks the models of Tests/Protocol with Spin: each configuration of removal.pml to its last
# state, and that each mutant of the protocol is found by the configuration that is named for it, in
# one line each; and the same of the smaller models, each of which has one configuration. Then,
# unless the word `models` is given, that the litmus tests find each mutant of the sources in
# Tests/Protocol/mutants.txt. They are given some time for each, as threads seldom meet beside other
# programs.
# Installs Spin through apt-get where this user may; where it cannot be had it says so in one line
# and succeeds. The folder .build-protocol/NAME keeps what was found: there, with the words of the
# file `flags`, `spin -t -p -g FLAGS removal.pml` shows the run that leads to it.
set -euo pipefail
cd "$(dirname "$0")/.."

model=$PWD/Tests/Protocol/removal.pml
out=.build-protocol
seconds=240 # for which the litmus tests of a mutant are repeated
limit=120   # seconds that one run of them may take: a run needs two of the processor's
status=0

# NAME: what removal.pml is compiled with; a thread's share stands at its place.
configurations='
open:        THREADS=3 START=OPEN SETS={1,1,0} REMOVALS={0,0,1}
settling:    START=OPEN LINKED=3 SETS={0,2,0} REMOVALS={2,1,0} NESTS CAN_FILL SWITCHES=1
reopening:   START=OPEN LINKED=4 SETS={0,1,0} REMOVALS={2,2,0} NESTS CAN_OPEN SWITCHES=1
owned:       START=OWNED SETS={2,1,0} REMOVALS={1,1,0} NESTS WAITS
taken-over:  START=OWNED LINKED=3 SETS={0,1,0} REMOVALS={1,2,0} NESTS CAN_FILL SWITCHES=1
beside-both: THREADS=3 START=OWNED LINKED=1 SETS={1,1,0} REMOVALS={0,0,1} WAITS
counted:     THREADS=3 START=COUNTED LINKED=1 SETS={1,1,0} REMOVALS={0,0,1} WAITS
callbacks:   START=COUNTED SETS={1,1,0} REMOVALS={1,1,0} NESTS WAITS CAN_OPEN CAN_FILL SWITCHES=1
owning:      START=COUNTED SETS={1,1,0} REMOVALS={1,1,0} NESTS CAN_OWN SWITCHES=1
new:         START=NEW LINKED=0 ADDED=1 ADDS={1,0,0} SETS={1,2,0} REMOVALS={1,1,0} NESTS
adding:      START=COUNTED LINKED=1 ADDED=1 ADDS={1,0,0} SETS={0,2,0} REMOVALS={1,1,0} NESTS
twice:       THREADS=3 START=COUNTED LINKED=1 SETS={0,1,0} REMOVALS={0,0,1} AGAIN
batches:     START=OPEN SETS={1,1,0} REMOVALS={1,1,0} NESTS BATCHES
quiet:       START=OPEN LINKED=1 ADDED=1 ADDS={1,0,0} SETS={0,2,0} REMOVALS={1,1,0} NESTS QUIETS
reopened:    START=OPEN LINKED=3 SETS={0,1,0} REMOVALS={1,2,0} NESTS CAN_FILL SWITCHES=1 QUIETS
collisions:  START=COUNTED SETS={0,2,0} REMOVALS={2,0,0} NESTS COLLIDES
fences:      START=OPEN LINKED=3 SETS={0,1,0} REMOVALS={2,1,0} NESTS CAN_FILL SWITCHES=1 FENCES'

# A mutant, the configuration that finds it, and what is wrong in which step of the argument in
# docs/decisions/0023-removal-is-modelled-first.md.
mutants='
ENDED_IS_STORED       twice      0: ENDED is looked at and set by no locked instruction
ENDED_RETURNS_AT_ONCE twice      0: ending again returns at once
WAITED_BEFORE_WAITING twice      0: a removal says that it has waited before it has
NEW_IS_NOT_JOINED     new        1: a reader goes into a new object and leaves it new
OWNED_IS_NOT_JOINED   owned      1: foreign readers do not join
COUNTED_NEVER_WAITS   counted    2: no look at the counts
COUNTED_WITHOUT_FENCE counted    2: no fence between unlinking and the counts
ADD_IS_NO_FENCE       counted    2: the word is loaded before the count is seen
ONE_COUNTER           callbacks  2: only the former counter is seen empty
OPEN_IS_OWNED         open       3: OPEN is treated as owned
NO_BARRIER            open       3: no membarrier
NO_BARRIER            fences     3: no fences where there is no membarrier
NO_WAIT_FOR_CHECKS    open       3: checks are not waited for
READERS_UNSEEN        settling   4: no look at the readers
OWN_SECTION_IGNORED   settling   4: the remover is inside itself, uncounted
EPOCH_NOT_CLOSED      settling   4: the epoch is not closed
PENDING_UNFENCED      quiet      4: PENDING has an epoch from before it could be seen
QUIET_UNSEEN          quiet      4: an epoch is quiet that has readers
QUIET_BUT_ITSELF      settling   4: an epoch is quiet that has the remover as a reader
STATE_BEFORE_ENTRY    settling   4: a reader looks at the state before its section
ANY_PENDING           settling   4: PENDING was set anew by another, for want of room
ANY_PENDING           reopening  4: PENDING was set anew by another, after many reads
WORD_BEFORE_STATE     settling   5: a reader loads the word before the state
NO_SECOND_LOOK        owning     6: a reader that has counted does not look again
OWNED_UNSEEN          owning     6: an owner does not look at the counts
OWN_SECTION_FREES     settling   7: freed at once in an own section
NOBODY_IS_TOLD        batches    7: nobody is told to look for batches on leaving
WAITS_FOR_CALLS       callbacks  9: the counts are waited for without end'

# The other models, whose mutants stand in their own files.
models='handle count dispatch isa lists callouts listeners'

# The flags of configuration `$1`.
flags_of() {
  local word
  for word in $(sed -n "s/^$1: *//p" <<<"$configurations"); do printf ' -D%s' "$word"; done
  echo
}

# run NAME OPTIMISATION FLAGS…: makes the verifier of $model and runs it, in a folder of its own.
run() {
  local folder=$out/$1 optimisation=$2
  shift 2
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$@" >"$folder/flags"
  (
    cd "$folder"
    cp "${model%/*}"/*.pml .
    spin -a "$@" "${model##*/}" >spin.log 2>&1 || { cat spin.log >&2 && exit 1; }
    gcc "$optimisation" -w -DSAFETY -DMEMLIM=4096 -o pan pan.c
    ./pan -w20 -m100000 >pan.log 2>&1 || true
  )
}

# The finding of a verifier's log, in words.
finding() {
  case $(sed -n 's/^pan:1: //p' "$1") in
    *'(word&freed)=='* | *'(x&freed)=='*) echo 'what was freed is read' ;;
    *returned*) echo 'a callback starts after its removal has returned' ;;
    *unlinked*) echo 'what was unlinked is never freed' ;;
    *freed*) echo 'what was freed is freed again' ;;
    *'invalid end state'*) echo 'a thread waits for ever' ;;
    *'assertion violated'*) sed -n 's/^pan:1: assertion violated \(.*\) (at.*/not \1/p' "$1" ;;
    *) sed -n 's/^pan:1: //p' "$1" ;;
  esac
}

is_complete() {
  grep -q 'errors: 0$' "$1" &&
    ! grep -qE 'not completed|max search depth too small|MEMLIM|out of memory' "$1"
}

check_configuration() {
  local log=$out/$1/pan.log flags states
  read -ra flags < <(flags_of "$1")
  run "$1" -O1 "${flags[@]}"
  states=$(awk '/states, stored/ { print $1 }' "$log")
  if is_complete "$log"; then
    echo "model $1: holds in all of $states states"
  else
    status=1
    echo "model $1: $(finding "$log" | grep . || echo 'the search was not complete')"
  fi
}

check_mutant() {
  local name=$1 by=$2 flags found
  shift 2
  read -ra flags < <(flags_of "$by")
  run "$name-$by" -O0 "${flags[@]}" "-DMUTANT_$name"
  found=$(finding "$out/$name-$by/pan.log")
  [ -n "$found" ] || { status=1 && found='NOT FOUND'; }
  echo "mutant $name, step $*: $found ($by)"
}

# check_model NAME: the model, and each of the mutants that its file names.
check_model() {
  local name=$1 mutant mutants
  model=${model%/*}/$name.pml
  mutants=$(sed -n 's,^// Mutants: *\(.*\)\.$,\1,p' "$model" | tr -d ,)
  check_configuration "$name"
  for mutant in $mutants; do
    run "$name-$mutant" -O0 "-D$mutant"
    found=$(finding "$out/$name-$mutant/pan.log")
    [ -n "$found" ] || { status=1 && found='NOT FOUND'; }
    echo "mutant $mutant of $name: $found"
  done
}

# make_litmus NAME [FILE CHANGE]: the litmus tests of the sources, or of that mutant of them. Prints
# what is wrong with the change.
make_litmus() {
  local folder=$out/litmus-$1
  rm -rf "$folder"
  mkdir -p "$folder"
  find Sources/CIsa/base Sources/CIsa/include Sources/CIsaHeader/include Tests/CIsaTestSupport \
    Tests/Protocol -name '*.[ch]' -exec cp --parents {} "$folder" ';'
  (
    cd "$folder"
    if [ $# -gt 1 ]; then
      sed -i.usual "$3" "Sources/CIsa/base/$2"
      ! cmp -s "Sources/CIsa/base/$2"{,.usual} || echo "no such line: $3"
    fi
    gcc -std=c17 -O2 -w -D_GNU_SOURCE -DNDEBUG -I{Sources/CIsa,Sources/CIsaHeader}/include \
      -ITests/CIsaTestSupport/include -o litmus Tests/Protocol/litmus_alone.c \
      Tests/CIsaTestSupport/litmus.c Sources/CIsa/base/*.c -lpthread
  )
}

# run_litmus NAME [TESTS]: prints the tests that fail, or of those whose names begin so the first,
# or the signal that ended them. Returns 124 where the time ran out, which other programs can bring
# about: of a mutant it proves nothing.
run_litmus() {
  local code=0
  timeout "$limit" "$out/litmus-$1/litmus" "${@:2}" || code=$?
  [ $code -le 128 ] || echo "a crash: signal $((code - 128))"
  [ $code -ne 124 ] || return 124
}

check_sources() {
  local found code=0
  make_litmus usual
  found=$(run_litmus usual) || code=$?
  [ $code -ne 124 ] || found+="${found:+, }no end within $limit seconds"
  [ -z "$found" ] || status=1
  echo "sources: ${found:-hold}"
}

# check_change NAME FILE TESTS CHANGE
check_change() {
  local found late='' end=$((SECONDS + seconds))
  found=$(make_litmus "$1" "$2" "$4")
  [ -z "$found" ] || status=1
  while [ -z "$found" ] && [ $SECONDS -lt $end ]; do
    found=$(run_litmus "$1" "$3") || late=", a run came to no end within $limit seconds"
  done
  [ -n "$found" ] || { status=1 && found="NOT FOUND$late"; }
  echo "sources, mutant $1: ${found%%$'\n'*}"
}

has_tools() { command -v spin >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1; }

if ! has_tools && ! scripts/deps.sh apt spin spin gcc; then
  echo 'spin: not here and not installable: the model of removal is not checked' >&2
  exit 0
fi
while IFS=: read -r name _; do
  [ -z "$name" ] || check_configuration "$name"
done <<<"$configurations"
while read -r name by step; do
  # shellcheck disable=SC2086 # the step is several words
  [ -z "$name" ] || check_mutant "$name" "$by" $step
done <<<"$mutants"
for name in $models; do check_model "$name"; done
[ "${1:-}" != models ] || exit $status
check_sources
while read -r name file tests change; do
  [ "$name" = '#' ] || check_change "$name" "$file" "$tests" "$change"
done <Tests/Protocol/mutants.txt
exit $status
