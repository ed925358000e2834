/* SPDX-License-Identifier: MIT */
/* Logs that a run is to replace: kept under another name until a new one has taken their place. */
#ifndef RCAP_RANGES_ASIDE_H
#define RCAP_RANGES_ASIDE_H

/*
 * Makes the name of a file free: it is called NAME.old-PID from now on, or removed where it can't
 * be called so.
 *
 * @path: absolute. Return: 0, or an errno value: the name is not free. Context: one thread.
 */
int rcap_ranges_aside_put(const char *path);

/* Removes those whose name has a new file, gives the others their name back; if there are both, a
 * line says so. A second call does nothing. Context: as above. */
void rcap_ranges_aside_settle(void);

/* The same without a word, for a handler of signals after which the process ends. */
void rcap_ranges_aside_abandon(void);

#endif
