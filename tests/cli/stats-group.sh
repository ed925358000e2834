# SPDX-License-Identifier: MIT
# Ranges can be grouped by name, path, domain, category, payload, or several of these
text-log a.bin <<'LOG'
def domain id=1 name="io"
def category id=5 domain="io" name="disk"
event 1 0 1000000000 push name="step"
event 1 1 1000000010 push name="load" domain="io" category=5 payload=u64:10
event 1 2 1000000020 pop domain="io"
event 1 3 1000000030 push name="load" domain="io" category=6 payload=i32:10
event 1 4 1000000050 pop domain="io"
event 1 5 1000000060 push name="step"
event 1 6 1000000070 pop
event 1 7 1000000100 pop
LOG
for key in name path domain category payload domain,name category,name path,payload; do
	echo "$key"
	analyzer stats a.bin --group-by "$key"
done
for form in csv json; do
	analyzer stats a.bin --group-by category,name,payload --sort payload --format "$form" 2>&1 |
		grep -v footer
done
