#!/bin/sh
# SPDX-License-Identifier: MIT
# Words that readers stumble over, in comments, texts and documents: each has a plain one.

. "${0%/*}/../lib.sh"
cd "$top_srcdir" || exit 1

# has_no WORD PLAIN: no file says WORD, for which PLAIN is there.
has_no()
{
	is_empty "$(grep -rniwE "$1" README.md CONTRIBUTING.md NEWS analyzer libranges format doc examples bench \
		tests --include='*.[ch]' --include='*.md' --include='*.1' --include='*.sh' --include='*.py' \
		--include=NEWS | grep -v '^tests/house/check-words')" "no file says \"$1\" where \"$2\" is plain"
}

has_no 'shall' 'must or should'
has_no 'in vain' 'failed'
has_no 'parted' 'separated or divided'
done_testing
