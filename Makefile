# Everything that is done with Segmance: `make help` lists it.

PORT ?= 7700
SWIFT ?= swift

# Debian's packages: what building and running needs, what the tests need besides, the package, and the bench.
RUN_PACKAGES = libsqlite3-dev libmicrohttpd-dev nettle-dev zlib1g-dev libarchive-dev libflac-dev \
  libgnutls28-dev libcrypt-dev libqrencode-dev libjemalloc-dev libcurl4-openssl-dev pkg-config ffmpeg bubblewrap util-linux \
  esbuild nodejs node-react node-react-dom node-csstype node-prop-types libjs-sortable espeak-ng
TEST_PACKAGES = $(RUN_PACKAGES) node-typescript python3-venv chromium chromium-headless-shell webkit2gtk-driver xvfb xauth \
  postgresql libpq5 curl openssl libnss3-tools zbar-tools strace fiu-utils binutils systemd dbus-daemon
DEB_PACKAGES = $(RUN_PACKAGES) debhelper lintian
# What the long tests need besides: a Debian to install the package in, and to start.
LONG_PACKAGES = $(DEB_PACKAGES) mmdebstrap systemd-container
# A real server that speaks S3. This package has no service; those of its servers' own packages would start.
S3_PACKAGES = python3-swift
# What renders the music on which the beat network is trained and measured.
TRAINING_PACKAGES = python3-venv fluidsynth mma freedoom simutrans-data timgm6mb-soundfont fluid-soundfont-gm \
  fluidr3mono-gm-soundfont avldrums.lv2-soundfont csound-soundfont opl3-soundfont musescore-general-soundfont
BENCH_PACKAGES = $(TEST_PACKAGES) nginx-light wrk sqlite3 \
  fluidsynth timgm6mb-soundfont aubio-tools wesnoth-1.16-music rubberband-cli soundstretch \
  $(TRAINING_PACKAGES)

SOURCES := $(shell find Sources Package.swift -type f)
CLIENT := $(shell find client -type f -not -path '*/node_modules/*' -not -path '*/generated/*')
# The client's modules that are made from Swift, and the examples that its tests compare with.
GENERATED := $(addprefix client/src/generated/,counts.ts engine.ts practice.ts records.ts speech.ts timeline.ts)
MODEL_VECTORS := .build/model.json
GENERATED_FROM := $(shell find Sources/Counts Sources/Model Sources/Practice Sources/PracticeEngine Sources/PracticeWasm Sources/Speech Sources/WireTypes Tests/ModelVectors -type f) \
  Sources/PracticeEngineWasm/Exports.swift Sources/CountsWasm/Exports.swift Package.swift
ENGINE := $(shell find Sources/Counts Sources/PracticeEngine Sources/PracticeEngineWasm Sources/CFreestanding \
  Package.swift -type f)

COUNTS := $(shell find Sources/Counts Sources/CountsWasm Sources/CFreestanding Package.swift -type f)
PRACTICE := $(shell find Sources/Counts Sources/Practice Sources/PracticeWasm Sources/CFreestanding Package.swift -type f)

WASM_FLAGS = --triple wasm32-unknown-none-wasm \
  -Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -wmo \
  -Xswiftc -Xcc -Xswiftc -msimd128 -Xcc -msimd128 -Xcc -mbulk-memory

.PHONY: help run build check test test-timed test-long flake lint bench train bench-stretch torture fuzz fuzz-client sanitizers wasm voices bench-docs screenshots \
  client deb setup setup-test lock clean

help: ## List what can be done
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Install what is missing, build, and start on http://localhost:7700
	dist/segmance serve --port $(PORT) --open

build: setup dist/segmance wasm client ## Build the server, the engine and the client into dist/

setup: ## Install the Debian packages that building and running need
	@scripts/install-packages $(RUN_PACKAGES)

setup-test: .venv/.done ## Install what the tests need
	@scripts/install-packages $(TEST_PACKAGES)

.venv/.done: scripts/requirements.txt
	@scripts/install-packages $(TEST_PACKAGES)
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r scripts/requirements.txt
	@touch $@

dist/segmance: $(SOURCES)
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/server --product segmance
	@mkdir -p dist
	cp .build/server/release/segmance dist/segmance.new && mv dist/segmance.new dist/segmance

wasm: dist/client/engine.wasm dist/client/counts.wasm dist/client/practice.wasm ## Build the engine, the counts and the arithmetic of practice as WebAssembly

dist/client/engine.wasm: $(ENGINE)
	SEGMANCE_WASM=1 $(SWIFT) build -c release --scratch-path .build/wasm $(WASM_FLAGS) --product PracticeEngineWasm
	@mkdir -p dist/client
	cp .build/wasm/release/PracticeEngineWasm.wasm dist/client/engine.wasm

