#!/usr/bin/env bash
# cross.sh: builds the program for every system a release is made for, without
# cgo, and throws the result away. DIST=folder keeps it, built without the paths
# of this machine (-trimpath, which would cost every package a second compile).
set -euo pipefail

out=${DIST:-$(mktemp -d)}
trim=-trimpath
[ -n "${DIST:-}" ] || { trim=-trimpath=false; trap 'rm -rf "$out"' EXIT; }
mkdir -p "$out"
for target in linux/amd64 linux/arm64 linux/arm/7 darwin/arm64 windows/amd64; do
	IFS=/ read -r os arch arm <<<"$target"
	name=$out/legctl-${target//\//-}
	[ "$os" = windows ] && name=$name.exe
	start=$SECONDS
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch GOARM=${arm:-7} \
		go build "$trim" -ldflags '-s -w' -o "$name" ./cmd/legctl
	echo "$target: $(($(stat -c %s "$name" 2>/dev/null || stat -f %z "$name") / 1048576)) MB, $((SECONDS - start)) s"
done
