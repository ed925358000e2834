/* SPDX-License-Identifier: MIT */
/* Tests removing rows of flow events and metadata: the rows that are kept do not change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/load/load.h"
#include "analyzer/model/model.h"
#include "analyzer/rows/kineto.h"
#include "tests/tap.h"

#define EVENTS 1000
#define ARGS   1200 /* of every other event: a block of rows then has more than 64 KiB of them */

static bool is_dropped(int event)
{
	return event % 3 == 1 || event % 7 == 2;
}

/* Each third event is an arrow, one in seven metadata; the others are ranges, some of them long,
 * some much later than those beside them. */
static void write_trace(const char *path)
{
	FILE *file = fopen(path, "w");

	fprintf(file, "{\"traceEvents\":[");
	for (int i = 0; i < EVENTS; i++) {
		fprintf(file, "%s{\"pid\":1,\"tid\":%d,\"ts\":%d,", i > 0 ? "," : "", i % 4,
		        i % 97 == 6 ? 100000000 + i : i * 10);
		if (i % 3 == 1) {
			fprintf(file, "\"ph\":\"%c\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%d}",
			        "sft"[i % 4 % 3], i);
			continue;
		}
		if (i % 7 == 2) {
			fprintf(file,
			        "\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"t\"}}");
			continue;
		}
		fprintf(file,
		        "\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op%d\",\"dur\":%s,\"args\":{",
		        i % 10, i % 50 == 0 ? "9000000.5" : "5");
		for (int a = 0; a < ARGS && i % 2 == 0; a++) {
			fprintf(file, "\"arg %d\":%d,", a, 100000000 + a * i);
		}
		fprintf(file, "\"External id\":%d,\"Sequence number\":%d}}", i, i * 2);
	}
	fprintf(file, "]}");
	fclose(file);
}

static struct ra_model *load(const char *path, bool few_rows)
{
	const struct ra_load_options options = { .few_rows = few_rows };
	struct ra_model *model = NULL;

	if (ra_load_file(&model, path, &options, NULL) != 0) {
		tap_bail("the trace can't be read");
	}
	return model;
}

/* All values of an event that have no column. */
static unsigned long sum_rest(const struct ra_kineto *k, uint32_t event)
{
	struct ra_kineto_rest rest;
	unsigned long sum = 0;

	ra_kineto_rest_init(&rest, k, event);
	while (ra_kineto_rest_next(&rest, k)) {
		sum = sum * 31 + (unsigned long) rest.value.integer * 2 + rest.key + rest.is_arg;
	}
	return sum;
}

static bool is_same(const struct ra_kineto *a, uint32_t i, const struct ra_kineto *b, uint32_t j)
{
	return ra_kineto_ts(a, i) == ra_kineto_ts(b, j) &&
	       ra_kineto_dur(a, i) == ra_kineto_dur(b, j) && a->name[i] == b->name[j] &&
	       ra_kineto_get_thread(a, i) == ra_kineto_get_thread(b, j) &&
	       a->corr[i] == b->corr[j] && a->external[i] == b->external[j] &&
	       ra_kineto_get_category(a, i) == ra_kineto_get_category(b, j) &&
	       a->kind[i] == b->kind[j] && a->flags[i] == b->flags[j] &&
	       ra_kineto_get_phase(a, i) == ra_kineto_get_phase(b, j) &&
	       sum_rest(a, i) == sum_rest(b, j);
}

int main(void)
{
	char path[] = "/tmp/kineto-drop-XXXXXX";
	const int fd = mkstemp(path);
	struct ra_model *whole;
	struct ra_model *few;
	unsigned stay = 0;
	unsigned same = 0;

	write_trace(path);
	whole = load(path, false);
	few = load(path, true);
	for (int i = 0; i < EVENTS; i++) {
		if (!is_dropped(i)) {
			same += stay < few->kineto->count &&
			        is_same(whole->kineto, (uint32_t) i, few->kineto, stay);
			stay++;
		}
	}
	tap_ok(whole->kineto->count == EVENTS && whole->kineto->far_packed.count > 0 &&
	               whole->kineto->long_durs.count > 0 && whole->kineto->far_ts.count > 0 &&
	               few->kineto->far_ts.count > 0,
	       "a trace with long events and some that are much later, and with some that have "
	       "hundreds of args");
	tap_is_uint(few->kineto->count, stay, "rows of arrows and metadata are given back");
	tap_is_uint(same, stay, "... the others are what they were");
	tap_is_uint(few->kineto->dropped, EVENTS - stay, "... how many there were is known");
	tap_ok(few->quality.events == EVENTS &&
	               memcmp(few->kineto->phase_count, whole->kineto->phase_count,
	                      sizeof(whole->kineto->phase_count)) == 0,
	       "... and all are counted");
	tap_ok(few->slices.count == whole->slices.count &&
	               memcmp(few->slices.dur_ns, whole->slices.dur_ns,
	                      whole->slices.count * sizeof(*whole->slices.dur_ns)) == 0 &&
	               few->tracks[0].name == whole->tracks[0].name,
	       "ranges and names of threads are the same");
	ra_model_destroy(whole);
	ra_model_destroy(few);
	close(fd);
	unlink(path);
	return tap_done();
}
