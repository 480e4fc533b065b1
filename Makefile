# One target per habit; `make` alone lists those of every day, `make help-all` all.
#
#   PREFIX, DESTDIR  where `make install` puts the C library (/usr/local)
#   LIBDIR           where it puts what is linked ($(PREFIX)/lib)
#   CC, CFLAGS       what builds the C library (cc, gcc or clang; -O2)
#   BASE, NEW        what `make bench-compare` compares: results files of `make bench`;
#                    BASE is the earlier commit for `make test-names`
#   RESULTS, CHARTS  where `make bench` puts its results and charts
#   SAMPLING         how often it measures, such as `--rounds 1 --samples 15`
#   LECTURE          where `make demo` puts the lessons' pages (.build-lab/lecture)
#   RECORD, SEED     where `make recording` writes (.build-lab/recording), and from which seed (1)
#   ROWS             words that the rows of `make cross` must have, such as `s390x gcc -O2`
#   ONCE=1           builds the tests as what is built once: from a fresh clone that takes two thirds
#                    of the processor's time, and after an edit more
#   WERROR=          lets C warnings pass, for a compiler newer than the ones that lint knows

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

ifeq ($(origin CC),default)
CC := $(firstword $(foreach name,cc gcc clang,$(shell command -v $(name))) cc)
endif

VERSION := 0.2.0
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
CFLAGS  ?= -O2
RECORD  ?= $(BUILD)/recording
SEED    ?= 1
WERROR  ?= -Werror=all -Werror=extra -Werror=shadow

# One word of the shell, whatever stands in it.
quoted = '$(subst ','\'',$(1))'

# ---- Swift: the library, isalab, tests -----------------------------------------------------------

WHOLE      := $(shell scripts/swift-build.sh whole)
# The groups are named one by one: the package manager takes a bare -Werror for one of its own.
WARNINGS   := -Wall -Wextra -Wshadow $(WERROR)
# The library's package and the lab's build in one folder, so that the library is built once. The
# cached plan of the last build there may be the other package's.
SWIFTFLAGS := --disable-build-manifest-caching $(addprefix -Xcc ,$(WARNINGS)) $(if $(ONCE),$(WHOLE))
LAB        := --package-path Lab
# A folder of its own: plain `swift build`, without flags, would begin in make's folder from the start,
# and make in that one's.
BUILD      := .build-lab
# This build notes what is public there, for the list.
GRAPHS     := $(call quoted,$(CURDIR)/$(BUILD)/graphs)
IN_BUILD   := --scratch-path $(BUILD) \
              $(addprefix -Xswiftc ,-emit-symbol-graph -emit-symbol-graph-dir) -Xswiftc $(GRAPHS)
SWIFT_BUILD := scripts/swift-build.sh
SWIFT_TEST := swift test --no-parallel --disable-xctest $(SWIFTFLAGS)
# Tests both packages with the given flags.
TEST_BOTH   = scripts/test.sh $(SWIFTFLAGS) $(1)
# Calls through an IMP cast to its true type are the dispatch itself, hence -fno-sanitize=function.
UBSAN      := -fsanitize=undefined -fsanitize-trap=undefined -fno-sanitize=function

# A compiler's or the package manager's, and not an argument of a test that is called so.
ERRORS     := (^|[0-9]: |clang: |ld[.a-z]*: )([Ff]atal )?error:|[0-9]: (Precondition|Assertion) failed

# What a day needs, in the order in which it needs it.
DAILY := build quick test check format lint house docs bench demo install clean help-all

help: ## prints what a day needs
	@awk -F ':.*## ' -v daily='$(DAILY)' '/^[a-z-]+:.*## / { text[$$1] = $$2 } \
	  END { for (i = 1; i <= split(daily, name, " "); i++) \
	    printf "  make %-14s %s\n", name[i], text[name[i]] }' $(MAKEFILE_LIST)

help-all: ## prints all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## finds what the build needs, installs what is missing where it may
	@scripts/deps.sh

build: deps ## builds the library, isalab and the tests
	@mkdir -p $(GRAPHS)
	$(SWIFT_BUILD) --build-tests $(SWIFTFLAGS) $(IN_BUILD)
	$(SWIFT_BUILD) --build-tests $(SWIFTFLAGS) $(IN_BUILD) $(LAB)

test: test-unit test-api test-pages test-apart ## runs every test

