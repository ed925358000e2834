/* SPDX-License-Identifier: MIT */
/* Gives the drain a file table of its own. */
#ifndef RCAP_OWN_FILES_H
#define RCAP_OWN_FILES_H

/* Leaves the program's file table. Context: the drain, before it does anything else. */
void rcap_own_files_leave(void);

/* Closes those of descriptors 0, 1 and 2 that the program has closed or replaced. Context: the
 * drain. */
void rcap_own_files_follow(void);

#endif
