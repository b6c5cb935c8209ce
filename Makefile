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
export PKG_CONFIG_PATH := $(BREW)/opt/sqlite/lib/pkgconfig:$(BREW)/opt/zlib/lib/pkgconfig:$(PKG_CONFIG_PATH)
LIBRARIES := -Xcc -I$(BREW)/opt/libcsv/include -Xlinker -L$(BREW)/opt/libcsv/lib
endif

# All builds use the same flags; other flags would cause a second build.
SWIFT_FLAGS ?= $(LIBRARIES) $(if $(JOBS),--jobs $(JOBS))
export SWIFT SWIFT_FLAGS

# `make test` has its temporary files in memory where there is room, because most of its time is waiting for `fsync`
# otherwise. The crash and long tests have theirs on the disk.
IN_MEMORY = $(if $(TMPDIR),,$(shell test -w /dev/shm && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts \
  && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 1000000 { print "TMPDIR=/dev/shm" }'))

RELEASE = $(SWIFT) build -c release $(SWIFT_FLAGS) --product granary
DOCS = .build-docs

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-crash test-core-data test-long lint format bench survey fuzz attack docs install clean

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## installs missing packages with apt-get or brew
	@Scripts/setup

build: setup ## builds the command line `granary`, optimised
	@echo "building granary; the first build takes a few minutes"
	$(RELEASE)

demo: build ## seeds a store from samples/, exports it and runs a program of samples/Programs, into demo-output/
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product sample-program
	@Scripts/demo "$$($(RELEASE) --show-bin-path)"

test: setup ## builds everything and runs all tests except the crash and long tests
	$(IN_MEMORY) $(SWIFT) test $(SWIFT_FLAGS) --skip 'CrashTests|LongTests'

test-crash: ## kills imports and saves and checks the stores (suites named ...CrashTests)
	@Scripts/setup crash
	$(SWIFT) test $(SWIFT_FLAGS) --filter CrashTests

test-core-data: setup ## compares Granary with Apple's Core Data (macOS only; elsewhere there are no such tests)
	$(SWIFT) test $(SWIFT_FLAGS) --filter CoreDataTests

test-long: setup ## runs long tests (suites named ...LongTests), the import tests with libcsv and with SQL, and the tests of generated code and sample packages
	$(SWIFT) test $(SWIFT_FLAGS) --filter LongTests
	GRANARY_TOKENIZER=libcsv $(SWIFT) test $(SWIFT_FLAGS) --filter 'GranaryFormatsTests|GranarySeedingTests|EndToEndTests' \
	  --skip 'LongTests|CrashTests'
	GRANARY_LOADER=sql $(SWIFT) test $(SWIFT_FLAGS) --filter 'GranarySeedingTests|EndToEndTests|GranaryCommandsTests' \
	  --skip 'LongTests|CrashTests'
	@Scripts/test-generated-code
	@Scripts/test-plugin
	@Scripts/test-sample-package

lint: ## checks format, file length, imports, commands, paths and traps, and that each check can fail
	@Scripts/lint --self-test
	@Scripts/lint

format: ## formats all Swift files in place
	@Scripts/swift-files . | xargs $(SWIFT) format --in-place --parallel

bench: build ## measures Granary against rivals and a raw C floor; BENCHMARKS=NAME for one of them
	@BENCHMARKS="$(BENCHMARKS)" Scripts/bench "$$($(RELEASE) --show-bin-path)/granary"

survey: setup ## reads all stores and models below FOLDERS="A B" twice and compares the results
	@Scripts/survey $(FOLDERS)

fuzz: setup ## fuzzes the readers, SECONDS=600 each; TARGET=archive, cache, predicate or xml for one of them
	@FUZZ_SECONDS="$(SECONDS)" FUZZ_TARGET="$(TARGET)" Scripts/fuzz

attack: build ## tests the command line with full disks, kills, damaged files and inputs that expand
	@Scripts/attack "$$($(RELEASE) --show-bin-path)/granary"

# The umbrella module re-exports these; DocC needs each by name.
DOCUMENTED = Granary GranaryBase GranaryContexts GranaryCoordination GranaryCoreDataStore GranaryFormats \
  GranaryFixtures GranaryInspection GranaryModel GranaryModelFiles GranarySeeding GranaryTesting GranaryXCTest

docs: setup ## builds the documentation of the libraries into .build-docs/
	GRANARY_DOCS=1 $(SWIFT) package $(LIBRARIES) --allow-writing-to-directory $(DOCS) generate-documentation \
	  --enable-experimental-combined-documentation $(addprefix --target ,$(DOCUMENTED)) --output-path $(DOCS)

SHARE = $(DESTDIR)$(PREFIX)/share

install: build ## installs `granary`, its manual page and shell completions below PREFIX (PREFIX=/usr/local)
	@set -e; granary="$$($(RELEASE) --show-bin-path)/granary"; \
	page="$(SHARE)/man/man1/granary.1"; bash="$(SHARE)/bash-completion/completions/granary"; \
	zsh="$(SHARE)/zsh/site-functions/_granary"; fish="$(SHARE)/fish/vendor_completions.d/granary.fish"; \
	for file in "$$page" "$$bash" "$$zsh" "$$fish" "$(DESTDIR)$(PREFIX)/bin/granary"; do \
	  install -d "$$(dirname "$$file")"; \
	done; \
	install -m 755 "$$granary" "$(DESTDIR)$(PREFIX)/bin/granary"; \
	Scripts/manual "$$granary" >"$$page"; \
	"$$granary" --generate-completion-script bash >"$$bash"; \
	"$$granary" --generate-completion-script zsh >"$$zsh"; \
	"$$granary" --generate-completion-script fish >"$$fish"; \
	chmod 644 "$$page" "$$bash" "$$zsh" "$$fish"; \
	echo "installed $(DESTDIR)$(PREFIX)/bin/granary, its manual page and completions"

clean: ## removes build products and the output of the demo
	rm -rf .build .build-fuzz .build-plugin .build-samples $(DOCS) Benchmarks/.build demo-output
