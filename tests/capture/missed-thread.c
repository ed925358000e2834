/* SPDX-License-Identifier: MIT */
/*
 * To be preloaded. It puts each new thread into the state of a thread that is being made while
 * another one loads libranges.so. glibc misses such a thread when it gives the library's initial
 * values of TLS to all threads, so the thread has zeros there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

struct start {
	void *(*main)(void *);
	void *argument;
};

static int clear(struct dl_phdr_info *info, size_t size, void *data)
{
	(void) size;
	(void) data;
	if (!strstr(info->dlpi_name, "libranges.so") || !info->dlpi_tls_data) {
		return 0;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_TLS) {
			memset(info->dlpi_tls_data, 0, info->dlpi_phdr[i].p_memsz);
		}
	}
	return 0;
}

static void *run(void *argument)
{
	const struct start start = *(struct start *) argument;

	free(argument);
	dl_iterate_phdr(clear, NULL);
	return start.main(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*main)(void *),
                   void *argument)
{
	create_fn *const create = (create_fn *) dlsym(RTLD_NEXT, "pthread_create");
	const char *const library = getenv("NVTX_INJECTION64_PATH");
	struct start *const start = malloc(sizeof(*start));

	if (!start || !library || !dlopen(library, RTLD_LAZY)) {
		abort();
	}
	*start = (struct start){ main, argument };
	return create(thread, attributes, run, start);
}
