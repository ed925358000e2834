# SPDX-License-Identifier: MIT
# Makes C that prints the facts of abi-facts.awk with their values, for test-nvtx-abi.sh. The side
# "theirs" uses the names that abi-names.awk added, if there are any.
#
# usage: awk -v side=ours|theirs -f abi-print.awk

# Makes a printf whose line begins like the fact, followed by values.
function print_values(begin, formats, values)
{
	printf "\tprintf(\"%s %s\\n\", %s);\n", begin, formats, values
}

function print_member(name, type, member, kind)
{
	print_values("M " name, "%zu %zu %s", "offsetof(" type ", " member "), sizeof(IN(" type ", " \
		member ")), " kind "(IN(" type ", " member "))")
}

BEGIN { print "int main(void)\n{" }
$1 == "D" { print_values($0, "%s", "\"\"") }
$1 == "A" { print_values($0, "%s", "SHOW(" $2 ")") }
$1 == "V" {
	value = side == "theirs" && $3 != "" ? $3 : $2
	print_values("V " $2, "%lld %s", "(long long) (intptr_t) (" value "), " \
		($3 != "" ? "\"\"" : "KIND(" value ")"))
}
$1 == "S" {
	split(substr($0, 3), parts, "|")
	print_values("S " parts[1], "%zu", \
		"sizeof(" (side == "theirs" && parts[2] != "" ? parts[2] : parts[1]) ")")
}
$1 == "M" && /[|]/ {
	split(substr($0, 3), parts, "|")
	match(parts[1], /[.]/)
	print_member(parts[1], side == "theirs" ? parts[2] : substr(parts[1], 1, RSTART - 1), \
		side == "theirs" ? parts[3] : substr(parts[1], RSTART + 1), "ROUGHLY")
}
$1 == "M" && !/[|]/ { print_member($2 "." $3, $2, $3, "KIND") }
$1 == "F" {
	name = $2
	sub(/^F [^ ]* /, "")
	print_values("F " name, "%s", "__builtin_types_compatible_p(__typeof__(&" name "), " $0 \
		") ? \"" $0 "\" : \"another type\"")
}
END { print "\treturn 0;\n}" }
