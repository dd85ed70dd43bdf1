#!/usr/bin/env bash
# golden.sh: rewrites the committed hashes, traces, pictures and references. Each
# changed hash wants its reason in CHANGELOG.md: internal/house writes the line
# (so it comes last) and fails until the reason stands there.
set -euo pipefail

for package in ./configs ./cmd/legctl ./plot ./rollout ./internal/house; do
	go test -count=1 -run 'Golden|Docs|Reference|Hashes' "$package" -update
done
git status --short -- '*testdata*' docs CHANGELOG.md
