# SPDX-License-Identifier: MIT
# With -o each report goes into a file of its own, as if it were requested alone
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 9000 pop
end status="clean"
LOG
analyzer stats a.bin --report ranges,threads,footer -o all
analyzer stats a.bin --report nvtx_sum,threads --json --output two
for file in *_*; do
	name=${file#*_}
	case $file in
	*.json) analyzer stats a.bin --report "${name%.*}" --format json | cmp - "$file" && echo "$file" ;;
	*) analyzer stats a.bin --report "${name%.*}" | cmp - "$file" && echo "$file" ;;
	esac
done
mkdir only
analyzer stats a.bin a.bin --report ranks,ranges --format csv -o only/x 2>/dev/null
ls only
analyzer stats a.bin -o none/x 2>&1
echo "exit $?"
