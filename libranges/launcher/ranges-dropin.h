/* SPDX-License-Identifier: MIT */
/* Lets a program that needs NVIDIA's libnvToolsExt.so.1, and has none, find ours. */
#ifndef RCAP_RANGES_DROPIN_H
#define RCAP_RANGES_DROPIN_H

#include <stdbool.h>

/*
 * Appends the folder of our libnvToolsExt.so.1 to this process' LD_LIBRARY_PATH, which the child
 * inherits.
 *
 * @library: path of the libranges.so that is installed with it.
 * Return: false if there is no such file.
 */
bool rcap_ranges_dropin_export(const char *library);

#endif
