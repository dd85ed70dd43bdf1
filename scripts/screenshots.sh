#!/usr/bin/env bash
# screenshots.sh [NAME...]: docs/img/page-NAME.png, made by the page itself in
# Debian's chromium: hexapod on stairs, quadruped, octopod gallop, phone.
set -euo pipefail

cd "$(dirname "$0")/.."
scripts/need.sh node:nodejs chromium:chromium
scripts/npm.sh web/page
run=$(mktemp -d)
sim=
end() { [ -z "$sim" ] || { kill -INT "$sim" && wait "$sim"; } || true; sim=; }
trap 'end; rm -rf "$run"' EXIT

# shot NAME "what the page does first" SIM ARGUMENTS
shot() {
	local name=$1 what=$2 url=
	shift 2
	XDG_RUNTIME_DIR=$run LEGCTL_BROKER='' bin/legctl sim "$@" --http 127.0.0.1:0 >"$run/log" 2>&1 &
	sim=$!
	for _ in $(seq 300); do
		url=$(sed -n 's/^Open //p' "$run/log")
		[ -n "$url" ] && break
		sleep 0.1
	done
	[ -n "$url" ] || { cat "$run/log" >&2; exit 1; }
	node web/page/test/screenshot.mjs "$url" "$(command -v chromium)" "$what" "docs/img/page-$name.png" || { cat "$run/log" >&2; exit 1; }
	end
}

wanted() { [ -z "$names" ] || [[ " $names " == *" $1 "* ]]; }
names="$*"
wanted hexapod && shot hexapod hexapod phantomx --terrain stairs
wanted quadruped && shot quadruped quadruped a1 --terrain rough --gait trot
wanted octopod && shot octopod octopod octopod --terrain world --gait gallop
wanted phone && shot phone phone phantomx --terrain rough
exit 0
