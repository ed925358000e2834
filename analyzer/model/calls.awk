# SPDX-License-Identifier: MIT
# Makes the table of calls.c from doc/format.md, section 14: number, name and arguments of each
# function. A row "A, W" stands for two functions.

function row(number, name, arguments)
{
	printf "\t{ %s, \"%s\", \"%s\" },\n", number, name, arguments
}

/^## / { is_inside = /^## 14\./ }

is_inside && /^\| 0x/ {
	split($0, cells, / *\| */)
	count = split(cells[2], numbers, /, */)
	name = cells[3]
	sub(/, W$/, "", name)
	row(numbers[1], name, cells[5])
	if (count == 2) {
		row(numbers[2], substr(name, 1, length(name) - 1) "W", cells[5])
	}
}
