/* SPDX-License-Identifier: MIT */
/* Help in 80 columns: what does not fit into a line goes to the begin of the next. */
#ifndef HELP_FOLD_H
#define HELP_FOLD_H

#define RA_HELP_FOLD_COLUMNS 80

/* Prints lines of help to stdout. What a line has too much goes on where its description begins,
 * with the next line if that stands there, too. */
void ra_help_fold_print(const char *help);

#endif
