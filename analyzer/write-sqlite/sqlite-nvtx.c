/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: NVTX_EVENTS. */
#include <string.h>

#include "analyzer/model/walk.h"
#include "analyzer/write-sqlite/sqlite.h"
#include "format/wire.h"

enum event_type {
	EVENT_CATEGORY = 33,
	EVENT_MARK = 34,
	EVENT_PUSH_POP = 59,
	EVENT_START_END = 60,
	EVENT_DOMAIN = 75,
};

/* Index of an event's values among the table's filled columns. */
enum place {
	START,
	END,
	TYPE,
	RANGE_ID,
	CATEGORY,
	COLOR,
	TID,
	END_TID,
	TEXT_ID,
	DOMAIN,
	INTEGERS, /* all values before this one are in one array */
	TEXT = INTEGERS,
	U64,
	I64,
	DOUBLE,
	U32,
	I32,
	FLOAT,
};

struct events {
	struct ra_sqlite *sqlite;
	struct ra_sqlite_table table;
	struct ra_sqlite_table open; /* the table with the ends of ranges that were never closed */
	size_t span; /* cursors: index of the row for the next slice or mark, or of a later one */
	size_t slice_attr;
	size_t mark_attr;
	uint32_t track; /* index of the current track */
};

static void clear_row(int64_t *row)
{
	for (int i = 0; i < INTEGERS; i++) {
		row[i] = RA_SQLITE_NULL;
	}
}

/* Sets a text both as a text and as an id, because some readers know only one of these columns.
 * @id: id of the text in StringIds. */
static void set_text(struct events *events, int64_t *row, int64_t id)
{
	row[TEXT_ID] = id;
	ra_sqlite_table_set_text(&events->table, TEXT, events->sqlite->texts.texts[id]);
}

/* Sets the name of a range or mark, in the form that the user wants. */
static void set_name(struct events *events, int64_t *row, uint32_t name)
{
	if (name != 0) {
		set_text(events, row, ra_sqlite_texts_of_label(events->sqlite, name));
	}
}

