# SPDX-License-Identifier: MIT
# Hints for people who ask for steps, or have none
write_small a.bin
analyzer stats a.bin -r steps 2>&1 || echo "exit $?"
analyzer stats a.bin -r overview | grep -a Steps:
