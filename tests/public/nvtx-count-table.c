/* SPDX-License-Identifier: MIT */
/*
 * nvtx-count-table: counts keys by thread and writes them at exit; see nvtx-count.c for the files.
 */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include "nvtx-count-table.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BUCKETS 65536u

/* One line of output: how often this thread produced this key. Info lines have thread 0. */
struct count {
	struct count *next;
	uint64_t hash;
	uint64_t n;
	unsigned thread;
	char key[];
};

/* lock protects buckets, counts_total and thread_last; malloc alone is called with it held. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct count *buckets[BUCKETS];
static size_t counts_total;
static unsigned thread_last;

static char *out_path;
static bool is_reserved; /* out_path itself was created by this process, so it may be written */

static _Thread_local unsigned thread_ordinal;

void *count_alloc(size_t size)
{
	void *const p = malloc(size);

	if (p == NULL) {
		fputs("nvtx-count: out of memory\n", stderr);
		abort(); /* a count that is silently short is worse than none */
	}
	return p;
}

char *count_copy(const char *text)
{
	text = text != NULL ? text : "";
	return memcpy(count_alloc(strlen(text) + 1), text, strlen(text) + 1);
}

static uint64_t hash_key(const char *key, unsigned thread)
{
	uint64_t h = 0xcbf29ce484222325u ^ thread;

	for (; *key != '\0'; key++) {
		h = (h ^ (unsigned char) *key) * 0x100000001b3u;
	}
	return h;
}

static void add_locked(const char *key, unsigned thread)
{
	const uint64_t h = hash_key(key, thread);
	struct count **const bucket = &buckets[h % BUCKETS];
	struct count *c = *bucket;

	while (c != NULL && (c->hash != h || c->thread != thread || strcmp(c->key, key) != 0)) {
		c = c->next;
	}
	if (c == NULL) {
		const size_t size = strlen(key) + 1;

		c = count_alloc(sizeof(*c) + size);
		memcpy(c->key, key, size);
		c->hash = h;
		c->thread = thread;
		c->n = 0;
		c->next = *bucket;
		*bucket = c;
		counts_total++;
	}
	c->n++;
}

void count_info(const char *format, ...)
{
	char *key = NULL;
	va_list args;

	va_start(args, format);
	const int length = vasprintf(&key, format, args);
	va_end(args);
	if (length < 0) {
		return;
	}
	pthread_mutex_lock(&lock);
	add_locked(key, 0);
	pthread_mutex_unlock(&lock);
	free(key);
}

static char *escape(char *to, const char *text)
{
	for (; *text != '\0'; text++) {
		char letter = '\0';

		switch (*text) {
		case '\\':
			letter = '\\';
			break;
		case '\t':
			letter = 't';
			break;
		case '\n':
			letter = 'n';
			break;
		case '\r':
			letter = 'r';
			break;
		default:
			break;
		}
		if (letter != '\0') {
			*to++ = '\\';
		}
		*to++ = letter != '\0' ? letter : *text;
	}
	return to;
}

void count_event(const char *kind, const char *domain_name, const char *name)
{
	char small[512];
	bool is_new = false;

	name = name != NULL ? name : "";
	const size_t size = strlen(kind) + 2 * strlen(domain_name) + 2 * strlen(name) + 3;
	char *const key = size <= sizeof(small) ? small : count_alloc(size);
	char *to = stpcpy(key, kind);

	*to++ = '\t';
	to = escape(to, domain_name);
	*to++ = '\t';
	to = escape(to, name);
	*to = '\0';

	pthread_mutex_lock(&lock);
	if (thread_ordinal == 0) {
		thread_ordinal = ++thread_last;
		is_new = true;
	}
	add_locked(key, thread_ordinal);
	pthread_mutex_unlock(&lock);
	if (is_new) {
		count_info("thread\t%u\ttid - pid = %ld", thread_ordinal,
		           syscall(SYS_gettid) - (long) getpid());
	}
	if (key != small) {
		free(key);
	}
}

