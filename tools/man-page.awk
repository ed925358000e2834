# SPDX-License-Identifier: MIT
# The generated parts of a man page, for tools/man-page. Each stands between a mark and the line
#	.\" .
# and what is written by hand comes behind that line. Marks:
#	.\" usage       the forms of each command, in the order of the page's sections
#	.\" --NAME      head and sentence of an option of the section's command
#	.\" --          end of the command's options: those that another command explains
#	.\" reports     what `analyzer stats --list` prints
#	.\" outputs     what `analyzer analyze --help` says of suffixes
#	.\" variables   what `ranges run --help` says of the environment
# Options without a mark are put before the one that ends the command's options.

function fail(what)
{
	printf "%s:%d: %s\n", name, NR, what >"/dev/stderr"
	has_failed = 1
}

# ---- Words as roff ----

# A text without anything in it that roff would take for its own.
function plain(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/…/, "...", text)
	if (text ~ /^[-+]/ || text ~ /[^A-Za-z().,;:-]/) {
		gsub(/-/, "\\-", text)
	}
	return text
}

function bold(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/…/, "...", text)
	gsub(/-/, "\\-", text)
	return "\\fB" text "\\fR"
}

function italic(text)
{
	return "\\fI" text "\\fR"
}

# A value such as NAME[@DOMAIN], or a command's form: in capitals what stands for something, else what is typed.
function form(text,   out, word)
{
	while (match(text, /[A-Z]+|-*[a-z][a-z0-9-]*/)) {
		word = substr(text, RSTART, RLENGTH)
		out = out plain(substr(text, 1, RSTART - 1)) (word ~ /^[A-Z]/ ? italic(word) : bold(word))
		text = substr(text, RSTART + RLENGTH)
	}
	return out plain(text)
}

