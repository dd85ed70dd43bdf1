#!/usr/bin/env bash
# steps.sh TARGET...
# Runs make targets one after the other, says how long each took, and stops at
# the first that fails.
set -uo pipefail

begin=$SECONDS
for step in "$@"; do
	echo "== $step"
	start=$SECONDS
	make --no-print-directory "$step"
	status=$?
	if [ $status -ne 0 ]; then
		echo "== $step FAILED after $((SECONDS - start)) s" >&2
		exit $status
	fi
	echo "== $step: $((SECONDS - start)) s"
done
echo "== all of: $* ($((SECONDS - begin)) s)"
