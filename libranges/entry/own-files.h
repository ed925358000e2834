/* SPDX-License-Identifier: MIT */
/* The drain's own table of files. */
#ifndef RCAP_OWN_FILES_H
#define RCAP_OWN_FILES_H

/* Leaves the program's. Context: the drain, first of all. */
void rcap_own_files_leave(void);

/* Closes what the program has closed or replaced of 0, 1 and 2. Context: the drain. */
void rcap_own_files_follow(void);

#endif
