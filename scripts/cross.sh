#!/usr/bin/env bash
# cross.sh: builds the program for every other system a release is made for,
# without cgo, and throws the result away: proof that it builds, so neither
# inlined nor with debug data, which saves a third of the time. DIST=folder keeps
# it, linux/amd64 too, built in full and without the paths of this machine.
set -euo pipefail

out=${DIST:-$(mktemp -d)}
flags=(-trimpath) targets=(linux/amd64 linux/arm64 linux/arm/7 darwin/arm64 windows/amd64)
if [ -z "${DIST:-}" ]; then
	trap 'rm -rf "$out"' EXIT
	flags=('-gcflags=all=-dwarf=false -l')
	targets=("${targets[@]:1}") # the tests have built the first
fi
mkdir -p "$out"
for target in "${targets[@]}"; do
	IFS=/ read -r os arch arm <<<"$target"
	name=$out/legctl-${target//\//-}
	[ "$os" = windows ] && name=$name.exe
	start=$SECONDS
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch GOARM=${arm:-7} \
		go build "${flags[@]}" -ldflags '-s -w' -o "$name" ./cmd/legctl
	echo "$target: $(($(stat -c %s "$name" 2>/dev/null || stat -f %z "$name") / 1048576)) MB, $((SECONDS - start)) s"
done
