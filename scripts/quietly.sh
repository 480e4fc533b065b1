# Sourced by the scripts that build one package after another in one folder.
#
#   whole                      the options of whole.sh
#   build_quietly ARGUMENTS…   `swift build` with these

read -ra whole < <(scripts/whole.sh)

# The package manager hands a package's traits to the compiler in the order of a set, which is
# another one each time: every second build would compile the library anew. The cached plan of a
# folder may be that of another package, which was built there last.
build_quietly() {
  SWIFT_DETERMINISTIC_HASHING=1 scripts/swift-build.sh --quiet --disable-build-manifest-caching \
    "${whole[@]}" "$@"
}
