/* SPDX-License-Identifier: MIT */
/* Tests how names of logs are made from patterns, and which facts a log has about its process. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/spool/facts.h"
#include "libranges/drain/output.h"
#include "tests/tap.h"

/* One thread. NOLINTBEGIN(concurrency-mt-unsafe) */

struct name_case {
	const char *pattern;
	const char *wanted; /* NULL: refused */
	unsigned attempt;
	bool is_root;
};

static const struct name_case cases[] = {
	{ "trace.bin", "trace.bin", 0, true },
	{ "trace.bin", "trace.42.bin", 1, true },
	{ "trace.bin", "trace.42.1.bin", 2, true },
	{ "trace.bin", "trace.42.bin", 0, false },
	{ "trace.bin", "trace.42.1.bin", 1, false },
	{ "/a.b/trace", "/a.b/trace.42", 0, false },
	{ "/a/.hidden", "/a/.hidden.42", 0, false },
	{ "t.tar.gz", "t.tar.42.gz", 0, false },
	{ "%p.bin", "42.bin", 0, true },
	{ "%p.bin", "42.bin", 0, false },
	{ "%p.bin", "42.1.bin", 1, false },
	{ "%h/%r.bin", "node/3.bin", 0, true },
	{ "t%n.bin", "t1.bin", 0, true },
	{ "t%n.bin", "t3.bin", 2, false },
	{ "100%%.bin", "100%.bin", 0, true },
	{ "%%p", "%p", 0, true },
	{ "%q{JOB}.bin", "job-7.bin", 0, true },
	{ "%q{SLASH}.bin", NULL, 0, true },
	{ "%q{DOTS}.bin", NULL, 0, true },
	{ "%q{NOT_SET}.bin", NULL, 0, true },
	{ "%q{}.bin", NULL, 0, true },
	{ "%q{JOB", NULL, 0, true },
	{ "%qJOB", NULL, 0, true },
	{ "%x.bin", NULL, 0, true },
	{ "trace%", NULL, 0, true },
	{ "", NULL, 0, true },
	{ "directory/", NULL, 0, true },
};

static void test_names(void)
{
	setenv("JOB", "job-7", 1);
	setenv("SLASH", "a/b", 1);
	setenv("DOTS", "..", 1);
	unsetenv("NOT_SET");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rcap_output_names names = { .host = "node",
			                                 .rank = "3",
			                                 .pid = 42,
			                                 .attempt = cases[i].attempt,
			                                 .is_root = cases[i].is_root };
		struct rlog_error err = { .message = "" };
		char out[256];
		const int rc = rcap_output_make(out, sizeof(out), cases[i].pattern, &names, &err);

		if (cases[i].wanted == NULL) {
			tap_ok(rc == -RLOG_E_ARGUMENT && err.message[0] != '\0',
			       "\"%s\" is refused: %s", cases[i].pattern, err.message);
		} else {
			tap_is_text(rc == 0 ? out : err.message, cases[i].wanted,
			            "\"%s\", attempt %u, %s", cases[i].pattern, cases[i].attempt,
			            cases[i].is_root ? "root" : "other process");
		}
	}
}

static void test_limits(void)
{
	const struct rcap_output_names names = { .host = "node", .pid = 42, .is_root = true };
	const struct rcap_output_names other = { .host = "node", .pid = 42 };
	char out[10];

	tap_is_int(rcap_output_make(out, sizeof(out), "trace.bin", &names, NULL), 0,
	           "a name that just fits is made");
	tap_is_int(rcap_output_make(out, sizeof(out), "trace.bin", &other, NULL), -RLOG_E_FULL,
	           "a name that gets too long by its pid is refused");
	tap_is_int(rcap_output_make(out, sizeof(out), "longer.bin", &names, NULL), -RLOG_E_FULL,
	           "a name that is too long is refused");
	tap_is_int(rcap_output_make(out, sizeof(out), "%r", &names, NULL), 0, "%%r needs no rank");
	tap_is_text(out, "0", "and is 0 then");
	tap_ok(rcap_output_has("a%pb", 'p') && !rcap_output_has("a%%pb", 'p') &&
	               !rcap_output_has("ap", 'p'),
	       "an escaped percent sign is no conversion");
}

