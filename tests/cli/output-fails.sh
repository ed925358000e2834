# SPDX-License-Identifier: MIT
# An output that cannot be written is reported, and leaves no file
write_small a.bin
check()
{
	"$@"
	echo "$? $*"
}
check analyzer a.bin -o folder/a.json
mkdir folder
check analyzer a.bin -o folder
check analyzer a.bin -o folder --to perfetto
[ -c /dev/full ] || { echo "there is no /dev/full"; exit 77; }
check analyzer a.bin -o /dev/full --to perfetto
for command in dump info verify; do
	analyzer "$command" a.bin >/dev/full
	echo "$? $command"
done
analyzer --help >/dev/full
echo "$? --help"
analyzer stats -r ranges a.bin >/dev/full
echo "$? stats"
ls -A . folder
