# SPDX-License-Identifier: MIT
# dump shows payloads by their schemas, with C's layout, and raw bytes that cannot be decoded
# shellcheck disable=SC2154 # tests/commands/test-cli.sh sets it
python3 "$top_srcdir/tests/tools/payload-log.py" | text-log a.bin
analyzer dump a.bin | grep -v '^end'
