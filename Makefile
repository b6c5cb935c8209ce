# What there is to do with Granary; `make` alone lists it.

SWIFT ?= swift
JOBS ?=
PREFIX ?= /usr/local
DESTDIR ?=
FOLDERS ?=
SECONDS ?= 600
TARGET ?=

# Homebrew keeps these libraries out of the compiler's way, so it has to be told where they lie.
ifeq ($(shell uname -s),Darwin)
BREW := $(shell brew --prefix 2>/dev/null || echo /opt/homebrew)
export PKG_CONFIG_PATH := $(BREW)/opt/sqlite/lib/pkgconfig:$(BREW)/opt/zlib/lib/pkgconfig:$(PKG_CONFIG_PATH)
LIBRARIES := -Xcc -I$(BREW)/opt/libcsv/include -Xlinker -L$(BREW)/opt/libcsv/lib
endif

# One list of flags for every build: other flags would be another build.
SWIFT_FLAGS ?= $(LIBRARIES) $(if $(JOBS),--jobs $(JOBS))
export SWIFT SWIFT_FLAGS

RELEASE = $(SWIFT) build -c release $(SWIFT_FLAGS) --product granary
DOCS = .build-docs

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-crash test-long lint format bench survey fuzz attack docs install clean

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## installs what is missing (apt-get or brew); does nothing when all is there
	@Scripts/setup

build: setup ## builds the command line `granary`, optimised
	$(RELEASE)

demo: build ## seeds a store from samples/ and takes it out again, into demo-output/
	@Scripts/demo "$$($(RELEASE) --show-bin-path)/granary"

test: setup ## builds everything and runs the tests, but for those of the next two
	$(SWIFT) test $(SWIFT_FLAGS) --skip 'CrashTests|LongTests'

test-crash: setup ## kills imports and saves by the hundred and checks what is left (suites named ...CrashTests)
	$(SWIFT) test $(SWIFT_FLAGS) --filter CrashTests

test-long: setup ## runs the tests with thousands of generated cases (suites named ...LongTests), and all of imports with libcsv and by SQL
	$(SWIFT) test $(SWIFT_FLAGS) --filter LongTests
	GRANARY_TOKENIZER=libcsv $(SWIFT) test $(SWIFT_FLAGS) --filter 'GranaryFormatsTests|GranarySeedingTests|EndToEndTests' \
	  --skip 'LongTests|CrashTests'
	GRANARY_LOADER=sql $(SWIFT) test $(SWIFT_FLAGS) --filter 'GranarySeedingTests|EndToEndTests|GranaryCommandsTests' \
	  --skip 'LongTests|CrashTests'

lint: ## checks format, file length, imports, commands, paths and traps, and that each check can fail
	@Scripts/lint --self-test
	@Scripts/lint

format: ## formats all Swift files in place
	@Scripts/swift-files . | xargs $(SWIFT) format --in-place --parallel

bench: build ## measures Granary against rivals and a raw C floor; BENCHMARKS=NAME for one of them
	@Scripts/bench "$$($(RELEASE) --show-bin-path)/granary"

survey: setup ## reads all stores and models below FOLDERS="A B" twice and says what came of it
	@Scripts/survey $(FOLDERS)

fuzz: setup ## feeds broken input to the readers, SECONDS=600 each; TARGET=archive, cache or xml for one of them
	@FUZZ_SECONDS="$(SECONDS)" FUZZ_TARGET="$(TARGET)" Scripts/fuzz

attack: build ## attacks the command line with full disks, kills, damaged files and small input that stands for much
	@Scripts/attack "$$($(RELEASE) --show-bin-path)/granary"

docs: setup ## builds the library's documentation into .build-docs/
	GRANARY_DOCS=1 $(SWIFT) package $(LIBRARIES) --allow-writing-to-directory $(DOCS) \
	  generate-documentation --target Granary --output-path $(DOCS)

install: build ## installs `granary` into PREFIX/bin (PREFIX=/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$($(RELEASE) --show-bin-path)/granary" "$(DESTDIR)$(PREFIX)/bin/granary"

clean: ## removes what was built and what the demo wrote
	rm -rf .build .build-fuzz $(DOCS) Benchmarks/.build demo-output
