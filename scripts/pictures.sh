#!/usr/bin/env bash
# pictures.sh: draws docs/img from runs of the product.
set -euo pipefail

go run ./internal/pictures docs/img
