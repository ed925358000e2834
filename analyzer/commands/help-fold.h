/* SPDX-License-Identifier: MIT */
/* Folds help text at 80 columns. */
#ifndef RA_HELP_FOLD_H
#define RA_HELP_FOLD_H

#define RA_HELP_FOLD_COLUMNS 80

/* Prints help to stdout. Text beyond column 80 continues on a new line, in the column where the
 * description begins; a following line that begins there, too, is joined to it. */
void ra_help_fold_print(const char *help);

#endif