static void clear_ranks(void)
{
	static const char *const names[] = {
		"RANK",         "WORLD_SIZE",     "OMPI_COMM_WORLD_RANK",
		"PMI_RANK",     "PMIX_RANK",      "MV2_COMM_WORLD_RANK",
		"PALS_RANKID",  "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK",
		"SLURM_PROCID", "SLURM_NTASKS"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsetenv(names[i]);
	}
}

static void test_ranks(void)
{
	static struct rcap_facts facts;

	clear_ranks();
	rcap_facts_find_rank(&facts);
	tap_ok(facts.rank == -1 && facts.rank_source[0] == '\0', "without a job there is no rank");
	setenv("SLURM_PROCID", "5", 1);
	setenv("SLURM_NTASKS", "8", 1);
	rcap_facts_find_rank(&facts);
	tap_ok(facts.rank == 5 && facts.world_size == 8, "Slurm tells rank and size");
	setenv("RANK", "7", 1);
	rcap_facts_find_rank(&facts);
	tap_is_text(facts.rank_source, "SLURM_PROCID",
	            "RANK alone does not go before a launcher's rank");
	unsetenv("SLURM_PROCID");
	unsetenv("SLURM_NTASKS");
	rcap_facts_find_rank(&facts);
	tap_ok(facts.rank == 7 && facts.world_size == -1, "without a launcher it is the rank");
	tap_is_text(facts.rank_source, "RANK", "and named as what told it");
	setenv("SLURM_PROCID", "5", 1);
	setenv("WORLD_SIZE", "16", 1);
	rcap_facts_find_rank(&facts);
	tap_is_text(facts.rank_source, "RANK", "torchrun's goes before Slurm's");
	setenv("RANK", "x", 1);
	rcap_facts_find_rank(&facts);
	tap_is_text(facts.rank_source, "SLURM_PROCID", "a rank that is no number is none");
	clear_ranks();
}

static const struct rlog_fact *find(const struct rcap_facts_list *list, const char *key)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->facts[i].key, key) == 0) {
			return &list->facts[i];
		}
	}
	return NULL;
}

static void test_facts(void)
{
	static struct rcap_facts facts;
	static struct rcap_facts_list list;
	const struct rlog_fact *fact;

	rcap_facts_collect(&facts);
	rcap_facts_list_init(&list, &facts);
	fact = find(&list, "pid");
	tap_ok(fact != NULL && fact->u64 == (uint64_t) getpid(), "the pid is there");
	fact = find(&list, "argv");
	tap_ok(fact != NULL && fact->text_count >= 1, "the command line is there");
	tap_is_uint(strlen(facts.capture_id), 32, "the capture id has 32 digits");
	tap_ok(find(&list, "rank") == NULL, "what is not known is left out");
	tap_ok(facts.start_mono_ns != 0 && facts.start_real_ns != 0, "the start is there");
	rcap_facts_list_add_texts(&list, "notes", "one\0two\0thr", 11);
	fact = find(&list, "notes");
	tap_ok(fact != NULL && fact->text_count == 3 && fact->texts[2].length == 3,
	       "texts are split at their NULs");
	memset(&facts, 0xFF, sizeof(facts)); /* a spool that was written over */
	rcap_facts_list_init(&list, &facts);
	fact = find(&list, "host");
	tap_ok(fact != NULL && fact->texts[0].length == sizeof(facts.host),
	       "a text without its NUL ends with its room");
	for (int i = 0; i < RCAP_FACTS_MAX; i++) {
		rcap_facts_list_add_u64(&list, "more", 1);
	}
	tap_ok(list.is_full && list.count == RCAP_FACTS_MAX, "a full list says so");
}

int main(void)
{
	test_names();
	test_limits();
	test_ranks();
	test_facts();
	return tap_done();
}

/* NOLINTEND(concurrency-mt-unsafe) */
