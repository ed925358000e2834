# SPDX-License-Identifier: MIT
# Each command explains its options
for command in analyze dump info stats verify; do
	analyzer "$command" --help
	echo ---
done
