/* SPDX-License-Identifier: MIT */
/* The report "payload": the values of payload fields, by range and field. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/report/op-names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/walk.h"
#include "analyzer/payload/payload-path.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

enum column {
	NAME,
	DOMAIN,
	FIELD,
	COUNT,
	SUM,
	MIN,
	MAX,
	AVG,
	VALUES,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[FIELD] = { "field", "Field", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[SUM] = { "sum", "Sum", RA_TABLE_REAL, NULL },
	[MIN] = { "min", "Min", RA_TABLE_REAL, NULL },
	[MAX] = { "max", "Max", RA_TABLE_REAL, NULL },
	[AVG] = { "avg", "Avg", RA_TABLE_REAL, NULL },
	[VALUES] = { "values", "Values", RA_TABLE_TEXT, "" },
};

/* This many distinct words of a field are counted separately, and this many are shown. */
#define MAX_WORDS      16
#define SHOWN_WORDS    5
#define MAX_WORD_BYTES 64
#define MAX_ROWS       65536 /* limited, because a payload may have any number of fields */

struct word {
	uint64_t count;
	uint32_t length;
	char bytes[MAX_WORD_BYTES];
};

struct row {
	uint64_t count;
	uint64_t numbers;
	uint64_t words_seen; /* number of values that have a text */
	double sum;
	double min;
	double max;
	struct rlog_string name;
	struct rlog_string field; /* owned by the table */
	struct word *words;       /* owned; NULL: no value has a text so far */
	uint32_t label;
	uint32_t word_count;
	uint32_t next; /* next row with the same hash; RA_NONE: none */
	uint16_t domain;
};

struct fill {
	struct ra_report_input *input;
	struct ra_table *table;
	struct row *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map by_hash; /* hash → newest row with it */
	uint32_t label;             /* label of the current owner */
	struct rlog_string name;
	uint16_t domain;
	struct ra_payload *decoder; /* owned */
	struct ra_payload_path path;
	bool of_marks; /* take the payloads of marks; false: those of ranges … */
	bool has_more; /* … and set this if there are payloads of the other kind */
};

static uint64_t hash_key(const struct fill *fill, struct rlog_string path)
{
	uint64_t value = UINT64_C(0xCBF29CE484222325) ^ fill->label ^ (uint64_t) fill->domain << 32;

	for (uint32_t i = 0; i < path.length; i++) {
		value = (value ^ (unsigned char) path.bytes[i]) * UINT64_C(0x100000001B3);
	}
	return value;
}

/* The row of a field of the current owner; NULL: there are too many rows. */
static struct row *find_row(struct fill *fill, struct rlog_string path)
{
	const uint64_t hash = hash_key(fill, path);
	const uint32_t newest = ra_util_map_find(&fill->by_hash, hash);
	struct row *row;

	for (uint32_t i = newest; i != RA_NONE; i = fill->rows[i].next) {
		row = &fill->rows[i];
		if (row->label == fill->label && row->domain == fill->domain &&
		    row->field.length == path.length &&
		    memcmp(row->field.bytes, path.bytes, path.length) == 0) {
			return row;
		}
	}
	if (fill->count == MAX_ROWS) {
		return NULL;
	}
	ra_util_grow(&fill->rows, &fill->capacity, fill->count + 1, sizeof(*fill->rows));
	ra_util_map_put(&fill->by_hash, hash, (uint32_t) fill->count);
	row = &fill->rows[fill->count];
	*row = (struct row){
		.label = fill->label,
		.name = fill->name,
		.domain = fill->domain,
		.next = newest,
	};
	row->field = ra_table_keep_text(fill->table, path.bytes, path.length);
	fill->count++;
	return row;
}

static void take_number(struct row *row, double number)
{
	if (row->numbers == 0 || number < row->min) {
		row->min = number;
	}
	if (row->numbers == 0 || number > row->max) {
		row->max = number;
	}
	row->sum += number;
	row->numbers++;
}

static void take_word(struct row *row, const char *bytes, size_t length)
{
	if (row->words == NULL) {
		row->words = ra_alloc_zeros(MAX_WORDS, sizeof(*row->words));
	}
	row->words_seen++;
	if (length > MAX_WORD_BYTES) {
		length = MAX_WORD_BYTES;
	}
	for (uint32_t i = 0; i < row->word_count; i++) {
		struct word *word = &row->words[i];

		if (word->length == length && memcmp(word->bytes, bytes, length) == 0) {
			word->count++;
			return;
		}
	}
	if (row->word_count < MAX_WORDS) {
		struct word *word = &row->words[row->word_count++];

		memcpy(word->bytes, bytes, length);
		word->length = (uint32_t) length;
		word->count = 1;
	}
}

static void visit_field(void *context, struct rlog_string path,
                        const struct ra_payload_value *value)
{
	struct fill *fill = context;
	struct row *row = find_row(fill, path);

	if (row == NULL) {
		return;
	}
	row->count++;
	switch (value->kind) {
	case RA_PAYLOAD_UNSIGNED:
		take_number(row, (double) value->bits);
		break;
	case RA_PAYLOAD_SIGNED:
		take_number(row, (double) (int64_t) value->bits);
		break;
	case RA_PAYLOAD_REAL:
		take_number(row, value->real);
		break;
	case RA_PAYLOAD_TEXT:
	case RA_PAYLOAD_WORD:
	case RA_PAYLOAD_DIGITS:
		take_word(row, value->text, value->length);
		break;
	case RA_PAYLOAD_NULL:
		take_word(row, "null", 4);
		break;
	case RA_PAYLOAD_ADDRESS:
	case RA_PAYLOAD_COLOR:
	case RA_PAYLOAD_BYTES:
		break;
	}
}

