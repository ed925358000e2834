# SPDX-License-Identifier: MIT
# A complete output replaces the older file, with the same mode, through links
write_small a.bin
echo old >real.json
chmod 640 real.json
ln -s real.json link.json
analyzer a.bin -o link.json
head -c 20 real.json
echo
stat -c '%a %F' real.json link.json
ls -A
