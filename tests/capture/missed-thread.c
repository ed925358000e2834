/* SPDX-License-Identifier: MIT */
/*
 * To be preloaded: each new thread looks as glibc leaves one that is being made while another loads
 * libranges.so. It is missed when the library's first values of TLS are handed out to all threads,
 * and finds zeros there.
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
