/* SPDX-License-Identifier: MIT */
/* Finds the libcupti.so that fits the program. */
#include "libranges/cupti/load/cupti-find.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/log.h"

#define PATH_BYTES 4096
/* With RTLD_LOCAL, CUPTI's symbols do not replace the program's own. NODELETE is needed because
 * CUPTI does not survive dlclose. */
#define OPEN_FLAGS (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)

/* The sonames, newest first. CUDA 11 had one for each minor version. */
static const char *const sonames[] = { "libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8",
	                               "libcupti.so.11.7", "libcupti.so.11.6", "libcupti.so.11.5",
	                               "libcupti.so.11.4", "libcupti.so.11.3", "libcupti.so.11.2",
	                               "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so" };

#define SONAME_COUNT (sizeof(sonames) / sizeof(sonames[0]))

/* State of a search among the libraries that the process has mapped. */
struct mapped {
	const char *name;      /* such as "libcupti.so" */
	const char *directory; /* directory whose libraries are preferred; NULL: none is */
	char path[PATH_BYTES]; /* the best library so far; "" if there is none */
	bool is_preferred;
};

/* True if the path's file name is `name`, or `name` and a version. */
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
	/* The highest version is the best. The names differ only in the version. */
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

bool rcap_cupti_find_is_same_file(const char *one, const char *other)
{
	struct stat a;
	struct stat b;

	return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool rcap_cupti_find_is_mapped(const char *name)
{
	struct mapped mapped = { .name = name };

	dl_iterate_phdr(look_at, &mapped);
	return mapped.path[0] != '\0';
}

uint32_t rcap_cupti_find_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	void *function = driver ? dlsym(driver, "cuDriverGetVersion") : NULL;
	int (*get_version)(int *out) = NULL;
	int version = 0;

	memcpy(&get_version, &function, sizeof(function));
	return get_version && get_version(&version) == 0 && version > 0 ? (uint32_t) version : 0;
}

/* ---- Places ---- */

/* Returns the length of a path up to its last slash, which is included. */
static int directory_length(const char *path)
{
	const char *const slash = strrchr(path, '/');

	return slash ? (int) (slash + 1 - path) : 0;
}

/* Adds the directory `below` of the first `length` bytes of `begin`, if there is such a
 * directory. */
static void add_directory(struct rcap_cupti_find *find, const char *begin, int length,
                          const char *below)
{
	char *place;

	if (find->count == RCAP_CUPTI_FIND_DIRECTORIES) {
		return;
	}
	place = find->directories[find->count];
	rcap_log_format(place, RCAP_CUPTI_FIND_BYTES, "%.*s%s", length, begin, below);
	for (uint32_t i = 0; i < find->count; i++) {
		if (strcmp(find->directories[i], place) == 0) {
			return;
		}
	}
	/* In the list, "" means the libraries that the dynamic linker finds. */
	find->count += place[0] == '\0' || access(place, X_OK) == 0;
}

static void add_prefix(struct rcap_cupti_find *find, const char *prefix)
{
	static const char *const below[] = { "/extras/CUPTI/lib64/", "/lib64/", "/lib/" };

	for (size_t i = 0; prefix && prefix[0] != '\0' && i < sizeof(below) / sizeof(below[0]);
	     i++) {
		add_directory(find, prefix, (int) strlen(prefix), below[i]);
	}
}

/* If the program is Python, adds the folders of PyPI's wheels. They are next to libraries that the
 * program has loaded from its Python environment. */
static int add_environment(struct dl_phdr_info *info, size_t size, void *context)
{
	static const char *const roots[] = { "/site-packages/", "/dist-packages/" };
	struct rcap_cupti_find *find = context;

	(void) size;
	for (size_t i = 0; info->dlpi_name && i < sizeof(roots) / sizeof(roots[0]); i++) {
		const char *const root = strstr(info->dlpi_name, roots[i]);

		if (root) {
			const int length = (int) (root - info->dlpi_name) + (int) strlen(roots[i]);

			add_directory(find, info->dlpi_name, length, "nvidia/cu13/lib/");
			add_directory(find, info->dlpi_name, length, "nvidia/cuda_cupti/lib/");
		}
	}
	return 0;
}

static int compare_versions(const void *a, const void *b)
{
	return strverscmp(*(char *const *) b, *(char *const *) a);
}

/* Adds all directories that match the pattern, the highest version first: 24.11 before 24.9. */
static void add_matches(struct rcap_cupti_find *find, const char *pattern)
{
	glob_t matches;

	/* The pattern has no ~, and this is no signal handler.
	 * NOLINTNEXTLINE(concurrency-mt-unsafe) */
	if (glob(pattern, 0, NULL, &matches) == 0) {
		qsort(matches.gl_pathv, matches.gl_pathc, sizeof(*matches.gl_pathv),
		      compare_versions);
		for (size_t i = 0; i < matches.gl_pathc; i++) {
			add_prefix(find, matches.gl_pathv[i]);
		}
		globfree(&matches);
	}
}

