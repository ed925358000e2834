# SPDX-License-Identifier: MIT
# --sort takes any column, + and - turn it round, --limit cuts
write_small a.bin
for key in calls -name +max_ns self_cpu; do
	analyzer stats a.bin --format csv --sort "$key" --limit 3 2>/dev/null
done
analyzer stats a.bin --limit 1
