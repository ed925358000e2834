/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded when first needed: to be linked with them would cost each start
 * of the program more than all else costs there. */
#ifndef RA_LIBRARY_H
#define RA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and where its pointer goes. */
struct ra_library_call {
	const char *name;
	size_t offset;
	bool is_as_declared; /* set by RA_LIBRARY_CALL */
};

/* One of the functions of `type`, a struct of pointers that are named as the functions without
 * their prefix. No compiler takes a pointer whose type is not that of the function's header. */
#define RA_LIBRARY_CALL(type, prefix, call)                                      \
	{                                                                        \
#prefix #call, offsetof(type, call),                             \
			_Generic(prefix##call, __typeof__(((type *) NULL)->call) \
		                 : true)                                         \
	}

/*
 * Loads a library for as long as the program runs and looks its functions up; from one thread.
 *
 * @soname: the name that programs load it by.
 * @functions: a struct of pointers, one for each of the `count` calls.
 * @why: on failure the loader's words, valid until the next call of the loader.
 * Return: false if the library or one of the functions is not there.
 */
bool ra_library_load(const char *soname, const struct ra_library_call *calls, size_t count,
                     void *functions, const char **why);

#endif