# Failures are told once more at the end, above the runner's closing line.
test-unit: build
	@scripts/deps.sh tmux
	set -o pipefail; { $(call TEST_BOTH,$(IN_BUILD)); } 2>&1 | tee $(BUILD)/tests.log || \
	  { grep -E '✘|$(ERRORS)' $(BUILD)/tests.log; exit 1; }

test-api: build ## holds the lists of what the Swift modules declare publicly
	@scripts/api.sh $(GRAPHS) --check

test-consumer: deps ## builds and runs Swift packages and C programs that depend on this one
	@scripts/test-consumer.sh

test-docs: deps ## runs the examples of README.md and of the articles, and builds the reference
	@status=0; scripts/snippets.sh || status=1; scripts/docs.sh || status=1; exit $$status

test-inlining: deps ## looks at the machine code of accesses to what nobody observes
	@scripts/test-inlining.sh

test-evolution: deps ## compiles the Swift modules as those of a binary framework
	for target in IsaKVOFoundation IsaRuntime; do \
	  $(SWIFT_BUILD) --quiet --target $$target -Xswiftc -enable-library-evolution \
	    --scratch-path .build-evolution --disable-index-store $(WHOLE) || exit; done

test-pages: build ## drives the exported pages in a headless Chromium, which it installs where it may

test-gtk: deps ## tests the bridge to GTK, and drives Examples/Inventory on a display in memory
	@scripts/test-gtk.sh

test-store: deps ## tests Examples/Store, whose SQLite it installs where it may
	@scripts/test-store.sh

# Not in check-all: Hummingbird takes minutes to build.
test-dashboard: deps ## puts load on Examples/Dashboard, and drives its page in a headless Chromium
	@scripts/test-dashboard.sh

test-protocol: ## checks the model of removal beside other threads, and that each mutant of it is found
	@scripts/test-protocol.sh

model: ## searches the models of what threads do beside one another, and mutants of them, with Spin
	@scripts/test-protocol.sh models

# SECONDS for each program at a time; 0: the inputs in Tests/Fuzz/corpus alone. PROGRAMS chooses.
fuzz: deps ## fuzzes encodings, key paths, edits, programs and scenarios, for SECONDS (60)
	@scripts/fuzz.sh $(or $(SECONDS),60) $(PROGRAMS)

stress: deps ## has threads do everything at once, plain and under the thread sanitizer, SECONDS (60) each
	@scripts/stress.sh $(or $(SECONDS),60)

soak: deps ## keeps a million observed objects turning over for SECONDS (3600): memory has to be flat
	@scripts/stress.sh soak $(or $(SECONDS),3600)

coverage: deps ## prints how much of the C core the tests reach
	@scripts/coverage.sh 97

port: deps ## builds isakvo-port, which ports sources from Apple systems, and prints where it is
test-port: deps ## tests isakvo-port

recording: deps ## writes what the handlers of random programs are called with to RECORD, from SEED
	$(SWIFT_BUILD) --build-tests $(IN_BUILD)
	@rm -f $(call quoted,$(RECORD))
	SWIFT_DETERMINISTIC_HASHING=1 ISA_RECORD=$(call quoted,$(abspath $(RECORD))) \
	  ISA_SEED=$(SEED) ISA_PROGRAMS=1000 ISA_ROUNDS=300 \
	  $(SWIFT_TEST) --skip-build $(IN_BUILD) --filter 'ModelTests|HeardTests'
	@cksum $(call quoted,$(RECORD))

# RENEW=1 writes the list anew.
abi: ## compares the C library's binary interface with the list in docs/abi
	@scripts/abi.sh $(if $(RENEW),renew)

# Words choose areas: make test-core AREAS=memory.
test-core: deps ## runs the checks in C under the address sanitizer, with each allocation failing
	@scripts/test-core.sh $(AREAS)

# Words choose rows: make cross ROWS='s390x gcc -O2'.
cross: ## builds and runs the core's checks for other processors and C libraries, all or those of ROWS
	@scripts/test-cross.sh $(ROWS)

test-names: ## lists the titles of tests that BASE, a commit, has and the sources have not
	@scripts/test.sh names $(BASE)

test-trackings: ## tries how trackings are found, on arm64 too, whose emulator it installs where it may
	@scripts/test-trackings.sh

test-layout: deps ## runs the suites as if Swift's layout were another, one answer after the other, or KINDS
	$(SWIFT_BUILD) --build-tests $(SWIFTFLAGS) $(IN_BUILD)
	@BUILT='$(SWIFTFLAGS) --scratch-path $(BUILD)' scripts/test-layout.sh $(KINDS)