static double real_of_bits(uint64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

static void set_payload(struct ra_sqlite_table *table, const struct ra_attr *attr)
{
	switch (attr->payload_type) {
	case RLOG_PAYLOAD_U64:
		ra_sqlite_table_set_int(table, U64, (int64_t) attr->payload);
		break;
	case RLOG_PAYLOAD_I64:
		ra_sqlite_table_set_int(table, I64, (int64_t) attr->payload);
		break;
	case RLOG_PAYLOAD_DOUBLE:
		ra_sqlite_table_set_real(table, DOUBLE, real_of_bits(attr->payload));
		break;
	case RLOG_PAYLOAD_U32:
		ra_sqlite_table_set_int(table, U32, (int64_t) attr->payload);
		break;
	case RLOG_PAYLOAD_I32:
		ra_sqlite_table_set_int(table, I32, (int64_t) attr->payload);
		break;
	case RLOG_PAYLOAD_FLOAT:
		ra_sqlite_table_set_real(table, FLOAT, real_of_bits(attr->payload));
		break;
	default:
		break;
	}
}

/* Sets the values of attributes, which are in the order of their owners. */
static void set_attr(struct events *events, int64_t *row, const struct ra_attr *attrs, size_t count,
                     size_t *next, size_t owner)
{
	while (*next < count && attrs[*next].owner < owner) {
		++*next;
	}
	if (*next < count && attrs[*next].owner == owner) {
		const struct ra_attr *attr = &attrs[*next];

		row[CATEGORY] = attr->category != 0 ? (int64_t) attr->category : RA_SQLITE_NULL;
		row[COLOR] = attr->color != 0 ? (int64_t) attr->color : RA_SQLITE_NULL;
		set_payload(&events->table, attr);
	}
}

static int64_t domain_of(const struct ra_model *m, uint16_t domain)
{
	return domain < m->domain_count ? m->domains[domain].id : 0;
}

/* Sets the threads on which a start/end range began and ended. */
static void set_span(struct events *events, int64_t *row, size_t slice)
{
	const struct ra_model *m = events->sqlite->model;

	while (events->span < m->span_count && m->spans[events->span].slice < slice) {
		events->span++;
	}
	if (events->span < m->span_count && m->spans[events->span].slice == slice) {
		const struct ra_span *span = &m->spans[events->span];

		row[RANGE_ID] = (int64_t) span->id;
		row[TID] = ra_sqlite_ids_of_track(events->sqlite, span->start_track);
		if (span->end_track != RA_NONE) {
			row[END_TID] = ra_sqlite_ids_of_track(events->sqlite, span->end_track);
		}
	}
}

static void put_slice(struct events *events, uint32_t track, size_t slice)
{
	const struct ra_model *m = events->sqlite->model;
	const struct ra_slices *s = &m->slices;
	const int64_t start_ns = s->start_ns[slice] + events->sqlite->shift_ns;
	int64_t row[INTEGERS];

	clear_row(row);
	row[START] = start_ns;
	row[END] = start_ns + s->dur_ns[slice];
	/* nsys has no end for ranges that were never closed */
	if ((s->flags[slice] & RA_SLICE_OPEN) != 0) {
		ra_sqlite_table_add(&events->open, &row[END], 1);
		row[END] = RA_SQLITE_NULL;
	}
	row[TYPE] = EVENT_PUSH_POP;
	row[TID] = ra_sqlite_ids_of_track(events->sqlite, track);
	row[DOMAIN] = domain_of(m, s->domain[slice]);
	if (m->tracks[track].kind == RA_TRACK_START_END) {
		row[TYPE] = EVENT_START_END;
		set_span(events, row, slice);
	}
	set_attr(events, row, m->slice_attrs, m->slice_attr_count, &events->slice_attr, slice);
	set_name(events, row, s->name[slice]);
	ra_sqlite_table_add(&events->table, row, INTEGERS);
}

static void put_mark(struct events *events, size_t index)
{
	const struct ra_model *m = events->sqlite->model;
	const struct ra_mark *mark = &m->marks[index];
	int64_t row[INTEGERS];

	clear_row(row);
	row[START] = mark->time_ns + events->sqlite->shift_ns;
	row[TYPE] = EVENT_MARK;
	row[TID] = ra_sqlite_ids_of_track(events->sqlite, mark->track);
	row[DOMAIN] = domain_of(m, mark->domain);
	set_attr(events, row, m->mark_attrs, m->mark_attr_count, &events->mark_attr, index);
	set_name(events, row, mark->name);
	ra_sqlite_table_add(&events->table, row, INTEGERS);
}

/* True if the program gave the domain no name, so that it is called "#7" for domain 7. */
static bool is_made_up(const struct ra_model *m, const struct ra_domain *domain)
{
	const struct rlog_string name = ra_model_string(m, domain->name);
	uint64_t id = 0;

	for (uint32_t i = 1; i < name.length && name.bytes[i] >= '0' && name.bytes[i] <= '9'; i++) {
		id = id * 10 + (uint64_t) (name.bytes[i] - '0');
	}
	return name.length > 1 && name.length < 12 && name.bytes[0] == '#' && id == domain->id;
}

/* Writes the domains. Readers think that each process has its own domain ids, so each process gets
 * all domains. */
static void put_domains(struct events *events)
{
	const struct ra_model *m = events->sqlite->model;
	int64_t row[INTEGERS];

	for (size_t p = 0; p < m->process_count; p++) {
		for (size_t d = 0; d < m->domain_count; d++) {
			if (m->domains[d].name == 0 || is_made_up(m, &m->domains[d])) {
				continue;
			}
			clear_row(row);
			row[START] = events->sqlite->shift_ns;
			row[TYPE] = EVENT_DOMAIN;
			row[TID] = (int64_t) events->sqlite->pids[p];
			row[DOMAIN] = m->domains[d].id;
			set_text(events, row,
			         ra_sqlite_texts_add(events->sqlite,
			                             ra_model_string(m, m->domains[d].name)));
			ra_sqlite_table_add(&events->table, row, INTEGERS);
		}
	}
}

static void put_categories(struct events *events)
{
	const struct ra_model *m = events->sqlite->model;
	int64_t row[INTEGERS];

	for (size_t i = 0; i < m->category_count && m->process_count > 0; i++) {
		clear_row(row);
		row[START] = events->sqlite->shift_ns;
		row[TYPE] = EVENT_CATEGORY;
		row[TID] = (int64_t) events->sqlite->pids[0];
		row[CATEGORY] = m->categories[i].id;
		row[DOMAIN] = domain_of(m, m->categories[i].domain);
		set_text(events, row,
		         ra_sqlite_texts_add(events->sqlite,
		                             ra_model_string(m, m->categories[i].name)));
		ra_sqlite_table_add(&events->table, row, INTEGERS);
	}
}

static void put_slices(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct events *events = context;
	struct ra_sqlite *sqlite = events->sqlite;
	const struct ra_model *whole = sqlite->model;
	const struct ra_track *track = &part->tracks[events->track];

	(void) until_ns;
	if (whole->walk != NULL) { /* because the parts of a walk have indices of their own */
		events->slice_attr = 0;
	}
	sqlite->model = part;
	for (size_t i = 0; i < track->slice_count; i++) {
		put_slice(events, events->track, track->first_slice + i);
	}
	sqlite->model = whole;
}

static void put_marks(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct events *events = context;
	struct ra_sqlite *sqlite = events->sqlite;
	const struct ra_model *whole = sqlite->model;

	(void) until_ns;
	events->mark_attr = 0;
	sqlite->model = part;
	for (size_t i = 0; i < part->mark_count; i++) {
		put_mark(events, i);
	}
	sqlite->model = whole;
}

void ra_sqlite_nvtx_put(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct events events = { .sqlite = sqlite,
		                 .table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_nvtx),
		                 .open = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_open) };

	ra_sqlite_table_create(&events.table);
	put_domains(&events);
	put_categories(&events);
	for (uint32_t t = 0; t < m->track_count && sqlite->db.code == 0; t++) {
		events.track = t;
		ra_walk_over(m, t, put_slices, &events);
	}
	for (uint32_t t = 0; m->walk != NULL && t < m->track_count; t++) {
		if (m->tracks[t].mark_count > 0) {
			ra_walk_over(m, t, put_marks, &events);
		}
	}
	if (m->walk == NULL) { /* if there is no walk, the marks of all tracks are together */
		put_marks(&events, m, INT64_MAX);
	}
	ra_sqlite_table_close(&events.table);
	ra_sqlite_table_close(&events.open);
}
