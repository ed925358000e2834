/* SPDX-License-Identifier: MIT */
/*
 * Marks what the analyzer is doing by NVTX ranges, to find out where its own time goes.
 *
 * 	ranges run -o self.bin analyzer stats trace.json
 * 	analyzer self.bin
 *
 * Without a tool a phase costs a load and a branch.
 */
#ifndef RA_PHASE_H
#define RA_PHASE_H

/* Begins a phase of this thread, inside the phase that is open. @name: copied. */
void ra_phase_begin(const char *name);

/* Ends the phase that began last. */
void ra_phase_end(void);

#endif
