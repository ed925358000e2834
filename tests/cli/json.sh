# SPDX-License-Identifier: MIT
# FILE -o OUT.json writes all of it for Perfetto
write_small a.bin
analyzer a.bin -o a.json
no_version <a.json
ls
