# The targets of Granary; `make` alone lists them.

SWIFT ?= swift
JOBS ?=
PREFIX ?= /usr/local
DESTDIR ?=
FOLDERS ?=
SECONDS ?= 600
TARGET ?=
BENCHMARKS ?= ImportBenchmarks ExportBenchmarks GenerationBenchmarks PersistenceBenchmarks FetchBenchmarks FixtureBenchmarks

# The compiler does not search the folders of these Homebrew libraries by itself.
ifeq ($(shell uname -s),Darwin)
BREW := $(shell brew --prefix 2>/dev/null || echo /opt/homebrew)
export PKG_CONFIG_PATH := $(BREW)/opt/sqlite/lib/pkgconfig:$(BREW)/opt/zlib/lib/pkgconfig:$(BREW)/opt/libpq/lib/pkgconfig:$(PKG_CONFIG_PATH)
LIBRARIES := -Xcc -I$(BREW)/opt/libcsv/include -Xlinker -L$(BREW)/opt/libcsv/lib
endif

# All builds use the same flags; other flags would cause a second build.
SWIFT_FLAGS ?= $(LIBRARIES) $(if $(JOBS),--jobs $(JOBS))
export SWIFT SWIFT_FLAGS
# SwiftPM would compile five modules again for the tool of the plugin. Scripts/test-plugin builds the plugin.
export GRANARY_WITHOUT_PLUGIN = 1

# The PostgreSQL store is a trait of the package. The value is computed when it is used, because `make setup` can install
# libpq before. The static binary does not have the store (docs/decisions/0051-postgresql.md).
TRAITS = $(if $(shell pkg-config --exists libpq 2>/dev/null && echo yes),--traits PostgreSQL)