static void add_places(struct rcap_cupti_find *find, const char *cudart)
{
	static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX" };
	char program[RCAP_CUPTI_FIND_BYTES];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (strchr(cudart, '/')) {
		add_directory(find, cudart, directory_length(cudart), "");
		add_directory(find, cudart, directory_length(cudart), "../../cuda_cupti/lib/");
		add_directory(find, cudart, directory_length(cudart), "../extras/CUPTI/lib64/");
	}
	dl_iterate_phdr(add_environment, find);
	if (length > 0) {
		program[length] = '\0';
		add_directory(find, program, directory_length(program), "../lib/");
	}
	add_directory(find, "", 0, "");
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables */
		add_prefix(find, secure_getenv(variables[i]));
	}
	add_prefix(find, "/usr/local/cuda");
	add_matches(find, "/usr/local/cuda-*");
	add_matches(find, "/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*");
}

/* ---- The search ---- */

/* Returns the major version in a library's name: 12 for "libcudart.so.12.4.127"; 0 if there is
 * none. */
static unsigned major_of(const char *path)
{
	const char *const at = strstr(strrchr(path, '/') ? strrchr(path, '/') : path, ".so.");

	return at ? (unsigned) strtoul(at + 4, NULL, 10) : 0;
}

void rcap_cupti_find_begin(struct rcap_cupti_find *find, const char *wanted)
{
	struct mapped cudart = { .name = "libcudart.so" };
	struct mapped cupti = { .name = "libcupti.so" };
	char directory[PATH_BYTES];

	memset(find, 0, sizeof(*find));
	find->wanted = wanted;
	find->driver = rcap_cupti_find_driver() / 1000;
	dl_iterate_phdr(look_at, &cudart);
	if (strchr(cudart.path, '/')) {
		rcap_log_format(directory, sizeof(directory), "%.*s", directory_length(cudart.path),
		                cudart.path);
		cupti.directory = directory;
		find->major = major_of(cudart.path);
	}
	dl_iterate_phdr(look_at, &cupti);
	if (cupti.path[0] != '\0' && strlen(cupti.path) < RCAP_CUPTI_FIND_BYTES) {
		find->is_only = true;
		find->is_other =
			strchr(wanted, '/') && !rcap_cupti_find_is_same_file(wanted, cupti.path);
		rcap_log_format(find->directories[0], RCAP_CUPTI_FIND_BYTES, "%s", cupti.path);
	} else if (wanted[0] != '\0') {
		find->is_only = true;
		rcap_log_format(find->directories[0], RCAP_CUPTI_FIND_BYTES, "%s", wanted);
	} else {
		add_places(find, cudart.path);
	}
}

/*
 * Returns the sonames one by one, in the order in which they are tried. First come those that the
 * driver supports, the newest first, then those too new for the driver. Return: NULL after the last
 * one.
 */
static const char *soname_of(const struct rcap_cupti_find *find, uint32_t number)
{
	for (int is_too_new = 0; is_too_new < 2; is_too_new++) {
		for (size_t i = 0; i < SONAME_COUNT; i++) {
			const unsigned major = major_of(sonames[i]);

			/* A name without a version may lead to a library of any version. So it is
			 * only tried if the program has not loaded a CUDA runtime. */
			if ((find->major != 0 && major != find->major) ||
			    (find->driver != 0 && major > find->driver) != (is_too_new != 0)) {
				continue;
			}
			if (number-- == 0) {
				return sonames[i];
			}
		}
	}
	return NULL;
}

static void *open_library(const char *directory, const char *name, char *path, size_t size)
{
	void *handle;

	rcap_log_format(path, size, "%s%s", directory, name);
	handle = dlopen(path, OPEN_FLAGS);
	RCAP_LOG(RCAP_LOG_DEBUG, "cupti: %s: %s", path, handle ? "opened" : "not there");
	return handle;
}

/* Opens the only library that is allowed. Return: NULL if it can't be opened, or was returned by an
 * earlier call. */
static void *open_only(struct rcap_cupti_find *find, char *path, size_t size)
{
	void *handle = NULL;

	if (find->directory++ == 0) {
		handle = open_library("", find->directories[0], path, size);
		if (!handle) {
			rcap_log_format(path, size, "RANGES_CUPTI_PATH=%.*s can't be loaded", 200,
			                find->directories[0]);
		}
	}
	return handle;
}

void *rcap_cupti_find_next(struct rcap_cupti_find *find, char *path, size_t size)
{
	if (find->is_only) {
		return open_only(find, path, size);
	}
	while (find->directory < find->count) {
		const char *const soname = soname_of(find, find->soname++);
		void *handle;

		if (!soname) {
			find->soname = 0;
			find->directory++;
			continue;
		}
		handle = open_library(find->directories[find->directory], soname, path, size);
		if (handle) {
			return handle;
		}
	}
	if (find->major != 0) {
		rcap_log_format(path, size, "no libcupti.so for CUDA %u was found", find->major);
	} else {
		rcap_log_format(path, size, "no libcupti.so was found");
	}
	return NULL;
}