static void choose_owner(struct fill *fill, uint32_t name, uint16_t domain)
{
	fill->domain = domain;
	fill->label = ra_labels_find(fill->input->labels, name);
	fill->name = ra_op_names_of_label(fill->input, fill->label);
}

/* Takes the payloads of a part of any track. Called as ra_walk_take. @m: the part, or a model that
 * holds everything. */
static void take_data(void *context, const struct ra_model *m, int64_t until_ns)
{
	struct fill *fill = context;
	const bool is_slice = !fill->of_marks;
	const struct ra_data_list *list = is_slice ? &m->slice_data : &m->mark_data;

	(void) until_ns;
	fill->has_more |= is_slice && m->mark_data.count > 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct ra_data *data = &list->rows[i];
		const uint32_t name =
			is_slice ? m->slices.name[data->owner] : m->marks[data->owner].name;
		const uint16_t domain =
			is_slice ? m->slices.domain[data->owner] : m->marks[data->owner].domain;
		const struct ra_payload_visitor visitor = ra_payload_path_visitor(&fill->path);

		choose_owner(fill, name, domain);
		ra_payload_decode(fill->decoder, m->domains[domain].id, m->data_bytes + data->from,
		                  data->length, &visitor);
	}
}

/* Takes the payloads of ranges, or of marks. A model with a walk has no payloads of start/end
 * ranges. */
static void take_all(struct fill *fill, bool of_marks)
{
	const struct ra_model *m = fill->input->model;

	fill->of_marks = of_marks;
	if (m->walk == NULL) {
		take_data(fill, m, INT64_MAX);
		return;
	}
	for (uint32_t t = 0; t < m->track_count; t++) {
		if (m->tracks[t].kind == RA_TRACK_THREAD) {
			ra_walk_over(m, t, take_data, fill);
		}
	}
}

static int compare_words(const void *left, const void *right)
{
	const struct word *a = left;
	const struct word *b = right;
	const struct rlog_string a_text = { .bytes = a->bytes, .length = a->length };
	const struct rlog_string b_text = { .bytes = b->bytes, .length = b->length };
	const int order = RA_ORDER_DOWN(a, b, count);

	return RA_ORDER_THEN(order, ra_util_string_compare(a_text, b_text));
}

/* Writes "SUM 3, MAX 2, 7 others": the most frequent word first. */
static void put_words(const struct fill *fill, struct row *row, struct ra_util_text *text,
                      struct ra_table_cell *cell)
{
	uint64_t shown = 0;

	ra_util_text_clear(text);
	RA_SORT(row->words, row->word_count, compare_words);
	for (uint32_t i = 0; i < row->word_count && i < SHOWN_WORDS; i++) {
		ra_util_text_format(text, "%s", i > 0 ? ", " : "");
		ra_util_text_put(text, row->words[i].bytes, row->words[i].length);
		ra_util_text_format(text, " %llu", (unsigned long long) row->words[i].count);
		shown += row->words[i].count;
	}
	if (shown < row->words_seen) {
		ra_util_text_format(text, ", %llu other%s",
		                    (unsigned long long) (row->words_seen - shown),
		                    ra_util_text_plural(row->words_seen - shown));
	}
	*cell = ra_table_make_text(ra_table_keep_text(fill->table, text->bytes, text->length));
}

static void put_rows(struct fill *fill)
{
	struct ra_util_text text = { 0 };

	for (size_t i = 0; i < fill->count; i++) {
		struct row *row = &fill->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(fill->table);

		cells[NAME] = ra_table_make_text(row->name);
		cells[DOMAIN] =
			ra_table_make_text(ra_report_name_domain(fill->input->model, row->domain));
		cells[FIELD] = ra_table_make_text(row->field);
		cells[COUNT] = ra_table_make_count(row->count);
		/* If only some values of an enum have names, a sum of the other values would
		 * mislead. */
		if (row->numbers > 0 && row->words_seen == 0) {
			cells[SUM] = ra_table_make_real(row->sum);
			cells[MIN] = ra_table_make_real(row->min);
			cells[MAX] = ra_table_make_real(row->max);
			cells[AVG] = ra_table_make_real(row->sum / (double) row->numbers);
		}
		put_words(fill, row, &text, &cells[VALUES]);
	}
	ra_util_text_free(&text);
}

static void fill_payload(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_totals *passed = input->model->walk != NULL ? input->model->totals : NULL;
	struct fill fill = {
		.input = input,
		.table = table,
		.decoder = ra_payload_create(input->model->schemas),
		.path = { .field = visit_field, .context = &fill },
	};

	if (passed == NULL || passed->data_count > 0) {
		take_all(&fill, false);
	}
	if (fill.has_more) {
		take_all(&fill, true);
	}
	put_rows(&fill);
	for (size_t i = 0; i < fill.count; i++) {
		free(fill.rows[i].words);
	}
	free(fill.rows);
	ra_util_map_free(&fill.by_hash);
	ra_util_text_free(&fill.path.text);
	ra_payload_destroy(fill.decoder);
}

const struct ra_report ra_report_payload = {
	.name = "payload",
	.title = "Payloads",
	.summary = "what values the fields of payloads had",
	.none = "no payloads",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = NULL,
	.fill = fill_payload,
};
