#!/usr/bin/env bash
# need.sh COMMAND:PACKAGE...
# Makes sure that each command can be run, and each "python3/MODULE" imported by
# the Python of the path or the system's; what is missing is installed from
# Debian's packages when we are root, and named otherwise. An empty package
# means that no package will do (Go: Debian's own is often too old).
set -euo pipefail

missing=()
for pair in "$@"; do
	command=${pair%%:*} package=${pair#*:}
	module=${command#python3/}
	if [ "$module" != "$command" ]; then
		python3 -c "import $module" 2>/dev/null && continue
		/usr/bin/python3 -c "import $module" 2>/dev/null && continue
	elif PATH="$PATH:/usr/sbin" command -v "$command" >/dev/null; then
		continue
	fi
	if [ -z "$package" ]; then
		echo "need: $command is not installed; version 1.26 or newer is wanted (https://go.dev/dl)" >&2
		exit 1
	fi
	missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
	echo "need: please install ${missing[*]} (as root: apt-get install ${missing[*]})" >&2
	exit 1
fi
export DEBIAN_FRONTEND=noninteractive
echo "need: installing ${missing[*]}"
# The package must not start a service: tests start their own.
policy=/usr/sbin/policy-rc.d made=
if [ ! -e "$policy" ]; then
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod +x "$policy"
	made=yes
fi
trap '[ -z "$made" ] || rm -f "$policy"' EXIT
install() { apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
install 2>/dev/null || { apt-get update -qq && install; }