# `make test` has its temporary files in memory where there is room, because most of its time is waiting for `fsync`
# otherwise. The crash and long tests have theirs on the disk.
IN_MEMORY = $(if $(TMPDIR),,$(shell test -w /dev/shm && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts \
  && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 1000000 { print "TMPDIR=/dev/shm" }'))

DEBUG = $(SWIFT) build $(SWIFT_FLAGS) $(TRAITS)
RELEASE = $(SWIFT) build -c release $(SWIFT_FLAGS) $(TRAITS) --product granary

# The binary that is packed, installed and measured. On Linux it contains Swift's runtime and the part of ICU's data that
# it reads (docs/decisions/0037-static-binary.md); macOS has the runtime in the system.
ifeq ($(shell uname -s),Linux)
STATIC_PARTS = $(CURDIR)/.build/static
# The assertions of libyaml would name the folder of the build.
export STATIC_FLAGS = --static-swift-stdlib --disable-local-rpath -Xcc -fmacro-prefix-map=$(CURDIR)/=
STATIC_ENVIRONMENT = GRANARY_STATIC_PARTS="$(STATIC_PARTS)"
endif
STATIC = $(STATIC_ENVIRONMENT) $(SWIFT) build -c release $(SWIFT_FLAGS) $(STATIC_FLAGS) --product granary
STATIC_BINARY = "$$($(STATIC) --show-bin-path)/granary"
DOCS = .build-docs

# `granary-swiftdata`, which parses Swift, and `granary-browse`, the server of `granary browse`, are packages of their own
# (docs/decisions/0049-swift-sources.md, 0053-browse.md). `granary` finds them beside itself, so
# $(call link-tool,NAME,TOOL,GRANARY) links one there. TOOL and GRANARY are the commands that build them.
link-tool = @folder=$$($(3) --show-bin-path) && mkdir -p "$$folder" \
  && ln -sf "$$($(2) --show-bin-path)/$(1)" "$$folder"
SWIFTDATA_FLAGS = --package-path Tools/granary-swiftdata --scratch-path .build-swiftdata $(SWIFT_FLAGS)
SWIFTDATA = $(SWIFT) build $(SWIFTDATA_FLAGS) --product granary-swiftdata
SWIFTDATA_STATIC = $(STATIC_ENVIRONMENT) $(SWIFT) build -c release $(SWIFTDATA_FLAGS) $(STATIC_FLAGS) --product granary-swiftdata
BROWSE_FLAGS = --package-path Tools/granary-browse --scratch-path .build-browse $(SWIFT_FLAGS)
BROWSE = $(SWIFT) build $(BROWSE_FLAGS) --product granary-browse
BROWSE_STATIC = $(STATIC_ENVIRONMENT) $(SWIFT) build -c release $(BROWSE_FLAGS) $(STATIC_FLAGS) --product granary-browse

define build-swiftdata
@echo "building granary-swiftdata, which reads Swift sources; the first build takes some minutes"
$(SWIFTDATA)
$(call link-tool,granary-swiftdata,$(SWIFTDATA),$(DEBUG))
endef

.DEFAULT_GOAL := help
.PHONY: help setup build swiftdata browse static static-swiftdata static-browse dist test-dist test-debug-dist demo test test-crash test-core-data test-long lint format bench survey fuzz attack docs pictures install clean

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## installs missing packages with apt-get or brew
	@Scripts/setup

build: setup ## builds the command line `granary`, optimised
	@echo "building granary; the first build takes a few minutes"
	$(RELEASE)

swiftdata: setup ## builds `granary-swiftdata`, which reads Swift sources, beside the `granary` of the tests
	$(build-swiftdata)

browse: setup ## builds `granary-browse`, the server of `granary browse`, beside the `granary` of the tests
	$(BROWSE)
	$(call link-tool,granary-browse,$(BROWSE),$(DEBUG))

# The tool is built at the end, because compiling swift-syntax would delay the first result.
demo: setup ## seeds a store from samples/, exports it and runs a program of samples/Programs, into demo-output/
	@echo "building granary without optimisation, as for the tests; the first build takes some minutes"
	$(DEBUG) --product granary
	$(DEBUG) --product sample-program
	@Scripts/demo "$$($(DEBUG) --show-bin-path)"
	$(build-swiftdata)
	@if [ -x Scripts/demo-swiftdata ]; then Scripts/demo-swiftdata "$$($(DEBUG) --show-bin-path)"; fi

test: setup swiftdata browse ## builds everything and runs all tests except the crash and long tests
	$(IN_MEMORY) $(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --skip 'CrashTests|LongTests'
	$(IN_MEMORY) $(SWIFT) test $(SWIFTDATA_FLAGS) --skip LongTests
	$(IN_MEMORY) $(SWIFT) test $(BROWSE_FLAGS)

test-crash: ## kills imports and saves and checks the stores (suites named ...CrashTests)
	@Scripts/setup crash
	$(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter CrashTests

test-core-data: setup ## compares Granary with Apple's Core Data (macOS only; elsewhere there are no such tests)
	$(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter CoreDataTests

# Suites whose results depend on which stores are tested, which tokenizer reads CSV and which loader writes rows.
STORE_TESTS = GranaryContextsTests|GranaryCoordinationTests|GranaryInspectionTests|GranaryPostgreSQLTests|\.(CreatedStore|StoreModel|RealStoreWriting)Tests
TOKENIZER_TESTS = GranaryFormatsTests\.(CSV|EncodedInput)|\.(CSVRejects|RejectsFile|RejectedRecords|RoundTrip|Corpora|KeepGood)Tests|EndToEndTests\.(MainJob|Rejects)Tests
LOADER_TESTS = \.(Loader|ConflictPolicy|KeepGood|KeepGoodStore|LinkFile|NestedImport|RelationshipUpdate|OtherEnd|ImportResolution|Prune|Distinct|SharedObject|RoundTrip|Restore|ImportTwin|Ledger|Order|SubsetFiles|ValueFiles)Tests|EndToEndTests\.(MainJob|Seed)Tests|\.(ImportRun|ImportRestore|ImportUpsert)Tests

test-long: setup swiftdata browse ## runs long tests (suites named ...LongTests), tests with all kinds of stores, with libcsv and with SQL, of generated code, of sample packages and of the packages of make dist
	@Scripts/setup browse
	$(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter LongTests
	$(SWIFT) test $(SWIFTDATA_FLAGS) --filter LongTests
	GRANARY_STORES=all $(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter '$(STORE_TESTS)' --skip 'LongTests|CrashTests'
	GRANARY_TOKENIZER=libcsv $(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter '$(TOKENIZER_TESTS)' --skip 'LongTests|CrashTests'
	GRANARY_LOADER=sql $(SWIFT) test $(SWIFT_FLAGS) $(TRAITS) --filter '$(LOADER_TESTS)' --skip 'LongTests|CrashTests'
	@Scripts/test-generated-code
	@Scripts/test-plugin
	@Scripts/test-sample-package
	@$(if $(STATIC_PARTS),$(MAKE) --no-print-directory test-debug-dist,echo "skipped: the packages are for Linux")

lint: ## checks format, file length, imports, dependencies, architecture, commands, paths and traps, and that each check can fail
	@Scripts/lint --self-test
	@Scripts/lint

format: ## formats all Swift files in place
	@Scripts/swift-files . | xargs $(SWIFT) format --in-place --parallel

bench: static ## measures Granary against rivals and a raw C floor; BENCHMARKS=NAME for one of them
	@BENCHMARKS="$(BENCHMARKS)" $(STATIC_ENVIRONMENT) Scripts/bench $(STATIC_BINARY)

survey: setup ## reads all stores and models below FOLDERS="A B" twice and compares the results
	@Scripts/survey $(FOLDERS)

fuzz: setup ## fuzzes the readers, SECONDS=600 each; TARGET=archive, cache, predicate or xml for one of them
	@FUZZ_SECONDS="$(SECONDS)" FUZZ_TARGET="$(TARGET)" Scripts/fuzz

attack: static ## tests the command line with full disks, kills, damaged files and inputs that expand
	@Scripts/attack $(STATIC_BINARY)

# The umbrella module re-exports these; DocC needs each by name.
DOCUMENTED = Granary GranaryBase GranaryComparison GranaryContexts GranaryCoordination GranaryCoreDataStore \
  GranaryExport GranaryFormats GranaryFixtures GranaryGeneration GranaryImport GranaryInspection GranaryModel \
  GranaryMigration GranaryModelFiles GranaryPostgreSQL GranaryPredicates GranaryRecords GranarySeedPlans GranarySubset GranaryTesting GranaryXCTest

docs: setup ## builds the documentation of the libraries into .build-docs/
	GRANARY_DOCS=1 $(SWIFT) package $(LIBRARIES) --allow-writing-to-directory $(DOCS) generate-documentation \
	  --enable-experimental-combined-documentation $(addprefix --target ,$(DOCUMENTED)) --output-path $(DOCS)

pictures: setup browse ## makes the pictures of the documents with Chromium, in docs/pictures/
	@Scripts/setup browse
	$(DEBUG) --product granary
	@Scripts/pictures "$$($(DEBUG) --show-bin-path)"

static: setup
	@echo "building granary for installation; the first build takes a few minutes"
	@$(if $(STATIC_PARTS),Scripts/static-parts "$(STATIC_PARTS)")
	$(STATIC)

static-swiftdata: setup
	@echo "building granary-swiftdata for installation; compiling swift-syntax takes five to ten minutes"
	@$(if $(STATIC_PARTS),Scripts/static-parts "$(STATIC_PARTS)")
	$(SWIFTDATA_STATIC)
	$(call link-tool,granary-swiftdata,$(SWIFTDATA_STATIC),$(STATIC))

static-browse: setup
	@$(if $(STATIC_PARTS),Scripts/static-parts "$(STATIC_PARTS)")
	$(BROWSE_STATIC)
	$(call link-tool,granary-browse,$(BROWSE_STATIC),$(STATIC))

dist: static static-swiftdata static-browse ## packs `granary` into dist/ as a tar archive and a Debian package (Linux only)
	@Scripts/dist $(STATIC_BINARY) dist

test-dist: static static-swiftdata static-browse ## tests the packages in a root without Swift, and action.yml (Linux only)
	@Scripts/test-dist $(STATIC_BINARY)

# The same with a binary for debugging, linked as that of `make dist`. As that one it is built without the trait
# PostgreSQL, so that it has objects of its own, which also checks that the package compiles without libpq. They are
# compiled for the shared Foundation and do not name the libraries beneath the static one.
PLAIN = $(SWIFT) build $(SWIFT_FLAGS) --scratch-path .build-plain
DEBUG_PARTS = $(addprefix -Xlinker -l,CoreFoundation _FoundationICU _FoundationCShims _FoundationCollections stdc++)
test-debug-dist: setup swiftdata browse
	@Scripts/static-parts "$(STATIC_PARTS)"
	$(STATIC_ENVIRONMENT) $(PLAIN) --static-swift-stdlib --disable-local-rpath $(DEBUG_PARTS) --product granary
	$(STATIC_ENVIRONMENT) $(SWIFTDATA) --static-swift-stdlib --disable-local-rpath $(DEBUG_PARTS)
	$(call link-tool,granary-swiftdata,$(SWIFTDATA),$(PLAIN))
	$(STATIC_ENVIRONMENT) $(BROWSE) --static-swift-stdlib --disable-local-rpath $(DEBUG_PARTS)
	$(call link-tool,granary-browse,$(BROWSE),$(PLAIN))
	@DIST_IS_DEBUG=1 Scripts/test-dist "$$($(PLAIN) --show-bin-path)/granary"

install: static static-swiftdata static-browse ## installs `granary` with `granary-swiftdata` and `granary-browse`, its manual page and shell completions below PREFIX (PREFIX=/usr/local)
	@Scripts/install-files $(STATIC_BINARY) "$(DESTDIR)$(PREFIX)"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/granary, its manual page and completions"

clean: ## removes build products and the output of the demo
	rm -rf .build dist .build-fuzz .build-packages .build-plain .build-swiftdata .build-browse $(DOCS) Benchmarks/.build demo-output
