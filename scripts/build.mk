# Building and running.
BIN    := bin/legctl
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
LDFLAGS := -s -w -X legctl/internal/version.commit=$(COMMIT)

.PHONY: build run bench clean

build: page ## bin/legctl for this machine, with its page (PAGE=no: without)
	@scripts/need.sh go:
	@mkdir -p bin
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/legctl

run: build ## build, then walk the default rig over rough ground and print the address of its page (ARGS="..." adds flags)
	@exec $(BIN) sim $(ARGS)

bench: build ## speed of every kernel and of a tick, as JSON lines (ARGS="--workload DIR")
	@exec $(BIN) bench $(ARGS)

clean: ## remove what was built
	rm -rf bin dist
