#!/bin/sh
# SPDX-License-Identifier: MIT
# Unpacks speedscope, one pinned npm package, into a cache folder outside the repository; it is never installed.
#
# usage: fetch-speedscope.sh [DIR]
#
# DIR is by default $SPEEDSCOPE_DIR, else ranges-speedscope below the user's cache folder. Nothing is done when DIR has it.
# Exit: 0 speedscope is in DIR, 1 it is not (one line on stderr says why).

set -eu

package=speedscope@1.25.0
sha256=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03

die()
{
	printf 'fetch-speedscope: %s\n' "$*" >&2
	exit 1
}

dir=${1:-${SPEEDSCOPE_DIR:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/ranges-speedscope}}
if [ -f "$dir/release/index.html" ]; then
	echo "speedscope is already in $dir"
	exit 0
fi
for tool in npm tar sha256sum mktemp; do
	command -v "$tool" >/dev/null 2>&1 || die "$tool is not installed"
done
temp=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
(cd "$temp" && npm pack --loglevel=error "$package" >name 2>npm.err) ||
	die "npm pack $package failed: $(sed -n '/[^ ]/ { p; q; }' "$temp/npm.err")"
archive=$temp/$(tail -n 1 "$temp/name")
echo "$sha256  $archive" | sha256sum -c --status 2>/dev/null || die "$package has not the expected sha256 $sha256"
tar -xzf "$archive" -C "$temp" package/dist/release || die "$package has no folder package/dist/release"
# Moved in one step, so that an interrupted run leaves no folder that looks complete.
if ! { mkdir -p "$dir" && cp -R "$temp/package/dist/release" "$dir/release.new" &&
	mv "$dir/release.new" "$dir/release"; }; then
	die "cannot write in the folder $dir"
fi
echo "speedscope is now in $dir"
