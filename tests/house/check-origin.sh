#!/bin/sh
# SPDX-License-Identifier: MIT
# Apart from readers, no code asks where a model came from. ra_model_has() and model-rows.h tell
# what it has.

. "${0%/*}/../lib.sh"
cd "$top_srcdir" || exit 1

# The exceptions: the rows' own folder and reader, the code for other tools' figures of rows, and
# the code that writes rows again.
free='^analyzer/(rows|read-json|compat)/|^analyzer/timeline/kineto/'
asks='kineto *(==|!=) *NULL|!([a-z_]+(->|\.))*kineto\b|\bkineto *(\?|&&|\|\|)|(&&|\|\||if \() *([a-z_]+->)*kineto *\)|->is_ours\b'

find_asks()
{
	find analyzer -name '*.[ch]' | grep -vE "$free" | LC_ALL=C sort | xargs grep -nE "$asks"
}

is_empty "$(find_asks)" "no part of analyzer/ asks whether a model was made of rows but by what it has"
is "$(printf 'if (model->kineto != NULL) {\nx = !m->kineto;\nreturn kineto ? 1 : 0;\nif (kineto)\n' |
	grep -cE "$asks")" 4 "and the pattern finds the ways to ask"
done_testing
