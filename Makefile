# legctl: every target a person needs. The work itself is in scripts/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# One instruction set, one set of bytes: v2 and above let the compiler fuse
# multiply-adds, which changes the last bits (docs/determinism.md).
export GOAMD64 := v1
export CGO_ENABLED := 0
export GOFLAGS := -buildvcs=false
export PATH := $(PATH):/usr/local/go/bin

include scripts/build.mk
include scripts/page.mk
include scripts/test.mk
include scripts/lint.mk
include scripts/docs.mk

.PHONY: help
help: ## this list
	@echo "make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
