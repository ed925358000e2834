/* SPDX-License-Identifier: MIT */
/* Collects once what a log says about its process, stores it as plain bytes, and gives it to the
 * writer as facts. */
#ifndef RCAP_FACTS_H
#define RCAP_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

#define RCAP_FACTS_PATH_BYTES 4096
#define RCAP_FACTS_ARGV_BYTES 8192

#define RCAP_FACTS_VARIABLE_BYTES    64 /* bytes of each variable, with its NUL */
#define RCAP_FACTS_ENVIRONMENT_BYTES 1024

/* Facts about a process. The struct has no pointers, so it can be in a spool, and be read after the
 * process has died. Texts end with a NUL. */
struct rcap_facts {
	int64_t pid;
	int64_t ppid;
	int64_t uid;
	int64_t cpus;
	int64_t rank;       /* -1 if no usual variable is set */
	int64_t world_size; /* -1 if no usual variable is set */
	uint64_t start_mono_ns;
	uint64_t start_real_ns;
	uint32_t argv_bytes; /* bytes used in argv */
	uint32_t argv_cut;   /* 1 if the command line was cut */
	char capture_id[40]; /* 32 hex digits */
	char rank_source[40];
	char boot_id[40];
	char host[72];
	char arch[72];
	char os[136];
	char exe[RCAP_FACTS_PATH_BYTES];
	char cwd[RCAP_FACTS_PATH_BYTES];
	char argv[RCAP_FACTS_ARGV_BYTES];               /* arguments, each ended by a NUL */
	char environment[RCAP_FACTS_ENVIRONMENT_BYTES]; /* NAME=value, each ended by a NUL */
	uint32_t environment_bytes;                     /* bytes used in environment */
};

/*
 * Collects the facts of this process. A fact that can't be found out stays 0, -1 or "".
 *
 * Context: any thread; no allocation, no stdio; some ten system calls (about 50 µs); errno is kept.
 */
void rcap_facts_collect(struct rcap_facts *out);

/* Finds the rank in the environment. Sets -1 and "" if no usual variable is set.
 * rcap_facts_collect() does this, too. */
void rcap_facts_find_rank(struct rcap_facts *out);

#define RCAP_FACTS_MAX      64
#define RCAP_FACTS_TEXT_MAX 512

/* Facts in the form that the writer takes. Its pointers point into the rcap_facts, into this
 * struct, or to what was added. */
struct rcap_facts_list {
	struct rlog_fact facts[RCAP_FACTS_MAX];
	struct rlog_string texts[RCAP_FACTS_TEXT_MAX];
	size_t count;
	size_t text_count;
	bool is_full; /* something did not fit and was left out */
};

/* Makes the list. @facts: may be from a damaged spool; must exist as long as the list. */
void rcap_facts_list_init(struct rcap_facts_list *out, const struct rcap_facts *facts);

/* Adds a fact. Key and text must exist as long as the list. An empty text is not added. */
void rcap_facts_list_add_text(struct rcap_facts_list *list, const char *key, const char *text);
void rcap_facts_list_add_u64(struct rcap_facts_list *list, const char *key, uint64_t value);
void rcap_facts_list_add_bool(struct rcap_facts_list *list, const char *key, bool value);

/*
 * Adds an array of texts.
 *
 * @block: texts, each ended by a NUL, one after the other; must exist as long as the list.
 * @bytes: of the block. If the last text has no NUL, it ends there.
 */
void rcap_facts_list_add_texts(struct rcap_facts_list *list, const char *key, const char *block,
                               size_t bytes);

#endif
