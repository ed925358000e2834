# SPDX-License-Identifier: MIT
# dump shows payloads by their schemas, as C lays them out, and what cannot be decoded as it is
# shellcheck disable=SC2154 # tests/commands/test-cli.sh sets it
python3 "$top_srcdir/tests/tools/payload-log.py" | text-log a.bin
analyzer dump a.bin | grep -v '^end'
