/* SPDX-License-Identifier: MIT */
/* Keeps logs that a run replaces under another name, until new ones have taken their places. */
#ifndef RCAP_RANGES_ASIDE_H
#define RCAP_RANGES_ASIDE_H

/*
 * Frees the name of a file: renames the file to NAME.old-PID, or removes it if that fails.
 *
 * @path: absolute. Return: 0, or an errno value: the name is not free. Context: one thread.
 */
int rcap_ranges_aside_put(const char *path);

/* Removes the old files whose name has a new file, and gives the others their name back; a line
 * reports if both remain. A second call does nothing. Context: as above. */
void rcap_ranges_aside_settle(void);

/* As above without messages, for a signal handler after which the process ends. */
void rcap_ranges_aside_abandon(void);

#endif
