# SPDX-License-Identifier: MIT
# A file that may not be read is named with the reason
write_small a.bin
chmod 0 a.bin
if [ -r a.bin ]; then
	echo "this user may read everything"
	exit 77
fi
analyzer info a.bin
