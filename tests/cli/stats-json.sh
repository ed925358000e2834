# SPDX-License-Identifier: MIT
# JSON names every report and the footer, and can be read
write_small a.bin
analyzer stats a.bin --format json --report ranges,threads,domains,footer >a.json
cat a.json
python3 -c 'import json; d = json.load(open("a.json")); print(*d, *d["reports"])'
