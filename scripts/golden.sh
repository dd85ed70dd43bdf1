#!/usr/bin/env bash
# golden.sh: rewrites the committed hashes, traces and golden files. A test
# package that has any takes -update. Each changed hash wants a line in
# CHANGELOG.md (internal/house checks it).
set -euo pipefail

packages=$(git grep -lE 'flag\.Bool\("update"' -- '*_test.go' | xargs -r -n1 dirname | sort -u | sed 's|^|./|')
[ -n "$packages" ] || { echo "golden: no package has golden files"; exit 0; }
# shellcheck disable=SC2086
for p in $packages; do go test -count=1 "$p" -update; done
git status --short -- '*testdata*' docs
