/* SPDX-License-Identifier: MIT */
/* Makes libnvToolsExt.so.1 of ours findable for a program that asks for NVIDIA's and has none. */
#ifndef RCAP_RANGES_DROPIN_H
#define RCAP_RANGES_DROPIN_H

#include <stdbool.h>

/*
 * Asks the program's own dynamic linker, which runs nothing of the program.
 *
 * @name: of a program as execvp() takes it.
 * Return: true if the program, or a library that it needs, is linked with libnvToolsExt.so.1 and
 * there is no such file. False also for scripts, static programs and where it can't be told.
 * Context: starts and awaits a child; some ms.
 */
bool rcap_ranges_dropin_is_missed(const char *name);

/*
 * Appends the folder of our libnvToolsExt.so.1 to LD_LIBRARY_PATH of this process, for the child.
 *
 * @library: path of the libranges.so that it is installed with.
 * Return: false if there is no such file.
 */
bool rcap_ranges_dropin_export(const char *library);

#endif