test-facts: deps ## tries facts beside other threads, and that each mutant of their protocol is found
	@scripts/test-facts.sh

# Tests ask for memory that nobody has.
test-asan test-tsan test-shared: export ASAN_OPTIONS := allocator_may_return_null=1
test-asan test-tsan test-shared: export TSAN_OPTIONS := allocator_may_return_null=1
# Leaks that are Foundation's and Observation's.
test-asan: export LSAN_OPTIONS := suppressions="$(CURDIR)/Tests/leaks.txt"

test-asan: deps ## runs the tests under the address sanitizer
	$(call TEST_BOTH,--sanitize=address --scratch-path .build-asan)

IN_TSAN := --sanitize=thread --scratch-path .build-tsan
test-tsan: deps ## runs the tests under the thread sanitizer
	$(call TEST_BOTH,$(IN_TSAN))

test-shared: deps ## runs of them what threads share on Swift classes, and what lacks memory there
	$(SWIFT_BUILD) --build-tests $(IN_TSAN)
	@for suite in Thread ShortMemory; do \
	  said=$$($(SWIFT_TEST) --skip-build $(IN_TSAN) --filter "IsaKVOTests\.$${suite}Tests/" 2>&1) && \
	    grep -q 'Test run with [1-9]' <<<"$$said" || { printf '%s\n' "$$said"; exit 1; }; \
	  tail -n 1 <<<"$$said"; done

test-ubsan: deps ## runs the tests, the C core trapping on undefined behaviour
	$(call TEST_BOTH,--scratch-path .build-ubsan $(addprefix -Xcc ,$(UBSAN)))

# Thirteen observations of EndingTests come to a million.
test-release: export ISA_ROUNDS ?= 80000
test-release: deps ## runs every test in release, the random programs at full length
	$(call TEST_BOTH,-c release -Xswiftc -enable-testing --scratch-path .build-release)

test-gnustep: deps ## compares with GNUstep's Foundation, which it installs where it may
	@driver=$$(scripts/gnustep.sh) && { [ -z "$$driver" ] || \
	  ISA_GNUSTEP="$$driver" $(SWIFT_TEST) $(IN_BUILD) --filter GNUstepTests; }

bench: deps ## measures this library and its peers: results, a table, charts
bench-page: deps ## measures everything and puts it into docs/performance.md and what quotes it
bench-quick: deps ## measures this library's own table, a line of JSON a row
bench-compare: ## compares the results BASE with NEW: regression, improvement or noise
bench-trends: deps ## measures with ordo-one/benchmark, for trends over time
test-bench: deps ## tests the benchmark runner
demo: deps ## shows isa-swizzling in lessons, in the terminal and as pages
transcripts: build ## renews the recorded output that isalab's tests compare with

# The Makefile of a folder has the rules of what belongs to that folder alone. It gets the variables
# of the command line and the environment; the lab's gets how the lab is built, too.
bench bench-page bench-quick bench-compare bench-trends test-bench:
	@$(MAKE) --no-print-directory -C Benchmarks $@

port test-port:
	@$(MAKE) --no-print-directory -C Porting $@

demo transcripts test-pages:
	@BUILD=$(call quoted,$(BUILD)) SWIFTFLAGS=$(call quoted,$(SWIFTFLAGS)) \
	  IN_BUILD=$(call quoted,$(IN_BUILD)) $(MAKE) --no-print-directory -C Lab $@

layers: ## holds the include order of the core and the imports of the Swift layers
	@scripts/layers.sh

house: deps ## measures the table of docs/house.md: lines, files that acts enter, size, start
	@scripts/deps.sh valgrind 'files that acts enter are not counted'
	@scripts/house.sh

house-check: deps ## fails where a figure of docs/house.md is above what the page allows
	@scripts/deps.sh valgrind 'files that acts enter are not counted'
	@scripts/house.sh --check

format: ## formats the Swift sources in place
	swift format --in-place --parallel $$(git ls-files -co --exclude-standard -- '*.swift' ':!*/Resources/*')

lint: deps ## holds the shape of the sources, C without warnings under clang and gcc
	@scripts/lint.sh

api: build ## lists what the Swift modules declare publicly, in docs/api
	@scripts/api.sh $(GRAPHS)