# Prints a text in lines of at most 100 columns, none of which is a request. A sentence begins a line.
function put(text,   n, i, token, line)
{
	n = split(text, token, " ")
	for (i = 1; i <= n; i++) {
		if (line ~ /[^.][.?!]$/ || line != "" && length(line) + 1 + length(token[i]) > 100) {
			print line
			line = ""
		}
		line = line == "" ? token[i] : line " " token[i]
		if (line ~ /^[.']/) {
			line = "\\&" line
		}
	}
	if (line != "") {
		print line
	}
}

# ---- Sentences ----

# Whether a word stands where a list of words has them: "tb, hta (the default) or none".
function is_listed(before, after, tail)
{
	return (before == "" || before ~ /[,:;]$/ || before == "or" || before == "and") &&
		(tail != "" || after == "" || after ~ /^\(/ || after == "or" || after == "and")
}

# One word of a sentence, without the marks around it. It is set in bold if it is typed so.
function set_word(word, is_in_list,   i, n, rest)
{
	if (word ~ /^\001/) {
		gsub(/[\001\002]/, "", word)
		gsub(/\003/, " ", word)
		return bold(word)
	}
	if (word ~ /^--[a-z]/ || word ~ /^-[a-zA-Z]$/ || word ~ /^RANGES_[A-Z_]+(=.*)?$/) {
		return bold(word)
	}
	if (is_in_list && word in is_value && !is_value[word]++) {
		return bold(word)
	}
	if (match(word, /^(analyzer|ranges)\([1-8]\)$/)) {
		return bold(substr(word, 1, length(word) - 3)) substr(word, length(word) - 2)
	}
	for (i = 1; i <= stand_ins; i++) {
		n = length(stand_in[i])
		rest = substr(word, n + 1)
		if (substr(word, 1, n) == stand_in[i] && rest !~ /^[A-Za-z]/) {
			return rest ~ /^[\/_.]/ ? italic(plain(word)) : italic(stand_in[i]) plain(rest)
		}
	}
	return plain(word)
}

# Joins the words of a quoted command, so that they are one word.
function join_quoted(text,   out, quoted)
{
	while (match(text, /`[^`]*`|"(ranges|analyzer) [^"]*"/)) {
		quoted = substr(text, RSTART + 1, RLENGTH - 2)
		gsub(/ /, "\003", quoted)
		out = out substr(text, 1, RSTART - 1) "\001" quoted "\002"
		text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

# The values there are that a sentence did not have: a sentence about them.
function say_values(words, is_list,   n, i, token)
{
	n = split(words, token, " ")
	for (i = 1; i <= n; i++) {
		if (is_value[token[i]] == 0) {
			return (is_list ? " Any of " : " One of ") list_bold(words) "."
		}
	}
	return ""
}

function list_bold(words,   n, i, token, out)
{
	n = split(words, token, " ")
	for (i = 1; i <= n; i++) {
		out = out (i > 1 ? ", " : "") bold(token[i])
	}
	return out
}

# What the program says of an option, as a sentence.
function say(text, words, value,   n, i, token, head, tail, word, out, set)
{
	split("", is_value)
	n = split(words, token, " ")
	for (i = 1; i <= n; i++) {
		is_value[token[i]] = 0
	}
	stand_ins = split(value, stand_in, /[^A-Z]+/)
	for (i = 1; i <= stand_ins; i++) {
		if (stand_in[i] == "") {
			stand_in[i] = "\001"
		}
	}
	sub(/: see (analyzer|ranges)\(1\)$/, "", text) # this page
	n = split(join_quoted(text), token, " ")
	for (i = 1; i <= n; i++) {
		word = token[i]
		head = tail = ""
		if (match(word, /^\(+/)) {
			head = substr(word, 1, RLENGTH)
			word = substr(word, RLENGTH + 1)
		}
		if (word !~ /\([1-8]\)[.,;:]*$/ && match(word, /[,;:.)]+$/)) {
			tail = substr(word, RSTART)
			word = substr(word, 1, RSTART - 1)
		}
		set = set_word(word, is_listed(i > 1 ? token[i - 1] : "", i < n ? token[i + 1] : "", tail))
		if (i == 1 && set == word) {
			set = toupper(substr(set, 1, 1)) substr(set, 2)
		}
		out = out (i > 1 ? " " : "") head set tail
	}
	return out (out ~ /[.!?]$/ ? "" : ".")
}

# ---- Facts of the program ----

# @pairs: which options it does not go with, or only goes with. The text may say the latter itself.
function take_option(command, option, letter, value, words, text, is_named, variable, pairs,   head, at)
{
	if (is_named) {
		named[command] = named[command] (named[command] == "" ? "" : ", ") bold(option)
		return
	}
	head = (letter == "" ? "" : bold(letter) ", ") bold(option)
	head = head (value == "" ? "" : (value ~ /^\[/ ? "" : " ") form(value))
	if (count[command] > 0 && texts[command, count[command]] == text) {
		heads[command, count[command]] = heads[command, count[command]] ", " head
		return
	}
	at = ++count[command]
	options[command, at] = option
	heads[command, at] = head
	texts[command, at] = text
	sentences[command, at] = say(text, words, value)
	if (value !~ /=/ && value != words) {
		sentences[command, at] = sentences[command, at] say_values(words, value ~ /^LIST|,\.\.\./)
	}
	if (pairs != "" && !(pairs ~ /^only with [^,;]*$/ && index(text, substr(pairs, 6)))) {
		sentences[command, at] = sentences[command, at] " " say(pairs, "", "")
	}
	places[command, option] = at
	takers[option, text]++
	sub(/=.*/, "", variable)
	if (variable != "") {
		setters[variable] = setters[variable] (setters[variable] == "" ? "" : ", ") bold(option)
	}
}

# What each command takes is explained once.
function find_common(   i, command, last)
{
	for (i = 1; i <= count[commands[1]]; i++) {
		if (takers[options[commands[1], i], texts[commands[1], i]] == command_count) {
			last = ++count["All commands"]
			options["All commands", last] = options[commands[1], i]
			heads["All commands", last] = heads[commands[1], i]
			sentences["All commands", last] = sentences[commands[1], i]
			places["All commands", options["All commands", last]] = last
			is_common[options[commands[1], i], texts[commands[1], i]] = 1
		}
	}
}

function read_facts(   at)
{
	FS = "\t"
	while ((getline <facts) > 0) {
		if ($1 == "usage") {
			usages[$2] = usages[$2] $3 "\n"
		} else if ($1 == "option") {
			take_option($2, $3, $4, $5, $6, $7, $8 != "", $9, $10)
		} else {
			lines[$1, ++line_count[$1]] = $3
		}
		if ($1 == "usage" && $2 != commands[command_count]) {
			commands[++command_count] = $2
		}
	}
	close(facts)
	find_common()
}

# ---- Parts ----

function put_entry(command, at)
{
	print ".TP"
	print heads[command, at]
	put(sentences[command, at])
	is_there[command, at] = 1
}

function put_option(option)
{
	if (!((section, option) in places)) {
		fail(section " has no option " option ": remove its entry")
		return
	}
	if (is_there[section, places[section, option]]) {
		fail(section " has a second entry for " option)
	}
	put_entry(section, places[section, option])
}

# The options that have no entry yet, the end mark, and those that another command explains.
function put_end(mark,   i)
{
	for (i = 1; i <= count[section]; i++) {
		if (!is_there[section, i] &&
		    (section == "All commands" || !is_common[options[section, i], texts[section, i]])) {
			print ".\\\" " options[section, i]
			put_entry(section, i)
			print ".\\\" ."
		}
	}
	print mark
	is_ended[section] = 1
	if (named[section] != "") {
		print ".TP\n" named[section]
		print "How logs and traces are read, as by \\fB" program " stats\\fR."
	}
}

function put_usages(   n, i, line, first)
{
	first = 1
	while ((getline line <name) > 0) {
		if (line !~ /^\.SS /) {
			continue
		}
		sub("^[.]SS (" program " )?", "", line)
		n = split(usages[line], forms, "\n")
		for (i = 1; i < n; i++) {
			if (!first) {
				print ".br"
			}
			first = 0
			put(form(forms[i]))
		}
	}
	close(name)
}

# Suffixes, each with what is written there.
function put_outputs(   i, line, text)
{
	for (i = 1; i <= line_count["output"] + 1; i++) {
		line = i > line_count["output"] ? "  ." : lines["output", i]
		if (line ~ /^  [.]/) {
			if (text != "") {
				put(say(text, "", ""))
			}
			if (i > line_count["output"]) {
				break
			}
			match(line, /^  [^ ]+ +/)
			print ".TP"
			print ".I " plain(substr(line, 3, index(substr(line, 3), " ") - 1))
			text = substr(line, RLENGTH + 1)
		} else {
			sub(/^ +/, "", line)
			text = text " " line
		}
		sub(/;$/, "", text)
	}
}

# Questions, each with what answers it.
function put_reports(   i, line, title, is_open)
{
	for (i = 1; i <= line_count["report"] && (line = lines["report", i]) !~ /^\*/; i++) {
		if (line ~ /^[A-Z]/) {
			title = line
			sub(/;.*/, "", title)
			if (is_open) {
				print ".PD\n.RE"
			}
			is_open = 0
			print ".IP"
			printf "\\fI%s\\fR", title
			print lines["report", i + 1] ~ /^  / ? " " bold(substr(lines["report", i + 1], 3)) : ""
		} else if (line ~ /^[a-z]/) {
			put_report(line, is_open)
			is_open = 1
		}
	}
	print ".PD\n.RE"
}

function put_report(line, is_open,   report, star)
{
	if (!is_open) {
		print ".RS\n.PD 0"
	}
	report = line
	sub(/ .*/, "", report)
	sub(/^[^ ]* +/, "", line)
	star = sub(/^\* +/, "", line) ? " (*)" : ""
	gsub(/-/, "\\-", report)
	gsub(/--/, "\\-\\-", line)
	gsub(/…/, "...", line)
	print ".TP\n.B " report "\n" line star
}

# "  NAME = default  [limits]", then lines of text.
function put_variables(   i, line, variable, rest, text, words)
{
	for (i = 1; i <= line_count["variable"] + 1; i++) {
		line = lines["variable", i]
		if (line !~ /^      / && text != "") {
			put(say(text, words, "") (setters[variable] == "" ? "" : " Option: " setters[variable] "."))
			text = ""
		}
		if (line ~ /^  [A-Z]/) {
			variable = line
			sub(/^  /, "", variable)
			rest = variable
			sub(/ .*/, "", variable)
			rest = substr(rest, length(variable) + 1)
			gsub(/  +/, " ", rest)
			words = ""
			if (match(rest, /\[[a-z|]+\]$/)) {
				words = substr(rest, RSTART + 1, RLENGTH - 2)
				gsub(/\|/, " ", words)
			}
			gsub(/-/, "\\-", rest)
			print ".TP"
			print "\\fB" variable "\\fR" rest
		} else if (line ~ /^      /) {
			sub(/^ */, "", line)
			text = text (text == "" ? "" : " ") line
		}
	}
}

BEGIN {
	read_facts()
}

/^\.S[SH] / {
	section = $0
	sub("^[.]S[SH] (" program " )?", "", section)
}

/^\.\\" \.$/ {
	if (!is_inside) {
		fail("an end without a mark")
	}
	is_inside = 0
	print
	next
}

/^\.\\" (usage|outputs|reports|variables|--[a-z0-9-]*)$/ {
	if (is_inside) {
		fail("the part before this mark lacks its end")
	}
	is_inside = 1
	mark = substr($0, 5)
	if (mark == "--") {
		put_end($0)
		next
	}
	print
	if (mark == "usage") {
		put_usages()
	} else if (mark == "outputs") {
		put_outputs()
	} else if (mark == "reports") {
		put_reports()
	} else if (mark == "variables") {
		put_variables()
	} else {
		put_option(mark)
	}
	next
}

!is_inside

END {
	if (is_inside) {
		fail("the last part lacks its end")
	}
	commands[++command_count] = "All commands"
	for (i = 1; i <= command_count; i++) {
		if (count[commands[i]] + (named[commands[i]] != "") > 0 && !is_ended[commands[i]]) {
			fail(commands[i] " lacks the mark that ends its options")
		}
	}
	exit has_failed
}
