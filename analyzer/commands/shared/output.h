/* SPDX-License-Identifier: MIT */
/* A stream before standard output that remembers the first error. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

/* From now on stdout is that stream: when it is closed the C library may not know any more why
 * earlier bytes were lost. Context: main, before anything is printed. */
void ra_cmd_output_begin(void);

/* Closes standard output. Return: 0, or an errno. */
int ra_cmd_output_end(void);

#endif
