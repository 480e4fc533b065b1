# Sourced by the scripts that build the core and programs in C around it, without Swift.
#
#   public_declarations             the functions of the public headers, one a line, in their order
#   build_core NAME FLAGS…          compiles the core and the fixtures into .build-core/NAME
#   link_core NAME PROGRAM FILES…   compiles the files too, and links .build-core/NAME/PROGRAM
#
# The compiler is handed a source's name behind `core_root`, nothing if not said.
#
# CC says which compiler: clang, else gcc.

core_cc=${CC:-$(command -v clang || command -v gcc || true)}
read -ra core_libraries <<<"$(pkg-config --libs libffi 2>/dev/null) -pthread -lm"
read -ra core_includes <<<"$(pkg-config --cflags libffi 2>/dev/null)"
core_includes+=(-ISources/CIsa -ISources/CIsa/include -ISources/CIsaHeader/include
  -ITests/CIsaTestSupport/include)

# clang's sanitizers come with warnings of a linker that is not its own.
core_linker=()
! "$core_cc" -fuse-ld=lld -Wl,--version 2>/dev/null | grep -q LLD || core_linker=(-fuse-ld=lld)

has_core_tools() { [ -n "$core_cc" ] && pkg-config --exists libffi 2>/dev/null; }

core_sources() {
  printf '%s\n' Sources/CIsa/*.c Sources/CIsa/*/*.c
  printf 'Tests/CIsaTestSupport/%s.c\n' facts foreign litmus misuse node observer person scalars \
    signatures to_many
}

public_declarations() {
  printf '#include "%s.h"\n' isa isa_foreign kvc_typed kvo_foreign |
    "$core_cc" -E -P -x c "${core_includes[@]}" - | tr '\n' ' ' | sed 's/  */ /g' |
    grep -oE 'visibility\("default"\)[^;]*;' |
    sed -E 's/^[^)]*\)+ *//; s/^__attribute__[^ ]* *//'
}

build_core() {
  local folder=.build-core/$1 compiler=$core_cc
  shift
  mkdir -p "$folder"
  # Objects of another compiler do not go with this one's.
  if [ "$(cat "$folder/compiler" 2>/dev/null)" != "$compiler" ]; then
    rm -f "$folder"/*.o
    echo "$compiler" >"$folder/compiler"
  fi
  # What was built with other flags is built anew.
  [ "$(cat "$folder/flags" 2>/dev/null)" = "$(printf '%s\n' "$@")" ] || rm -f "$folder"/*.o
  printf '%s\n' "$@" >"$folder/flags"
  # Nor do those of sources that are gone.
  find "$folder" -maxdepth 1 -name '*.o' -printf '%f\n' | LC_ALL=C sort |
    LC_ALL=C comm -23 - <(core_sources | tr / . | sed 's/$/.o/' | LC_ALL=C sort) |
    while IFS= read -r object; do rm -- "$folder/$object"; done
  # shellcheck disable=SC2016 # the inner shell expands it
  core_sources | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' bash -c \
    'file=$1 folder=$2 root=$3 && shift 3
     object=$folder/$(tr / . <<<"$file").o
     headers=$(find Sources Tests/CIsaTestSupport -name "*.h" -newer "$object" 2>/dev/null)
     [ "$object" -nt "$file" ] && [ -z "$headers" ] ||
       "$@" -c "$root$file" -o "$object"' \
    compile '{}' "$folder" "${core_root:-}" "$core_cc" -std=gnu17 -Wall -Wextra -Wshadow \
    "${core_includes[@]}" "$@"
}

link_core() {
  local folder=.build-core/$1 program=$2 flags
  shift 2
  mapfile -t flags <"$folder/flags"
  "$core_cc" -std=gnu17 -Wall -Wextra -Wshadow "${core_includes[@]}" "${flags[@]}" \
    "${core_linker[@]}" "$@" \
    "$folder"/*.o -o "$folder/$program" "${core_libraries[@]}"
}
