# SPDX-License-Identifier: MIT
# A command line that is not understood is said to be so, with exit status 2
write_small a.bin
check()
{
	analyzer "$@"
	echo "$? $*"
}
check
check --no-such-option
check a.bin a.bin
check stat a.bin
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
