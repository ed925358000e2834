/* SPDX-License-Identifier: MIT */
/* Replaces standard output by a stream that remembers the first error. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

/* Replaces stdout by that stream, because when stdout is closed, the C library may no longer know
 * why earlier bytes were lost. Context: main, before anything is printed. */
void ra_cmd_output_begin(void);

/* Closes standard output. Return: 0, or an errno. */
int ra_cmd_output_end(void);

#endif