# Each in a folder of its own, so that they can be built at the same time.
dist/client/counts.wasm: $(COUNTS)
	SEGMANCE_WASM=1 $(SWIFT) build -c release --scratch-path .build/counts $(WASM_FLAGS) -Xswiftc -Osize --product CountsWasm
	@mkdir -p dist/client
	cp .build/counts/release/CountsWasm.wasm dist/client/counts.wasm

dist/client/practice.wasm: $(PRACTICE)
	SEGMANCE_WASM=1 $(SWIFT) build -c release --scratch-path .build/practice $(WASM_FLAGS) -Xswiftc -Osize --product PracticeWasm
	@mkdir -p dist/client
	cp .build/practice/release/PracticeWasm.wasm dist/client/practice.wasm

VOICES := $(patsubst %,dist/client/voice-%.wav,en fr de es ja)

voices: $(VOICES) ## Let a speech program say the numbers of the counts

$(VOICES) &: $(shell find Sources/CountVoices Sources/Speech -type f) Package.swift
	SEGMANCE_WIRE_TYPES=1 $(SWIFT) build --product CountVoices
	@mkdir -p dist/client
	.build/debug/CountVoices dist/client

# A build of few modules, without the server. The build of the tests finds them compiled in the same folder.
$(GENERATED) $(MODEL_VECTORS) &: $(GENERATED_FROM)
	SEGMANCE_WIRE_TYPES=1 $(SWIFT) build
	.build/debug/WireTypes client/src/generated
	.build/debug/ModelVectors $(MODEL_VECTORS)

client: dist/client/index.html ## Build the client

dist/client/index.html: $(CLIENT) $(GENERATED) $(VOICES) dist/client/engine.wasm dist/client/counts.wasm dist/client/practice.wasm
	node client/build.mjs dist/client

deb: build ## Package it for Debian 12: dist/segmance_VERSION_ARCHITECTURE.deb
	@scripts/install-packages $(DEB_PACKAGES)
	scripts/package-deb

lint: setup-test $(GENERATED) ## Check the format of the Swift code, the types and layers of the client, and what waits by a clock
	node scripts/layers.mjs
	node scripts/words.mjs
	python3 scripts/waits.py
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	.build/debug/WireTypes --check client/src/generated
	@mkdir -p .build/types
	@printf '%s\n' client client/tsconfig.nodom.json client/tests Tests/Browser Tests/Torture/sync | xargs -t -P 2 -I{} \
	  tsc -p {} --incremental --tsBuildInfoFile .build/types/{}.tsbuildinfo

check: lint ## Lint, and the unit tests of the Swift code and of the client (after each change)
	@$(TESTING) swift client

# Python's own library is enough for it. ONLY reaches it through the environment.
TESTING = python3 scripts/testing/run.py
test: setup-test ## Run every deterministic test, or those with ONLY=NAME: a family, a file, a part of tests' names
	@$(TESTING)

test-long: setup-test ## Run all that `make test` leaves out too, what repeats much, the package and a real bucket (an hour)
	@$(TESTING) --long

# What the families of tests need built (scripts/testing/families.py).
.PHONY: build-tests build-sanitized build-client-tests vectors setup-long
# After what is made in the same folder, which only one build at a time can use.
build-tests: setup | $(GENERATED)
	$(SWIFT) build --build-tests

# Without XCTest, which no test uses: it leaks a little, and the leak would be reported.
build-sanitized: setup
	SWIFT=$(SWIFT) Tests/Sanitizers/planted.sh
	SEGMANCE_HTTP_ALONE=1 $(SWIFT) build --build-tests --disable-xctest --scratch-path .build/http-tsan --sanitize=thread

build-client-tests: $(GENERATED) $(MODEL_VECTORS) dist/client/engine.wasm dist/client/practice.wasm

# What engine, counts and practice compute natively, for the engine's tests to compare.
vectors: build-tests
	@rm -rf .build/vectors && mkdir -p .build/vectors
	SEGMANCE_VECTORS=$(CURDIR)/.build/vectors .build/debug/segmancePackageTests.xctest \
	  --testing-library swift-testing --filter VectorTests --filter PracticeTests.LevelTests

setup-long:
	@scripts/install-packages $(LONG_PACKAGES) $(S3_PACKAGES)

# Tests marked `timed` expect something within a time; they belong to `make bench`.
PYTEST = .venv/bin/python -m pytest -q
ON_SCREEN = xvfb-run --auto-servernum
test-timed: setup-test build ## Run the browser tests that expect something within a time
	$(ON_SCREEN) $(PYTEST) -m timed Tests/Browser Tests/Torture

# The list is .build/unsteady.txt. docs/RELIABILITY.md asks for COUNT=200.
flake: setup-test ## Repeat unsteady tests under load: the list of `make test`, or ONLY=NAME, or the files changed since BASE
	@COUNT=$(COUNT) BASE=$(BASE) python3 scripts/testing/flake.py

# Without BENCH everything.
bench: setup-test build .training-venv/.done ## Measure speed and size against named peers, and run test-timed
	@scripts/install-packages $(BENCH_PACKAGES)
	.venv/bin/python Benchmarks/bench.py $(BENCH)
	$(if $(BENCH),,@$(MAKE) --no-print-directory test-timed)

