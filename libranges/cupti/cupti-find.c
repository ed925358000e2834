/* SPDX-License-Identifier: MIT */
/* Finds the libcupti.so that fits the program. */
#include "libranges/cupti/cupti-find.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/base/log.h"

#define PATH_BYTES 4096
/* RTLD_LOCAL: the program's own symbols stay as they are. NODELETE: CUPTI does not survive dlclose.
 */
#define OPEN_FLAGS (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)

/* CUDA 11 had a soname for each minor version. Newest first. */
static const char *const sonames[] = { "libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8",
	                               "libcupti.so.11.7", "libcupti.so.11.6", "libcupti.so.11.5",
	                               "libcupti.so.11.4", "libcupti.so.11.3", "libcupti.so.11.2",
	                               "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so" };

#define SONAME_COUNT (sizeof(sonames) / sizeof(sonames[0]))

/* A search among the mapped libraries. */
struct mapped {
	const char *name;      /* "libcupti.so" */
	const char *directory; /* prefer one that stands here; NULL: no preference */
	char path[PATH_BYTES]; /* of the best; "" if there is none */
	bool is_preferred;
};

/* The file name of a path is `name`, or `name` with a version behind. */
static bool is_named(const char *path, const char *name)
{
	const char *const slash = strrchr(path, '/');
	const char *const base = slash ? slash + 1 : path;
	const size_t length = strlen(name);

	return strncmp(base, name, length) == 0 && (base[length] == '\0' || base[length] == '.');
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
	struct mapped *mapped = context;
	const char *const path = info->dlpi_name;
	bool is_preferred;

	(void) size;
	if (!path || !is_named(path, mapped->name) || strlen(path) >= sizeof(mapped->path)) {
		return 0;
	}
	is_preferred = mapped->directory &&
	               strncmp(path, mapped->directory, strlen(mapped->directory)) == 0;
	/* The name with the highest version wins: they differ in the number only. */
	if (mapped->path[0] == '\0' || (is_preferred && !mapped->is_preferred) ||
	    (is_preferred == mapped->is_preferred &&
	     strverscmp(strrchr(path, '/') ? strrchr(path, '/') : path,
	                strrchr(mapped->path, '/') ? strrchr(mapped->path, '/') : mapped->path) >
	             0)) {
		memcpy(mapped->path, path, strlen(path) + 1);
		mapped->is_preferred = is_preferred;
	}
	return 0;
}

bool rcap_cupti_find_is_mapped(const char *name)
{
	struct mapped mapped = { .name = name };

	dl_iterate_phdr(look_at, &mapped);
	return mapped.path[0] != '\0';
}

static void *try_path(const char *directory, const char *below, const char *name, char *path,
                      size_t size)
{
	void *handle;

	rcap_log_format(path, size, "%s%s%s", directory, below, name);
	handle = dlopen(path, OPEN_FLAGS);
	RCAP_LOG(RCAP_LOG_DEBUG, "cupti: %s: %s", path, handle ? "opened" : "not there");
	return handle;
}

/* What stands behind the name in "libcudart.so.12.4.127": the major version, 0 if there is none. */
static unsigned major_of(const char *path)
{
	const char *const at = strstr(strrchr(path, '/') ? strrchr(path, '/') : path, ".so.");

	return at ? (unsigned) strtoul(at + 4, NULL, 10) : 0;
}

/* A name without a version may be of any: it will do only where the program does not care. */
static bool has_major(const char *soname, unsigned major)
{
	return major == 0 || major_of(soname) == major;
}

/* Beside the runtime, or where the wheels of PyPI and the toolkit put it. Never of another major.
 */
static void *try_beside(const char *cudart, char *path, size_t size)
{
	static const char *const below[] = { "", "../../cuda_cupti/lib/",
		                             "../extras/CUPTI/lib64/" };
	const unsigned major = major_of(cudart);
	char directory[PATH_BYTES];
	void *handle = NULL;

	rcap_log_format(directory, sizeof(directory), "%.*s",
	                (int) (strrchr(cudart, '/') + 1 - cudart), cudart);
	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		for (size_t j = 0; j < SONAME_COUNT && !handle; j++) {
			if (has_major(sonames[j], major)) {
				handle = try_path(directory, below[i], sonames[j], path, size);
			}
		}
	}
	return handle;
}

static void *try_linker(unsigned major, char *path, size_t size)
{
	void *handle = NULL;

	for (size_t i = 0; i < SONAME_COUNT && !handle; i++) {
		if (has_major(sonames[i], major)) {
			handle = try_path("", "", sonames[i], path, size);
		}
	}
	return handle;
}

static void *try_prefix(const char *prefix, unsigned major, char *path, size_t size)
{
	static const char *const below[] = { "/extras/CUPTI/lib64/", "/lib64/", "/lib/" };
	void *handle = NULL;

	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		for (size_t j = 0; j < SONAME_COUNT && !handle; j++) {
			if (has_major(sonames[j], major)) {
				handle = try_path(prefix, below[i], sonames[j], path, size);
			}
		}
	}
	return handle;
}

static void *try_installation(unsigned major, char *path, size_t size)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables at this moment
	 */
	const char *const home = secure_getenv("CUDA_HOME");
	void *handle = home ? try_prefix(home, major, path, size) : NULL;

	return handle ? handle : try_prefix("/usr/local/cuda", major, path, size);
}

static void say_missing(unsigned major, char *path, size_t size)
{
	if (major != 0) {
		rcap_log_format(path, size, "no libcupti.so for CUDA %u was found", major);
	} else {
		rcap_log_format(path, size, "no libcupti.so was found");
	}
}

void *rcap_cupti_find_open(const char *wanted, char *path, size_t size)
{
	struct mapped cudart = { .name = "libcudart.so" };
	struct mapped cupti = { .name = "libcupti.so" };
	char directory[PATH_BYTES];
	unsigned major = 0;
	void *handle;

	if (wanted[0] != '\0') {
		handle = try_path("", "", wanted, path, size);
		if (!handle) {
			rcap_log_format(path, size, "RANGES_CUPTI_PATH=%.*s can't be loaded", 200,
			                wanted);
		}
		return handle;
	}
	dl_iterate_phdr(look_at, &cudart);
	if (strchr(cudart.path, '/')) {
		rcap_log_format(directory, sizeof(directory), "%.*s",
		                (int) (strrchr(cudart.path, '/') + 1 - cudart.path), cudart.path);
		cupti.directory = directory;
		major = major_of(cudart.path);
	}
	dl_iterate_phdr(look_at, &cupti);
	if (cupti.path[0] != '\0') {
		handle = dlopen(cupti.path, OPEN_FLAGS | RTLD_NOLOAD);
		if (handle) {
			rcap_log_format(path, size, "%s", cupti.path);
			return handle;
		}
	}
	handle = cupti.directory ? try_beside(cudart.path, path, size) : NULL;
	if (!handle) {
		handle = try_linker(major, path, size);
	}
	if (!handle) {
		handle = try_installation(major, path, size);
	}
	if (!handle) {
		say_missing(major, path, size);
	}
	return handle;
}
