#!/bin/sh
# SPDX-License-Identifier: MIT
# assets.sh AWK STYLE SCRIPT...: prints C with the bytes of the style sheet and of the scripts, one
# after the other. It also prints their SHA-256 in the form of a Content-Security-Policy, so nothing
# else in the page may run.
set -eu
awk=$1
style=$2
shift 2

# bytes NAME FILE...: prints an array of the files' bytes, their number, and their hash.
bytes()
{
	name=$1
	shift
	printf 'const char ra_page_assets_%s[] = {\n' "$name"
	cat "$@" | LC_ALL=C od -An -v -td1 | sed 's/  */,/g; s/^,//; s/$/,/'
	printf '};\nconst size_t ra_page_assets_%s_bytes = sizeof(ra_page_assets_%s);\n' "$name" "$name"
	printf 'const char ra_page_assets_%s_hash[] = "sha256-' "$name"
	cat "$@" | sha256sum | base64_of_hex
	printf '";\n'
}

base64_of_hex()
{
	# shellcheck disable=SC2016 # awk's $
	"$awk" '{
		digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		hex = substr($1, 1, 64) "00" # 33 bytes: the last of 44 characters stands for what was added
		for (i = 1; i < 66; i += 3) {
			number = 0
			for (j = 0; j < 3; j++) {
				number = number * 16 + index("0123456789abcdef", substr(hex, i + j, 1)) - 1
			}
			text = text substr(digits, int(number / 64) + 1, 1) substr(digits, number % 64 + 1, 1)
		}
		printf "%s=", substr(text, 1, 43)
	}'
}

printf '/* Made by analyzer/page/assets.sh. */\n#include "analyzer/page/page-parts.h"\n\n'
bytes css "$style"
bytes js "$@"
