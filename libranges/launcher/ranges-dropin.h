/* SPDX-License-Identifier: MIT */
/* Makes libnvToolsExt.so.1 of ours findable for a program that asks for NVIDIA's and has none. */
#ifndef RCAP_RANGES_DROPIN_H
#define RCAP_RANGES_DROPIN_H

#include <stdbool.h>

/*
 * Appends the folder of our libnvToolsExt.so.1 to LD_LIBRARY_PATH of this process, for the child.
 *
 * @library: path of the libranges.so that it is installed with.
 * Return: false if there is no such file.
 */
bool rcap_ranges_dropin_export(const char *library);

#endif
