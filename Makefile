# Polhode's front door. `make help` lists what it can do; CMake does the work (CMakePresets.json).
#
#   make build CXX=g++                                          with g++, into build-gcc/
#   make build CMAKE_FLAGS="-D POLHODE_WARNINGS_AS_ERRORS=ON"   heeded when the build folder is new

.DEFAULT_GOAL := build
SHELL := /bin/bash

JOBS ?= $(shell nproc)

# clang++ unless the command line says otherwise: it makes the kernels about a tenth faster than g++ does (docs/dependencies.md).
# The environment's CXX is not heeded, so that build/ is always the same build.
ifeq ($(origin CXX),command line)
  compiler := $(CXX)
  BUILD := build-$(subst ++,cc,$(subst clang++,clang,$(notdir $(CXX))))
else
  compiler = $$(command -v clang++ || command -v g++)
  BUILD := build
endif

formatted := find src apps bench examples experiments tests -name '*.h' -print0 -o -name '*.cpp' -print0

.PHONY: help setup setup-test setup-bench build build-all demo docs test bench bench-viewer experiments format check-format lint clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install what building needs (apt; does nothing when all is there)
	@tools/install_packages.sh build

setup-test: setup
	@tools/install_packages.sh test

setup-bench: setup
	@tools/install_packages.sh bench

$(BUILD)/build.ninja: CMakePresets.json | setup
	cmake --fresh --preset release -B $(BUILD) -D CMAKE_CXX_COMPILER=$(compiler) $(CMAKE_FLAGS)

build: setup $(BUILD)/build.ninja  ## build a release: the library, build/bin/polhode and the examples
	@cmake --build $(BUILD) --parallel $(JOBS) --target polhode_cli examples

demo: setup $(BUILD)/build.ninja  ## simulate a chaotic mechanism, one with closed chains and a bicycle, draw them, and compare all methods
	@cmake --build $(BUILD) --parallel $(JOBS) --target polhode_cli
	@tools/demo.sh $(BUILD)/bin/polhode $(BUILD)/demo

build-all: setup-test $(BUILD)/build.ninja  ## build everything that `make test` runs
	@cmake --build $(BUILD) --parallel $(JOBS)

test: build-all  ## build everything and run all tests
	@cd $(BUILD) && ctest --output-on-failure --parallel $(JOBS)

bench: setup-bench build  ## measure Polhode beside its peers; installs the peers first
	@cmake -B $(BUILD) -D POLHODE_BUILD_BENCH=ON
	@cmake --build $(BUILD) --parallel $(JOBS) --target polhode_bench_chain polhode_bench_batch polhode_bench_step polhode_bench_projected polhode_bench_maximal
	$(BUILD)/bin/polhode_bench_chain --out=$(BUILD)/bench_chain.json
	$(BUILD)/bin/polhode_bench_batch
	$(BUILD)/bin/polhode_bench_step --out=$(BUILD)/bench_step.json
	$(BUILD)/bin/polhode_bench_projected --out=$(BUILD)/bench_projected.json
	$(BUILD)/bin/polhode_bench_maximal --out=$(BUILD)/bench_maximal.json

bench-viewer: setup-test build  ## measure frame times of the viewer's page with 10, 100 and 1000 bodies
	@cd viewer && POLHODE_PROGRAM=$(abspath $(BUILD))/bin/polhode POLHODE_RESULTS=$(abspath $(BUILD)) npm run --silent bench

experiments: setup-bench $(BUILD)/build.ninja  ## make the papers' figures and tables again, beside the peers; QUICK=1 for less of everything
	@cmake -B $(BUILD) -D POLHODE_BUILD_EXPERIMENTS=ON
	@cmake --build $(BUILD) --parallel $(JOBS) --target polhode_experiments polhode_cli
	@tools/experiments.sh $(BUILD) $(if $(QUICK),--quick)

format:  ## format all C++ sources
	@$(formatted) | xargs -0 clang-format -i

check-format: setup  ## fail if a C++ source is not formatted
	@$(formatted) | xargs -0 clang-format --dry-run --Werror && echo "every source is formatted"

docs: setup-test  ## build the reference of the C++ interface, build/docs/html/index.html
	@tools/reference.sh $(BUILD)/docs && echo "$(BUILD)/docs/html/index.html"

lint: check-format  ## check-format, and which room includes which
	@python3 tools/check_rooms.py

clean:  ## remove everything that was built
	rm -rf build build-*
