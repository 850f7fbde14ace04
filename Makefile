# `make demo` shows what repfuzz does; `make test` is everything that a change must pass.

# A rustup that was just installed is in no PATH yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

# No target uses or fills the cache of whoever runs it.
export REPFUZZ_CACHE :=

# Of the demo: fast, all, or names with commas.
CLIENTS ?= fast

# Tests and checks are of the whole program. All have the same features, so that nothing is built twice.
FEATURES := --features repfuzz/fleet

.PHONY: build demo test slow-test fmt lint style doc setup

build: setup
	cargo build --release --locked --package repfuzz

setup:
	@scripts/setup.sh

demo:
	@scripts/demo.sh $(CLIENTS)

test: setup fmt lint style doc
	cargo test --workspace $(FEATURES) --locked

# The package for Python, in an environment of its own in target.
.PHONY: test-python
test-python: setup
	@scripts/test-python.sh

# The wheel for other machines, with the program, in a new environment. The program and the module are release builds.
.PHONY: test-wheel
test-wheel: setup
	@scripts/test-wheel.sh

# The library for C and C++: headers, shared and static, files for pkg-config and CMake.
PREFIX ?= /usr/local
.PHONY: install-c
install-c:
	@scripts/install-c.sh "$(PREFIX)"

# The scripts of action.yml.
.PHONY: test-action
test-action:
	@scripts/action/test.sh

# The package for LibAFL, which needs a newer compiler than the others.
.PHONY: test-libafl
test-libafl: setup
	@scripts/test-libafl.sh

# Tests that take too long for every change.
slow-test: setup
	cargo test --release --workspace $(FEATURES) --locked -- --ignored

fmt:
	cargo fmt --all --check

lint: setup
	cargo clippy --workspace --all-targets $(FEATURES) --locked -- --deny warnings

# Rules that no other tool checks: CONTRIBUTING.md.
style: setup
	cargo xtask style
	cargo xtask links
	cargo xtask locks

doc: setup
	RUSTDOCFLAGS='--deny warnings' cargo doc --workspace $(FEATURES) --no-deps --document-private-items --locked

# The pages of docs as HTML, in target/book.
.PHONY: book
book:
	@scripts/book.sh

# Licenses, sources and duplicates of dependencies.
.PHONY: deny
deny:
	@command -v cargo-deny >/dev/null || cargo install cargo-deny --version 0.20.2 --locked
	cargo deny check licenses bans sources

# The packages as they would be published, each built from its archive.
.PHONY: package
package: setup
	cargo package --workspace --exclude xtask --exclude benches --exclude example-decoder

# Measures repfuzz next to other generators, which are installed and built in target: benches/generators. Nothing else should run
# meanwhile.
.PHONY: bench
bench: setup
	@scripts/bench-generators.sh
	cargo build --release --locked --package repfuzz
	cargo run --release --locked --package benches -- -o docs/performance.md

# Measures what analyses gain by communication, on public programs, which are fetched into target.
.PHONY: analyses
analyses: setup
	scripts/fetch_analysis_programs.sh target/analysis-programs
	cargo run --release --locked --package repfuzz-analyses --example evaluate -- target/analysis-programs 10 > target/analyses.md
	mv target/analyses.md docs/analyses.md

# Random specs, random text and random files, each for FUZZ_SECONDS. It needs a nightly compiler.
.PHONY: fuzz
fuzz: setup
	@inverter/fuzz/run.sh
	@tiff-harness/fuzz/run.sh
