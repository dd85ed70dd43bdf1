#!/usr/bin/env bash
# fuzz.sh: every fuzz target of the module for FUZZTIME (default 30 s). A find
# is kept under testdata/fuzz of its package: commit it with the fix.
set -euo pipefail

time=${FUZZTIME:-30s}
status=0
while IFS=: read -r file line; do
	name=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/' <<<"$line")
	package=./$(dirname "$file")
	echo "== $package $name, $time"
	go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "$package" || status=1
done < <(git grep -E '^func Fuzz[A-Za-z0-9_]*\(' -- '*_test.go')
exit $status