static int compare_counts(const void *a, const void *b)
{
	const struct count *const left = *(struct count *const *) a;
	const struct count *const right = *(struct count *const *) b;
	const int order = strcmp(left->key, right->key);

	return order != 0 ? order : (left->thread > right->thread) - (left->thread < right->thread);
}

static int compare_threads(const void *a, const void *b)
{
	const struct count *const left = *(struct count *const *) a;
	const struct count *const right = *(struct count *const *) b;
	const int order = (left->thread > right->thread) - (left->thread < right->thread);

	return order != 0 ? order : strcmp(left->key, right->key);
}

static FILE *open_part(const char *suffix)
{
	char *path = NULL;
	FILE *file = NULL;
	const int length = is_reserved
	                           ? asprintf(&path, "%s%s", out_path, suffix)
	                           : asprintf(&path, "%s.%ld%s", out_path, (long) getpid(), suffix);

	if (length >= 0) {
		file = fopen(path, "w");
		if (file == NULL) {
			fprintf(stderr, "nvtx-count: cannot write: path=%s\n", path);
		}
		free(path);
	}
	return file;
}

static void write_total(struct count *const *all)
{
	FILE *const file = open_part("");

	if (file == NULL) {
		return;
	}
	for (size_t i = 0; i < counts_total;) {
		uint64_t n = 0;
		const struct count *const first = all[i];

		while (i < counts_total && strcmp(all[i]->key, first->key) == 0) {
			n += all[i]->n;
			i++;
		}
		if (first->thread != 0) {
			fprintf(file, "%s\t%" PRIu64 "\n", first->key, n);
		}
	}
	fclose(file);
}

/* Info keys hold names as the program gave them; a line stays a line. */
static void write_info(FILE *file, const struct count *c)
{
	for (const char *p = c->key; *p != '\0'; p++) {
		if (*p == '\n' || *p == '\r') {
			fputs(*p == '\n' ? "\\n" : "\\r", file);
		} else {
			fputc(*p, file);
		}
	}
	fprintf(file, "\t%" PRIu64 "\n", c->n);
}

static void write_parts(struct count *const *all)
{
	FILE *const info = open_part(".info");
	FILE *const threads = open_part(".threads");

	for (size_t i = 0; i < counts_total; i++) {
		if (all[i]->thread == 0 && info != NULL) {
			write_info(info, all[i]);
		} else if (all[i]->thread != 0 && threads != NULL) {
			fprintf(threads, "%u\t%s\t%" PRIu64 "\n", all[i]->thread, all[i]->key,
			        all[i]->n);
		}
	}
	if (info != NULL) {
		fclose(info);
	}
	if (threads != NULL) {
		fclose(threads);
	}
}

/* Runs in _dl_fini, after atexit handlers and C++ destructors, so that their events count too. */
__attribute__((destructor)) static void write_counts(void)
{
	size_t n = 0;

	if (out_path == NULL) {
		return;
	}
	pthread_mutex_lock(&lock);
	struct count **const all = count_alloc((counts_total + 1) * sizeof(struct count *));

	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct count *c = buckets[i]; c != NULL; c = c->next) {
			all[n++] = c;
		}
	}
	qsort(all, n, sizeof(struct count *), compare_counts);
	write_total(all);
	qsort(all, n, sizeof(struct count *), compare_threads);
	write_parts(all);
	free(all);
	pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* The child counts from zero and writes files of its own. */
static void after_fork_child(void)
{
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; i < BUCKETS; i++) {
		buckets[i] = NULL; /* leaked: the child may not free what another thread was at */
	}
	counts_total = 0;
	thread_last = 0;
	thread_ordinal = 0;
	is_reserved = false;
}

bool count_open(const char *path)
{
	if (path == NULL || *path == '\0') {
		return false;
	}
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	is_reserved = fd >= 0;
	if (fd >= 0) {
		close(fd);
	}
	out_path = count_copy(path);
	pthread_atfork(before_fork, after_fork_parent, after_fork_child);
	return true;
}
