# SPDX-License-Identifier: MIT
# stats names the word that it does not understand
write_small a.bin
for words in '--report ranges,nothing' '--report ,' '--report ranges,ranges' '--format xml' '--group-by name,size' \
	'--sort cpu' '--limit -1' '--limit 2x' '--width 99999999999999999999' '--what'; do
	# shellcheck disable=SC2086 # a word each
	analyzer stats a.bin $words 2>&1
	echo "exit $?"
done
analyzer stats 2>&1
echo "exit $?"
analyzer stats a.bin b.bin 2>&1
echo "exit $?"
for words in 'kernels=some' 'memory=2' 'kernels=1.5' 'op=' 'memory' 'what=1'; do
	analyzer stats a.bin --set "$words" 2>&1
	echo "exit $?"
done
mkdir none
analyzer stats none 2>&1
echo "exit $?"
analyzer stats missing.bin 2>&1
