# `make demo` shows what repfuzz does; `make test` is everything that a change must pass.

# A rustup that was just installed is in no PATH yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

# Of the demo: fast, all, or names with commas.
CLIENTS ?= fast

.PHONY: build clients demo test slow-test fmt lint doc setup

build: setup
	cargo build --release --locked

setup:
	@scripts/setup.sh

# Some clients may not be for this distribution; the demo takes those that work.
clients: build
	@target/release/repfuzz clients --no-probe --install $(CLIENTS) >/dev/null || true

demo: setup clients
	@scripts/demo.sh $(CLIENTS)

test: setup fmt lint doc
	cargo test --workspace --locked

# What takes too long for every change.
slow-test: setup
	cargo test --release --workspace --locked -- --ignored

fmt:
	cargo fmt --all --check

lint: setup
	cargo clippy --workspace --all-targets --locked -- --deny warnings

doc: setup
	RUSTDOCFLAGS='--deny warnings' cargo doc --workspace --no-deps --document-private-items --locked

# What it takes, side by side with what it is compared with: Fandango and ISLa are got from PyPI, into
# target. Nothing else should run meanwhile.
.PHONY: bench
bench: setup
	@scripts/bench-generators.sh
	cargo build --release --locked -p repfuzz
	cargo run --release --locked -p benches -- -o docs/performance.md

# Random specs, random text and random files, each for FUZZ_SECONDS. It needs a nightly compiler.
.PHONY: fuzz
fuzz: setup
	@inverter/fuzz/run.sh
	@tiff-harness/fuzz/run.sh