docs: test-docs ## checks links and examples of the documents, builds the reference: .build-docs
	@scripts/lint.sh docs

check: lint layers abi test-unit test-api ## what a change must pass before it is shown to others
check-all: check test-pages test-apart ## what it must pass to land

# All that docs/reliability.md has, but for the soak's hour; of some trials a shorter form.
check-deep: deps ## what a change of the core must pass besides
	@scripts/check-deep.sh

# These need nothing of the build. In rows they go on beside build and suites, to which they give way:
# those that build in the folder of the library's users, those that build in the house's, and what
# compiles swift-syntax, most of which is one module. All of a row are run, whichever fails.
test-apart: row-users row-house row-port
row-users: ROW := test-consumer test-docs test-gtk test-store
row-house: ROW := test-trackings test-core test-evolution house-check test-inlining
row-port:  ROW := test-port
row-users row-house row-port:
	@status=0; for target in $(ROW); do \
	  nice $(MAKE) --no-print-directory $$target || status=$$?; done; exit $$status

# After an edit: what is red first. The filter leaves out the model's programs and GNUstep's.
quick: deps ## builds, and runs the library's suites that answer at once
	@mkdir -p $(GRAPHS)
	$(SWIFT_BUILD) --build-tests $(SWIFTFLAGS) $(IN_BUILD)
	@$(SWIFT_TEST) --skip-build $(IN_BUILD) \
	  --filter 'CIsaTests|ConformanceTests|Isa(KVO|Runtime)[A-Za-z]*Tests' >$(BUILD)/quick.log 2>&1 || status=$$?; \
	  grep -E '✘ Test .* recorded|$(ERRORS)|^Fatal|Test run with' $(BUILD)/quick.log; \
	  [ $${status:-0} = 0 ] || echo 'the whole log: $(BUILD)/quick.log'; exit $${status:-0}

