/* SPDX-License-Identifier: MIT */
/* Keeps logs that a run replaces under another name, until new ones have taken their places. */
#ifndef RCAP_RANGES_ASIDE_H
#define RCAP_RANGES_ASIDE_H

/*
 * Makes the name of a file free: renames the file to NAME.old-PID, or removes it if that fails.
 *
 * @path: absolute. Return: 0; an errno value if the name is not free. Context: one thread.
 */
int rcap_ranges_aside_put(const char *path);

/* Removes an old file if there is a new file with its name. Otherwise gives the old file its name
 * back. A line reports old files that remain among new ones. A second call does nothing. Context:
 * as rcap_ranges_aside_put(). */
void rcap_ranges_aside_settle(void);

/* Does the same without messages, for a signal handler after which the process ends. */
void rcap_ranges_aside_abandon(void);

#endif
