#!/usr/bin/env bash
# page.sh: bundles web/page into web/dist, from where it goes into the binary.
# Nothing is done when the bundle is newer than its sources.
set -euo pipefail

cd "$(dirname "$0")/.."
made=web/dist/index.html
if [ -f "$made" ] && [ -z "$(find web/page/src web/page/build.mjs web/page/package-lock.json -newer "$made" -print -quit)" ]; then
	exit 0
fi
scripts/npm.sh web/page
node web/page/build.mjs