clean: ## removes what was built
	rm -rf .build .build-* Tests/Consumer/.build Tests/Consumer/*/.build
	rm -rf Lab/.build Benchmarks/.build Benchmarks/Trends/.build Porting/.build

# ---- C: the installed library --------------------------------------------------------------------

OBJECTS := .build-c
SOURCES := $(sort $(wildcard Sources/CIsa/*.c Sources/CIsa/*/*.c))
OBJECT_FILES := $(SOURCES:Sources/CIsa/%.c=$(OBJECTS)/%.o)
HEADERS := Sources/CIsaHeader/include/isa_header.h \
           $(filter-out %/isa_testing.h,$(sort $(wildcard Sources/CIsa/include/*.h)))
# A trace finds the places of calls by frame pointers.
CORE_CFLAGS := -std=c17 -DNDEBUG -fPIC -fvisibility=hidden -fno-omit-frame-pointer -Wall -Wextra -Wshadow \
               -ISources/CIsa -ISources/CIsa/include -ISources/CIsaHeader/include
FFI_CFLAGS = $(shell pkg-config --cflags libffi)
FFI_LIBS   = $(shell pkg-config --libs libffi)
# Before 1.0 each minor version has an ABI of its own.
NUMBER     := $(firstword $(subst -, ,$(VERSION)))
ABI        := $(basename $(NUMBER))

ifeq ($(shell uname -s),Darwin)
# Homebrew does not link libffi into its prefix.
export PKG_CONFIG_PATH := $(shell brew --prefix 2>/dev/null)/opt/libffi/lib/pkgconfig:$(PKG_CONFIG_PATH)
SHARED      := libisakvo.$(VERSION).dylib
SHARED_ABI  := libisakvo.$(ABI).dylib
SHARED_LINK := libisakvo.dylib
LINK_SHARED  = -dynamiclib -install_name $(call quoted,$(LIBDIR)/$(SHARED_ABI)) \
               -current_version $(NUMBER)
# The library has its place in it, and is linked anew for another.
SHARED_PLACE := $(OBJECTS)/libdir
# The linker does it by itself there.
LOCALIZE    :=
else
SHARED      := libisakvo.so.$(VERSION)
SHARED_ABI  := libisakvo.so.$(ABI)
SHARED_LINK := libisakvo.so
LINK_SHARED  = -shared -Wl,-soname,$(SHARED_ABI) -Wl,-z,defs,-z,relro,-z,now -pthread
# Those that an observed set does not notice: SECURITY.md. The last ones ask for optimisation.
HARDENING    = -fstack-protector-strong -fstack-clash-protection \
               $(if $(filter -O1 -O2 -O3 -Os,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
LOCALIZE     = objcopy --localize-hidden $@
endif

$(OBJECTS)/%.o: Sources/CIsa/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CORE_CFLAGS) $(HARDENING) $(FFI_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
-include $(OBJECT_FILES:.o=.d)

# One object, so that the linker cannot leave out the one that starts the runtime, which nobody calls;
# what is hidden in the shared library becomes local to it.
$(OBJECTS)/isakvo.o: $(OBJECT_FILES)
	$(CC) -r -nostdlib -o $@ $^
	$(LOCALIZE)

$(OBJECTS)/libisakvo.a: $(OBJECTS)/isakvo.o
	@rm -f $@
	$(AR) rcs $@ $<

# A symbol exported beyond the public names would become somebody's interface.
$(OBJECTS)/$(SHARED): $(OBJECT_FILES) $(SHARED_PLACE)
	$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_SHARED) -o $@ $(OBJECT_FILES) $(FFI_LIBS)
	@scripts/abi.sh exports $@

$(OBJECTS)/libdir: always
	@mkdir -p $(@D)
	@echo $(call quoted,$(LIBDIR)) | cmp -s - $@ || echo $(call quoted,$(LIBDIR)) >$@

LIB     := $(call quoted,$(DESTDIR)$(LIBDIR))
INCLUDE := $(call quoted,$(DESTDIR)$(PREFIX)/include/isakvo)

CONFIGS := $(addprefix $(OBJECTS)/isakvo,.pc -config.cmake -config-version.cmake)
$(CONFIGS): $(OBJECTS)/%: scripts/%.in Makefile always
	@mkdir -p $(@D)
	@PREFIX=$(call quoted,$(PREFIX)) LIBDIR=$(call quoted,$(LIBDIR)) \
	  INCLUDEDIR=$(call quoted,$(PREFIX)/include/isakvo) SHARED=$(SHARED) SONAME=$(SHARED_ABI) \
	  VERSION=$(VERSION) NUMBER=$(NUMBER) MINOR=$(ABI) scripts/installed.sh fill <$< >$@

# A loader finds no file staged in DESTDIR before it is where it belongs.
install: ## installs the C library: headers, static and shared library, for pkg-config and CMake
	@scripts/installed.sh check PREFIX $(call quoted,$(PREFIX))
	@scripts/installed.sh check LIBDIR $(call quoted,$(LIBDIR))
	@scripts/deps.sh c
	@$(MAKE) --no-print-directory \
	  $(OBJECTS)/libisakvo.a $(OBJECTS)/$(SHARED) $(CONFIGS)
	install -d $(LIB)/pkgconfig $(LIB)/cmake/isakvo $(INCLUDE)
	install -m 644 $(HEADERS) $(INCLUDE)
	install -m 644 $(OBJECTS)/libisakvo.a $(LIB)
	install -m 755 $(OBJECTS)/$(SHARED) $(LIB)
	ln -sf $(SHARED) $(LIB)/$(SHARED_ABI)
	ln -sf $(SHARED_ABI) $(LIB)/$(SHARED_LINK)
	install -m 644 $(OBJECTS)/isakvo.pc $(LIB)/pkgconfig
	install -m 644 $(filter %.cmake,$(CONFIGS)) $(LIB)/cmake/isakvo
	@[ -n $(call quoted,$(DESTDIR)) ] || scripts/installed.sh find $(call quoted,$(LIBDIR))

uninstall: ## removes what install has put under the same PREFIX and LIBDIR
	rm -f $(LIB)/libisakvo.a $(LIB)/$(SHARED) $(LIB)/$(SHARED_ABI) $(LIB)/$(SHARED_LINK)
	rm -f $(LIB)/pkgconfig/isakvo.pc
	rm -rf $(LIB)/cmake/isakvo
	rm -rf $(INCLUDE)

.PHONY: help deps build test test-unit test-consumer test-docs test-inlining test-asan test-tsan test-shared \
        test-pages test-gtk test-apart row-users row-house row-port test-protocol test-names test-facts test-layout test-trackings test-ubsan test-release test-gnustep test-bench bench \
        bench-quick bench-page bench-compare bench-trends demo transcripts layers house house-check help-all format lint docs check \
        test-dashboard test-store test-api test-evolution test-port port quick api check-all check-deep test-core abi recording model fuzz stress soak coverage cross clean install uninstall always
