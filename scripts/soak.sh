#!/usr/bin/env bash
# soak.sh: long runs, resumable. What is done is kept in .soak/results.jsonl, a
# line an item; delete a line, or the folder, to run it again. FUZZTIME (default
# 10m) is for each fuzz target.
set -euo pipefail

dir=$PWD/.soak time=${FUZZTIME:-10m}
mkdir -p "$dir"
touch "$dir/results.jsonl"
LEGCTL_SOAK=$dir go test -count=1 -v -timeout 0 -run '^TestSoak$' ./internal/house
# Long runs by the clock: tests that do more when LEGCTL_SOAK is set.
while read -r pkg name; do
	item=$name
	grep -qF "\"item\":\"$item\"" "$dir/results.jsonl" && continue
	echo "== $item"
	start=$SECONDS verdict=ok
	LEGCTL_SOAK=$dir go test -count=1 -v -timeout 0 -run "^$name\$" "$pkg" || verdict="failed"
	printf '{"item":"%s","seconds":%d,"took":%d,"verdict":"%s"}\n' "$item" $((SECONDS - start)) $((SECONDS - start)) "$verdict" >>"$dir/results.jsonl"
done <<'END'
./telemetry/mcap TestRecordingAtOneKilohertz
./web TestConnectionsInTurn
./web TestViewersAndTheTick
./cmd/legctl TestKilledRecordings
./drivers TestNoise
./drivers TestFaultsInStride
./drivers TestSerialEndToEnd
./drivers TestPlugInAndOut
./rollout TestEveryGaitWalks
./internal/house TestEveryRigWalks
END
if ! grep -qF '"item":"fleet/1000"' "$dir/results.jsonl"; then
	start=$SECONDS verdict=ok
	LEGCTL_SOAK=$dir go test -count=1 -v -timeout 600s -run '^TestFleet$' ./telemetry/mqtt || verdict="states were lost"
	printf '{"item":"fleet/1000","seconds":60,"took":%d,"verdict":"%s"}\n' $((SECONDS - start)) "$verdict" >>"$dir/results.jsonl"
fi
while IFS=: read -r file line; do
	name=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/' <<<"$line")
	item=fuzz/$(dirname "$file")/$name
	grep -qF "\"item\":\"$item\"" "$dir/results.jsonl" && continue
	echo "== $item, $time"
	start=$SECONDS verdict=ok
	go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 5s "./$(dirname "$file")" || verdict="found something: see testdata/fuzz"
	printf '{"item":"%s","seconds":%d,"took":%d,"verdict":"%s"}\n' "$item" $((SECONDS - start)) $((SECONDS - start)) "$verdict" >>"$dir/results.jsonl"
done < <(git grep -E '^func Fuzz[A-Za-z0-9_]*\(' -- '*_test.go')
LEGCTL_SOAK=$dir go test -count=1 -timeout 0 -run '^TestSoak$' ./internal/house
