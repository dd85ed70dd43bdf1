#!/usr/bin/env bash
# npm.sh DIR
# Makes DIR/node_modules what DIR/package-lock.json says. Nothing is done when
# it already is, so every target may ask. Packages run no scripts of their own.
set -euo pipefail

dir=${1:?usage: npm.sh DIR}
here=$(cd "$(dirname "$0")" && pwd)
lock=$dir/package-lock.json stamp=$dir/node_modules/.lock-sum
[ -f "$lock" ] || { echo "npm: $lock is missing: it is committed, so restore it with git" >&2; exit 1; }
# Tests of several packages ask at the same time: one installs, the others wait.
if command -v flock >/dev/null; then
	exec 9<"$lock"
	flock 9
fi
sum=$(sha256sum <"$lock")
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then
	exit 0
fi
"$here/need.sh" node:nodejs npm:npm
echo "npm: installing what $lock names"
(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || {
	echo "npm: npm ci failed in $dir: is the package registry reachable?" >&2
	exit 1
}
echo "$sum" >"$stamp"
