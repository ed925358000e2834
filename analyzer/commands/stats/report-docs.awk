# SPDX-License-Identifier: MIT
# Makes the definitions that `analyzer stats --help REPORT` prints, from doc/metrics.md. It prints a
# line of C for three kinds of words: each key in a table with the columns `key` and `definition`,
# with the reports of its section; each finding in a table with the columns `rule` and `holds if`;
# and each word of `analyzer diff` in tables with the column `verdict`, `method` or `doubt`.
# report-docs.c includes these lines.

function quoted(text)
{
	gsub(/\*\*/, "", text)
	gsub(/`/, "", text)
	text = without_links(text)
	gsub(/\\\|/, "|", text)
	gsub(/[\\"]/, "\\\\&", text)
	return "\"" text "\""
}

# [text](where) becomes text.
function without_links(text)
{
	while (match(text, /\[[^]]*\]\([^)]*\)/)) {
		link = substr(text, RSTART, RLENGTH)
		sub(/\]\(.*/, "", link)
		text = substr(text, 1, RSTART - 1) substr(link, 2) substr(text, RSTART + RLENGTH)
	}
	return text
}

function trimmed(text)
{
	gsub(/^ +| +$/, "", text)
	return text
}

# A section about no report has definitions only if they are for all reports that lack one.
function add(reports, keys, text)
{
	if (reports != "" || section == "Columns of several reports")
		printf "\t{ \"%s\", \"%s\", %s },\n", reports, keys, quoted(text)
}

# The words in back quotes, commas between.
function names(text,    list)
{
	list = ""
	while (match(text, /`[^`]*`/)) {
		list = list "," substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, RSTART + RLENGTH)
	}
	return list == "" ? "" : list ","
}

# A sentence with "a row for each ..." is about the reports that it names first.
function subject(line)
{
	sub(/^\*\*Reports? /, "", line)
	if (match(line, /^`[a-z][a-z_-]*`(,? (and )?`[a-z][a-z_-]*`)*/))
		return names(substr(line, RSTART, RLENGTH))
	return ""
}

/^## / {
	section = $0
	sub(/^## [0-9]+\. /, "", section)
	about = /[Rr]eports? `/ ? names($0) : section == "`analyzer diff`" ? ",diff," : ""
}

/^(\*\*Reports? )?`[a-z][a-z_-]*`.* (row|rows|columns) / || /^`[a-z][a-z_-]*`, which / {
	about = subject($0)
}

/The report `[a-z_-]+` has a row/ { about = names(substr($0, index($0, "The report `"), 40)) }

/^\|/ {
	count = split($0, cells, / \| |^\| | \|$/)
	if (!in_table) {
		in_table = 1
		key = definition = is_finding = 0
		group = ""
		for (i = 1; i <= count; i++) {
			if (trimmed(cells[i]) == "key" || trimmed(cells[i]) == "rule")
				key = i
			if (trimmed(cells[i]) ~ /^(verdict|method|doubt)$/ && about == ",diff,") {
				key = i
				group = ",diff " trimmed(cells[i]) ","
			}
			if (trimmed(cells[i]) ~ /^(definition|active while|holds if)$/ || (key > 0 && group != "" && trimmed(cells[i]) == "when"))
				definition = i
			if (trimmed(cells[i]) == "holds if")
				is_finding = 1
		}
		next
	}
	if (key == 0 || definition == 0 || cells[2] ~ /^-/)
		next
	reach = trimmed(cells[definition])
	if (reach != "")
		add(is_finding ? ",finding," : group != "" ? group : about, names(cells[key]), reach)
	next
}

{ in_table = 0 }
