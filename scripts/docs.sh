#!/usr/bin/env bash
# docs.sh: writes every document that is made from the product.
set -euo pipefail

go test -count=1 ./cmd/legctl -run 'TestReference|TestInterfaceDocs' -update
go test -count=1 ./configs -run TestDocs -update
go test -count=1 ./internal/house -run TestRoomsInDocs -update
scripts/pictures.sh
git status --short -- docs
