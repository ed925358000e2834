/* SPDX-License-Identifier: MIT */
/* Tests the builder of a model: ids of domains, lost strings, and data in the order of their
 * owners. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/build/builder.h"
#include "tests/tap.h"

/* String 2 is lost: its place is there, its bytes are not. */
static const struct rlog_string strings[] = {
	{ .bytes = "", .length = 0 },
	{ .bytes = "one", .length = 3, .full_length = 3 },
	{ .bytes = NULL },
	{ .bytes = "three", .length = 5, .full_length = 5 },
};

static uint16_t find_domain(struct ra_builder *builder, uint32_t id)
{
	uint16_t index = 0;

	ra_builder_find_domain(builder, id, &index);
	return index;
}

static uint32_t find_name(struct ra_builder *builder, uint32_t id)
{
	uint32_t name = 0;

	ra_builder_map_name(builder, id, &name);
	return name;
}

static void test_domains(struct ra_builder *builder)
{
	static const uint32_t ids[] = { 1, 5, 1023, 1024, 5, UINT32_MAX, 1024, 1 };
	static const uint16_t wanted[] = { 1, 2, 3, 4, 2, 5, 4, 1 };
	const struct ra_model *m = builder->model;
	int good = 0;

	tap_ok(m->domain_count == 1 && find_domain(builder, 0) == 0, "domain 0 is always there");
	for (size_t i = 0; i < 8; i++) {
		good += find_domain(builder, ids[i]) == wanted[i];
	}
	tap_is_int(good, 8, "ids get indices as they come, small and large ones, each once");
	tap_is_uint(m->domains[5].id, UINT32_MAX, "... and the model knows which id is which");
	for (uint32_t id = 2000; m->domain_count < RA_BUILDER_MAX_DOMAINS; id++) {
		(void) find_domain(builder, id);
	}
	tap_is_uint(find_domain(builder, 1000000), RA_BUILDER_MAX_DOMAINS - 1,
	            "what is too many shares the last one");
	tap_is_uint(m->domain_count, RA_BUILDER_MAX_DOMAINS, "... which the model does not exceed");
}

static void test_names(struct ra_builder *builder)
{
	const struct ra_model *m = builder->model;
	const uint32_t lost = find_name(builder, 2);
	const uint32_t beyond = find_name(builder, 77);
	uint32_t own = 0;

	tap_ok(find_name(builder, 1) == 1 && find_name(builder, 3) == 3,
	       "strings that are there are their own names, also behind a lost one");
	tap_ok(lost >= m->string_count && beyond >= m->string_count && lost != beyond,
	       "a lost string and one that never was get stand-ins");
	tap_ok(find_name(builder, 2) == lost && find_name(builder, 77) == beyond,
	       "... each only one");
	tap_is_uint(m->quality.lost_names, 4, "... and every use of them is counted");
	ra_builder_add_name(builder, "own", 3, &own);
	tap_ok(own == m->name_count - 1 &&
	               memcmp(m->stand_ins[own - m->string_count].bytes, "own", 3) == 0,
	       "a name of the model's own stands behind them");
}

static void put_data(struct ra_builder *builder, uint32_t owner, bool is_end, const char *bytes)
{
	const struct ra_builder_data data = {
		.bytes = (const uint8_t *) bytes,
		.count = strlen(bytes),
		.owner = owner,
		.is_end = is_end,
	};

	ra_builder_add_data(builder, RA_BUILDER_SLICE_DATA, &data);
}

static void test_data(struct ra_builder *builder)
{
	const struct ra_model *m = builder->model;
	char text[64] = "";

	put_data(builder, 9, false, "nine");
	put_data(builder, RA_NONE, false, "nobody's");
	put_data(builder, 2, true, "end of two");
	put_data(builder, 2, false, "two");
	ra_builder_continue_data(builder, (const uint8_t *) ", more", 6);
	tap_is_uint(ra_builder_count_data(builder, RA_BUILDER_SLICE_DATA), 4, "data are counted");
	tap_is_uint(ra_builder_count_data(builder, RA_BUILDER_MARK_DATA), 0, "... list by list");
	ra_builder_sort_data(builder);
	for (size_t i = 0; i < m->slice_data.count; i++) {
		const struct ra_data *row = &m->slice_data.rows[i];

		strncat(text, (const char *) m->data_bytes + row->from, row->length);
		strcat(text, "|");
	}
	tap_is_text(text, "two, more|end of two|nine|",
	            "they come by owner, that of the end last, and without what nobody owns");
}

int main(void)
{
	struct ra_model *model = calloc(1, sizeof(*model));
	struct ra_builder builder;

	if (model == NULL) {
		tap_bail("no memory");
	}
	model->strings = strings;
	model->string_count = sizeof(strings) / sizeof(strings[0]);
	ra_builder_init(&builder, model);
	test_names(&builder);
	test_data(&builder);
	test_domains(&builder);
	ra_builder_fini(&builder);
	ra_model_destroy(model);
	return tap_done();
}
