# SPDX-License-Identifier: MIT
# A command line that is not understood gives a message and exit status 2
write_small a.bin
check()
{
	analyzer "$@"
	echo "$? $*" | tr -d "\n\r\033"; echo
}
check
check --no-such-option
check a.bin a.bin
check stat a.bin
check a.bin -o a.json -o b.json
check stats a.bin -o a -o b
check stats --list a.bin
check stats -r ranks -f csv a.bin a.bin
check stats -r short_kernels a.bin
check help nosuch
check help stat
check help stats more
check --help nosuch
check "$(printf 'no\n\033[31m\r.')"
check stats -r "$(printf 'a\nb')" a.bin
check "$(printf -- '--x\n.')"
check a.bin -o "$(printf 'no/a\n.json')"
check a.bin -f csv
check a.bin --sort=calls
check a.bin -o a.xml
check a.bin -o a.json --to nothing
check a.bin --to perfetto
check dump
check dump --no-such-option a.bin
check dump --slices --all a.bin
check info --format xml a.bin
check verify
check a.bin -o x.html --to html
check a.bin -o x.html --to perfeto
check stats -n 10 a.bin
check diff a.bin -o x.txt
ls