screenshots: setup-test build ## Make the pictures of the README anew
	$(ON_SCREEN) .venv/bin/python scripts/screenshots.py

# Minutes on an accelerator, days on two cores. MATERIAL is kept: pieces that are there already are not rendered again.
MATERIAL ?= .build/beats

train: .training-venv/.torch ## Render the music that the beat network learns from, and train it (needs an accelerator)
	cd Training && ../.training-venv/bin/python -m beats.material ../$(MATERIAL) && \
	  ../.training-venv/bin/python -m beats.train ../$(MATERIAL) ../.build/beats-1.pt --pieces 4400 && \
	  ../.training-venv/bin/python -m beats.train ../$(MATERIAL) ../.build/beats-2.pt --after ../.build/beats-1.pt \
	    --skip 4400 --steps 17000 --rate 0.003 --dropout 0.02 --seed 2 && \
	  ../.training-venv/bin/python -m beats.export ../.build/beats-1.pt ../.build/beats-2.pt \
	    ../Sources/CBeatWeights/beats.weights ../Tests/Fixtures/beat-network.json

bench-docs: ## Take the figures that `make bench` has measured over into docs/
	python3 Benchmarks/renew_docs.py

# STRETCH="--only ours" leaves the other programs' figures as they were.
bench-stretch: setup-test build .stretch-venv/.done ## Compare how stretched sound keeps, with its peers
	@scripts/install-packages $(BENCH_PACKAGES)
	$(if $(STRETCH),,rm -f .build/stretch.json)
	OMP_NUM_THREADS=1 .stretch-venv/bin/python Benchmarks/stretch_quality.py --segmance dist/segmance \
	  --results .build/stretch.json --document docs/benchmarks/stretch.md $(STRETCH)

# Without TRIALS the whole programme.
torture: setup-test build ## Break it often: kills, full and failing disks, hostile files (a day; TRIALS="--share 1")
	@scripts/install-packages $(S3_PACKAGES)
	.venv/bin/python Tests/Torture/torture.py $(TRIALS)
	$(if $(TRIALS),,$(MAKE) test-long sanitizers fuzz)

# Seconds for each parser; ONLY="range sync" chooses some, of the server with `fuzz`, of the client with `fuzz-client`.
FUZZ_SECONDS ?= 3600

fuzz: setup ## Fuzz every parser: FUZZ_SECONDS for each, ONLY some of the server's (long)
	python3 Tests/Fuzz/fuzz.py --seconds $(FUZZ_SECONDS) $(if $(ONLY),--only $(ONLY))
	$(if $(ONLY),,$(MAKE) --no-print-directory fuzz-client)

fuzz-client: setup $(GENERATED) ## Fuzz the client's parsers alone (long)
	@rm -rf .build/client-fuzz
	esbuild client/tests/fuzz/*.test.ts --bundle --platform=node --format=esm --log-level=warning \
	  --outdir=.build/client-fuzz --out-extension:.js=.mjs
	SEGMANCE_FUZZ_SECONDS=$(FUZZ_SECONDS) SEGMANCE_FUZZ_ONLY="$(ONLY)" node .build/client-fuzz/fuzz.test.mjs

sanitizers: setup-test ## Run the Swift tests under the address and the thread sanitizer (long)
	SWIFT=$(SWIFT) Tests/Sanitizers/planted.sh
	$(SWIFT) test --disable-xctest --scratch-path .build/asan --sanitize=address
	$(SWIFT) test --disable-xctest --scratch-path .build/tsan --sanitize=thread

.training-venv/.done: Benchmarks/beats-requirements.txt
	@scripts/install-packages $(TRAINING_PACKAGES)
	python3 -m venv .training-venv
	.training-venv/bin/pip install --quiet --disable-pip-version-check -r Benchmarks/beats-requirements.txt
	@touch $@

# PyTorch: some gigabytes, which only training needs.
.training-venv/.torch: .training-venv/.done Training/requirements.txt
	.training-venv/bin/pip install --quiet --disable-pip-version-check -r Training/requirements.txt
	@touch $@

.stretch-venv/.done: Benchmarks/stretch-requirements.txt
	@scripts/install-packages python3-venv g++
	python3 -m venv .stretch-venv
	.stretch-venv/bin/pip install --quiet --disable-pip-version-check -r Benchmarks/stretch-requirements.txt
	@touch $@

# Edit the names in scripts/requirements.in; then this writes every version, indirect ones too.
lock: ## Renew the versions of the tests' Python packages
	rm -rf .build/lock && python3 -m venv .build/lock
	.build/lock/bin/pip install --quiet --disable-pip-version-check --upgrade -r scripts/requirements.in
	(echo '# Written by `make lock` from requirements.in.'; .build/lock/bin/pip freeze) >scripts/requirements.txt

clean: ## Remove everything that was built
	rm -rf .build dist .venv .stretch-venv .training-venv
