#!/bin/sh
# SPDX-License-Identifier: MIT
# No command has two options with the same id: the command's code could not tell them apart, and a
# new option would do what another one does.

. "${0%/*}/../lib.sh"
cd "$top_srcdir" || exit 1

# list_rows FILE: prints "COMMAND ID NAME" of each row of an option table and each of its commands.
# A row whose sentence is NULL is another name for the row before it.
list_rows()
{
	${CC:-cc} -E -P -I. -I"$top_builddir" "$1" | python3 -c '
import re, sys

text = r"((?:\"(?:[^\"\\]|\\.)*\"\s*)+|NULL|\(\(void \*\)0\))"
row = re.compile(r"\{ (?:\x27(.)\x27|(\d+)), (?:true|false|0|1), " + r",\s*".join([text] * 4))
for found in row.finditer(sys.stdin.read()):
    letter, number, name, _, commands, sentence = found.groups()
    if letter and sentence.startswith("\""):
        for command in "".join(re.findall(r"\"([^\"]*)\"", commands)).split():
            print(command.lstrip("*"), letter, name.strip("\" "))'
}

for table in analyzer/commands/options/option-table.c libranges/launcher/shared/ranges-options.c; do
	rows=$(list_rows "$table" | sort)
	is_empty "$(echo "$rows" | awk '$1 " " $2 == last { print } { last = $1 " " $2 }')" \
		"each of the $(echo "$rows" | wc -l) options of commands in ${table##*/} has an id of its own"
done
done_testing
