# SPDX-License-Identifier: MIT
# FILE -o OUT.json.gz holds the same text, packed
write_small a.bin
analyzer a.bin -o a.json --without-log
analyzer a.bin -o a.json.gz --without-log
gzip -dc a.json.gz | sed 's/"traceName":"a.json.gz"/"traceName":"a.json"/' | cmp - a.json && echo same
analyzer a.bin -o - --without-log | sed 's/"traceName":"-"/"traceName":"a.json"/' | cmp - a.json && echo same
