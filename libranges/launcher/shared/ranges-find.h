/* SPDX-License-Identifier: MIT */
/* Finds the launcher's companions: libranges.so and the analyzer, installed or in a build tree. */
#ifndef RCAP_RANGES_FIND_H
#define RCAP_RANGES_FIND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the library to load into the program: @wanted if it is not "", else the one next to this
 * executable, else the one in the installation directory. Makes the path absolute.
 *
 * @size: of out, at least 4096.
 * Return: false if there is none; out is then where it should be.
 */
bool rcap_ranges_find_library(char *out, size_t size, const char *wanted);

/* Finds the analyzer next to this executable. Return: false if it is not there; out is then
 * "analyzer", for execvp to search. */
bool rcap_ranges_find_analyzer(char *out, size_t size);

/* Finds a program as execvp() does. Return: false if there is none. */
bool rcap_ranges_find_program(const char *name, char *out, size_t size);

#endif
