#!/usr/bin/env bash
# lint.sh run|fmt: golangci-lint of tools/go.mod on the whole module.
set -euo pipefail

bin=$PWD/bin/golangci-lint
if [ ! -x "$bin" ] || [ tools/go.mod -nt "$bin" ]; then
	echo "lint: building golangci-lint (minutes the first time)"
	mkdir -p bin
	(cd tools && go build -o "$bin" github.com/golangci/golangci-lint/v2/cmd/golangci-lint)
fi
exec "$bin" "$1" ./...
