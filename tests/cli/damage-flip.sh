# SPDX-License-Identifier: MIT
# Only the damaged chunk is lost, and one line says where
write_small a.bin
flip a.bin $(($(offset_of a.bin 4 2) + 70))
analyzer dump a.bin
echo "exit $?"
analyzer a.bin -o a.json
echo "exit $?"
analyzer verify a.bin
echo "exit $?"
analyzer dump --strict a.bin >out
