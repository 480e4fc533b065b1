# Sourced by the scripts that build one package after another in one folder.
#
#   build_quietly ARGUMENTS…   `swift build` of a package that is built once, see whole.sh

# The package manager hands a package's traits to the compiler in the order of a set, which is
# another one each time: every second build would compile the library anew.
build_quietly() {
  SWIFT_DETERMINISTIC_HASHING=1 swift build --quiet --disable-build-manifest-caching \
    "${whole[@]}" "$@"
}
