# SPDX-License-Identifier: MIT
# Lists the declarations of preprocessed C (cc -E -P), for test-nvtx-abi.sh:
#
#	V NAME              an enumerator
#	S TYPE              a structure, union, enumeration or other type
#	M TYPE MEMBER       a member
#	F NAME TYPE         an inline function, and the type of its address
#
# usage: awk -v names=REGEX -f abi-facts.awk    REGEX: of names that count

function ends_with_name(text)
{
	sub(/[;,][ \t]*$/, "", text)
	sub(/\[[^]]*\][ \t]*$/, "", text)
	if (match(text, /\(\*[A-Za-z0-9_]+\)/)) { # a pointer to a function
		return substr(text, RSTART + 2, RLENGTH - 3)
	}
	match(text, /[A-Za-z0-9_]+[ \t]*$/)
	text = substr(text, RSTART)
	sub(/[ \t]+$/, "", text)
	return text
}

# A type inside another one that ends at `} a, b;` gives members a and b, and a.x for each of its
# own members.
function add_members(text, count, i, j, parts)
{
	sub(/^[ \t]*}[ \t]*/, "", text)
	sub(/;.*/, "", text)
	count = split(text, parts, /,[ \t]*/)
	for (i = 1; i <= count; i++) {
		members[++member_count] = parts[i]
		for (j = 1; j <= inner_count; j++) {
			members[++member_count] = parts[i] "." inner[j]
		}
	}
}

{
	gsub(/__attribute__ *\(\([^()]*(\([^()]*\))*[^()]*\)\)/, "")
	line = $0
	sub(/^[ \t]+/, "", line)
}

# typedef struct tag {, struct tag {, and the same of unions and enumerations.
depth == 0 && line ~ /^(typedef )?(struct|union|enum)( [A-Za-z0-9_]+)? [{]$/ {
	is_typedef = line ~ /^typedef/
	is_enum = line ~ /enum/
	n = split(line, words, " ")
	tag = words[n - 1]
	type = (line ~ /^union/ ? "union " : "struct ") tag
	has_body[tag] = 1
	member_count = 0
	depth = 1
	next
}
depth > 0 && line ~ /[{]$/ {
	depth++
	inner_count = 0
	next
}
depth == 2 && /;$/ && line !~ /^}/ {
	inner[++inner_count] = ends_with_name(line)
	next
}
depth > 0 && line ~ /^}/ {
	depth--
	if (depth > 0) {
		if (depth == 1) {
			add_members(line)
		}
		next
	}
	if (is_typedef) {
		type = tag = ends_with_name(line)
	}
	if (tag ~ names && (is_typedef || !is_enum)) {
		print "S", type
		for (i = 1; i <= member_count; i++) {
			print "M", type, members[i]
		}
	}
	next
}
depth == 1 && is_enum && /^[ \t]*[A-Z][A-Za-z0-9_]*( = .*|,|$)/ {
	name = line
	sub(/[ ,=].*/, "", name)
	if (name ~ names) {
		print "V", name
	}
	next
}
depth == 1 && !is_enum && /;$/ {
	members[++member_count] = ends_with_name(line)
	next
}
depth > 0 { next }

# typedef int name;
/^typedef .*;$/ {
	name = ends_with_name(line)
	is_opaque = line ~ /^typedef struct [A-Za-z0-9_]+ [A-Za-z0-9_]+;/ && !($3 in has_body)
	if (name ~ names && line !~ /\(/ && !is_opaque) {
		print "S", name
	}
	next
}
/^static inline / {
	line = substr(line, 15)
	sub(/[ \t]*[{].*/, "", line)
	at = index(line, "(")
	head = substr(line, 1, at - 1)
	name = ends_with_name(head)
	if (name ~ names) {
		sub(/[A-Za-z0-9_]+[ \t]*$/, "", head)
		print "F", name, head "(*)" substr(line, at)
	}
}
