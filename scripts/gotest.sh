#!/usr/bin/env bash
# gotest.sh ARGUMENT...
# go test with a result that can be read at a glance: a line a package, the
# whole output of a package that fails, the reason of each skip once, and a
# closing line that counts the tests.
set -uo pipefail

go test -v "$@" 2>&1 | awk '
	function flush_failed() { printf "%s", held; held = "" }
	/^=== (RUN|PAUSE|CONT|NAME)/ { next }
	/^[ ]*--- PASS/ { pass++; if ($0 ~ /^ /) rows++; next }
	/^[ ]*--- FAIL/ { fail++ }
	/^[ ]*--- SKIP/ { skip++; skipping = 1; name = $3 }
	/^-test.shuffle/ { next }
	/^(PASS|testing: warning)/ { next }
	/^ok  / { packages++; held = ""; print; next }
	/^\?   / { next }
	/^FAIL\t/ { packages++; flush_failed(); print; next }
	/^FAIL$/ { next }
	# The line before "--- SKIP" is its reason (rows that ran side by side only
	# leave their names here).
	{ held = held $0 "\n"; if (skipping) { sub(/^ */, "", last); reasons[name " " last]++; skipping = 0; last = "" } else last = $0 }
	END {
		flush_failed()
		for (r in reasons) printf "skipped: %s\n", r
		printf "tests: %d passed (%d of them rows of tables), %d failed, %d skipped, in %d packages\n", pass, rows, fail, skip, packages
	}'
exit "${PIPESTATUS[0]}"
