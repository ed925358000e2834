# SPDX-License-Identifier: MIT
# Makes the list of outputs from the files that define them, in their order: the entries for
# out-list.c, and their names for the row of --to.

/^const struct ra_out out_/ {
	symbols = symbols " OUT(" $4 ")"
	is_inside = 1
}

is_inside && /^\t\.name = "/ {
	split($0, parts, "\"")
	names[++count] = parts[2]
	is_inside = 0
}

END {
	for (i = 1; i <= count; i++) {
		words = words (i == 1 ? "" : " ") names[i]
		text = text (i == 1 ? "" : i == count ? " or " : ", ") names[i]
	}
	printf "#define RA_OUTS(OUT)%s\n", symbols
	printf "#define RA_OUTS_WORDS \"%s\"\n", words
	printf "#define RA_OUTS_TEXT \"%s\"\n", text
}
