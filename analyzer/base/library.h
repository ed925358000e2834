/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded when first needed. Linking with them would more than double the
 * time that the program takes to start. */
#ifndef RA_LIBRARY_H
#define RA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and where to store its pointer. */
struct ra_library_call {
	const char *name;
	size_t offset;
	bool is_as_declared; /* set by RA_LIBRARY_CALL */
};

/* Initialises a struct ra_library_call for one function. `type` is a struct of function pointers.
 * Its member is called like the function, without `prefix`. If the pointer's type differs from the
 * function's declaration, this does not compile. */
#define RA_LIBRARY_CALL(type, prefix, call)                                      \
	{                                                                        \
#prefix #call, offsetof(type, call),                             \
			_Generic(prefix##call, __typeof__(((type *) NULL)->call) \
		                 : true)                                         \
	}

/*
 * Loads a library for as long as the program runs, and looks up its functions. Context: one thread.
 *
 * @soname: the name by which programs load the library.
 * @functions: a struct with one pointer for each of the `count` calls.
 * @why: on failure the loader's message, valid until the next call of the loader.
 * Return: false if the library or one of the functions is missing.
 */
bool ra_library_load(const char *soname, const struct ra_library_call *calls, size_t count,
                     void *functions, const char **why);

#endif
