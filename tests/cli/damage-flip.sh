# SPDX-License-Identifier: MIT
# A damaged chunk loses itself, and one line tells where
write_small a.bin
flip a.bin $(($(offset_of a.bin 4 2) + 70))
analyzer dump a.bin
echo "exit $?"
analyzer a.bin -o a.json
echo "exit $?"
analyzer verify a.bin
echo "exit $?"
analyzer dump --strict a.bin >out
