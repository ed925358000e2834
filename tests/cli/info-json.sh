# SPDX-License-Identifier: MIT
# info --format json prints the same as one JSON object
write_small a.bin
analyzer info --format json a.bin >a.json
python3 -m json.tool a.json
