# SPDX-License-Identifier: MIT
# If a log was cut short, everything before the cut is shown
write_small a.bin
cut a.bin $(($(offset_of a.bin 4 3) + 100))
analyzer dump a.bin
echo "exit $?"
analyzer verify a.bin
echo "exit $?"
analyzer a.bin -o a.json
echo "exit $?"
grep '"metadata"' a.json | no_version
analyzer a.bin -o a.json --strict
