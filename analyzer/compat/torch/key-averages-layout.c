/* SPDX-License-Identifier: MIT */
/* Writes the text layout of torch.profiler's table. */
#include "analyzer/compat/torch/key-averages-table.h"

#include <math.h>
#include <string.h>

#define COLUMN_WIDTH 12
#define NAME_WIDTH   55
#define SHAPES_WIDTH 80
#define SOURCE_WIDTH 75
#define MAX_COLUMNS  20

enum cell_kind {
	CELL_TEXT,
	CELL_TIME,
	CELL_SHARE,  /* a share of `sum` */
	CELL_MEAN,   /* a sum divided by the number of calls */
	CELL_MEMORY, /* bytes */
	CELL_COUNT,
	CELL_FLOPS,
};

/* A column of the layout. */
struct column {
	const char *title;
	size_t from; /* enum ra_key_column */
	enum cell_kind kind;
	size_t width;
	double sum; /* for a SHARE */
	bool is_left;
};

struct printing {
	struct ra_util_text *text;
	const struct ra_table *table;
	const struct ra_key_layout *layout;
	struct column columns[MAX_COLUMNS];
	size_t count;
	size_t source; /* the column with call stacks; MAX_COLUMNS: there is none */
	size_t source_width;
	double flops_scale;
};

static const struct ra_table_cell *find_cell(const struct printing *p, size_t row, size_t column)
{
	return &p->table->cells[row * p->table->column_count + column];
}

static double read_us(const struct printing *p, size_t row, size_t column)
{
	const struct ra_table_cell *cell = find_cell(p, row, column);

	if (!cell->has_value) {
		return 0;
	}
	return p->table->columns[column].kind == RA_TABLE_REAL ? cell->u.real
	                                                       : (double) cell->u.number / 1000;
}

static int64_t read_number(const struct printing *p, size_t row, size_t column)
{
	const struct ra_table_cell *cell = find_cell(p, row, column);

	return cell->has_value ? cell->u.number : 0;
}

static struct rlog_string read_text(const struct printing *p, size_t row, size_t column)
{
	const struct ra_table_cell *cell = find_cell(p, row, column);
	const struct rlog_string none = { "", 0, 0 };

	return cell->has_value ? cell->u.text : none;
}

/* Returns the number of characters as Python counts them. */
static size_t count_characters(struct rlog_string string)
{
	size_t count = 0;

	for (size_t i = 0; i < string.length; i++) {
		count += ((unsigned char) string.bytes[i] & 0xc0) != 0x80;
	}
	return count;
}

/* Returns the number of bytes of the first `count` characters. */
static struct rlog_string cut_front(struct rlog_string string, size_t count)
{
	uint32_t i = 0;

	for (; i < string.length; i++) {
		if (((unsigned char) string.bytes[i] & 0xc0) != 0x80 && count-- == 0) {
			break;
		}
	}
	string.length = i;
	return string;
}

/* Returns the text without its first `count` characters. */
static struct rlog_string cut_back(struct rlog_string string, size_t count)
{
	const uint32_t front = cut_front(string, count).length;

	string.bytes += front;
	string.length -= front;
	return string;
}

/* Pads the text in the buffer from `begin` on to the width of a column. */
static void pad(struct ra_util_text *text, const struct column *column, size_t begin)
{
	const struct rlog_string put = { text->bytes + begin, (uint32_t) (text->length - begin),
		                         0 };
	const size_t width = count_characters(put);

	if (width < column->width) {
		const size_t room = column->width - width;

		ra_util_text_fill(text, ' ', room);
		if (!column->is_left) {
			memmove(text->bytes + begin + room, text->bytes + begin, put.length);
			memset(text->bytes + begin, ' ', room);
		}
	}
	ra_util_text_put(text, "  ", 2);
}

static void put_time(struct ra_util_text *text, double time_us)
{
	if (time_us >= 1e6) {
		ra_util_text_format(text, "%.3fs", time_us / 1e6);
	} else if (time_us >= 1e3) {
		ra_util_text_format(text, "%.3fms", time_us / 1e3);
	} else {
		ra_util_text_format(text, "%.3fus", time_us);
	}
}

static void put_memory(struct ra_util_text *text, int64_t bytes, bool is_old)
{
	static const char *const units[][2] = {
		{ "KB", "Kb" },
		{ "MB", "Mb" },
		{ "GB", "Gb" },
	};
	const double size = fabs((double) bytes);

	for (int i = 3; i > 0; i--) {
		const double unit = (double) ((int64_t) 1 << (10 * i));

		if (size >= unit) {
			ra_util_text_format(text, "%.2f %s", (double) bytes / unit,
			                    units[i - 1][is_old ? 1 : 0]);
			return;
		}
	}
	ra_util_text_format(text, "%lld %s", (long long) bytes, is_old ? "b" : "B");
}

static void put_name(struct ra_util_text *text, struct rlog_string name, size_t limit,
                     const char *mark)
{
	if (count_characters(name) >= limit) {
		ra_util_text_put_name(text, cut_front(name, limit), RA_TEXT_TERMINAL);
		ra_util_text_put(text, mark, strlen(mark));
	} else {
		ra_util_text_put_name(text, name, RA_TEXT_TERMINAL);
	}
}

/* Appends a path. If it is long, "..." replaces its beginning. */
static void put_source(struct ra_util_text *text, struct rlog_string source, size_t width)
{
	const size_t length = count_characters(source);

	if (length > width) {
		source = cut_back(source, length - width);
		if (width > 3) {
			ra_util_text_put(text, "...", 3);
			source = cut_back(source, 3);
		}
	}
	ra_util_text_put_name(text, source, RA_TEXT_TERMINAL);
}

/* Finds an entry of a call stack. Return: false after the last. */
static bool find_entry(struct rlog_string stack, size_t index, struct rlog_string *entry)
{
	const char *at = stack.bytes;
	const char *end = stack.bytes + stack.length;

	while (at < end) {
		const char *next = memchr(at, ';', (size_t) (end - at));

		next = next != NULL ? next : end;
		if (index-- == 0) {
			*entry = (struct rlog_string){ at, (uint32_t) (next - at), 0 };
			return true;
		}
		at = next + 1;
	}
	return false;
}

static void put_text(const struct printing *p, const struct column *column, size_t row)
{
	const struct rlog_string value = read_text(p, row, column->from);
	struct rlog_string entry;

	if (column->from == RA_KEY_NAME) {
		put_name(p->text, value, NAME_WIDTH - 3, "...");
	} else if (column->from == RA_KEY_SHAPES) {
		put_name(p->text, value, column->width, "");
	} else if (find_entry(value, 0, &entry)) {
		put_source(p->text, entry, p->source_width);
	}
}

static void put_flops(const struct printing *p, size_t row, size_t from)
{
	const struct ra_table_cell *cell = find_cell(p, row, from);

	if (!cell->has_value || cell->u.real <= 0) {
		ra_util_text_put(p->text, "--", 2);
	} else {
		ra_util_text_format(p->text, "%8.3f", cell->u.real * p->flops_scale);
	}
}

/* Skips start/end ranges, which are asynchronous events in torch and not part of the threads'
 * time. */
static void put_share(const struct printing *p, const struct column *column, size_t row)
{
	if (column->sum == 0 && p->layout->has_nan) {
		ra_util_text_put(p->text, "NaN", 3);
	} else if (column->sum == 0) {
		ra_util_text_put(p->text, "0.00%", 5);
	} else if (column->from == RA_KEY_CPU && !find_cell(p, row, RA_KEY_CPU_SHARE)->has_value) {
		ra_util_text_put(p->text, "0", 1);
	} else {
		ra_util_text_format(p->text, "%.2f%%",
		                    read_us(p, row, column->from) * 100.0 / column->sum);
	}
}

static void put_cell(const struct printing *p, const struct column *column, size_t row)
{
	const size_t begin = p->text->length;
	const int64_t calls = read_number(p, row, RA_KEY_CALLS);

	switch (column->kind) {
	case CELL_TEXT:
		put_text(p, column, row);
		break;
	case CELL_TIME:
		put_time(p->text, read_us(p, row, column->from));
		break;
	case CELL_MEAN:
		put_time(p->text, calls == 0 ? 0 : read_us(p, row, column->from) / (double) calls);
		break;
	case CELL_SHARE:
		put_share(p, column, row);
		break;
	case CELL_MEMORY:
		put_memory(p->text, read_number(p, row, column->from), p->layout->is_old);
		break;
	case CELL_COUNT:
		ra_util_text_format(p->text, "%lld", (long long) read_number(p, row, column->from));
		break;
	case CELL_FLOPS:
		put_flops(p, row, column->from);
		break;
	}
	pad(p->text, column, begin);
}

static struct column *add_column(struct printing *p, const char *title, size_t from,
                                 enum cell_kind kind)
{
	struct column *column = &p->columns[p->count++];

	*column = (struct column){
		.title = title,
		.from = from,
		.kind = kind,
		.width = COLUMN_WIDTH,
	};
	return column;
}

/* Returns the width of a column: its longest text plus 4, but at most the limit. Each entry of a
 * call stack is a text. */
static size_t find_width(const struct printing *p, size_t from, size_t limit)
{
	size_t width = 0;

	for (size_t r = 0; r < p->table->row_count; r++) {
		const struct rlog_string value = read_text(p, r, from);
		struct rlog_string entry = value;

		for (size_t i = 0; from == RA_KEY_STACK ? find_entry(value, i, &entry) : i == 0;
		     i++) {
			const size_t length = count_characters(entry);

			width = length > width ? length : width;
		}
	}
	return width + 4 < limit ? width + 4 : limit;
}

static bool has_positive(const struct printing *p, size_t from)
{
	for (size_t r = 0; r < p->table->row_count; r++) {
		const bool is_bytes = p->table->columns[from].kind == RA_TABLE_COUNT;

		if (is_bytes ? read_number(p, r, from) > 0 : read_us(p, r, from) > 0) {
			return true;
		}
	}
	return false;
}

static void add_times(struct printing *p)
{
	struct column *column = add_column(p, "Name", RA_KEY_NAME, CELL_TEXT);

	column->width = find_width(p, RA_KEY_NAME, NAME_WIDTH);
	column = add_column(p, "Self CPU %", RA_KEY_SELF_CPU, CELL_SHARE);
	column->sum = p->layout->cpu_us;
	add_column(p, "Self CPU", RA_KEY_SELF_CPU, CELL_TIME);
	column = add_column(p, "CPU total %", RA_KEY_CPU, CELL_SHARE);
	column->sum = p->layout->cpu_us;
	add_column(p, "CPU total", RA_KEY_CPU, CELL_TIME);
	add_column(p, "CPU time avg", RA_KEY_CPU, CELL_MEAN);
	if (has_positive(p, RA_KEY_SELF_CUDA)) {
		add_column(p, "Self CUDA", RA_KEY_SELF_CUDA, CELL_TIME);
		column = add_column(p, "Self CUDA %", RA_KEY_SELF_CUDA, CELL_SHARE);
		column->sum = p->layout->gpu_us;
		add_column(p, "CUDA total", RA_KEY_CUDA, CELL_TIME);
		add_column(p, "CUDA time avg", RA_KEY_CUDA, CELL_MEAN);
	}
	if (!ra_table_is_hidden(p->table, RA_KEY_CPU_MEMORY)) {
		add_column(p, "CPU Mem", RA_KEY_CPU_MEMORY, CELL_MEMORY);
		add_column(p, "Self CPU Mem", RA_KEY_SELF_CPU_MEMORY, CELL_MEMORY);
		if (has_positive(p, RA_KEY_SELF_CUDA_MEMORY)) {
			add_column(p, "CUDA Mem", RA_KEY_CUDA_MEMORY, CELL_MEMORY);
			add_column(p, "Self CUDA Mem", RA_KEY_SELF_CUDA_MEMORY, CELL_MEMORY);
		}
	}
	add_column(p, "# of Calls", RA_KEY_CALLS, CELL_COUNT);
}

/* Chooses the unit that suits the smallest figure. */
static void add_flops(struct printing *p)
{
	static const char *const titles[] = { "Total FLOPs",  "Total KFLOPs", "Total MFLOPs",
		                              "Total GFLOPs", "Total TFLOPs", "Total PFLOPs" };
	double least = INFINITY;
	double power;

	for (size_t r = 0; r < p->table->row_count; r++) {
		const struct ra_table_cell *cell = find_cell(p, r, RA_KEY_FLOPS);

		if (cell->has_value && cell->u.real > 0) {
			least = fmin(least, cell->u.real);
		}
	}
	if (!isfinite(least)) {
		return;
	}
	power = floor(fmax(0, fmin(log10(least) / 3, 5)));
	p->flops_scale = pow(10, power * -3);
	add_column(p, titles[(size_t) power], RA_KEY_FLOPS, CELL_FLOPS);
}

/* True if any operator has inputs. */
static bool has_shapes(const struct printing *p)
{
	for (size_t r = 0; r < p->table->row_count; r++) {
		if (read_text(p, r, RA_KEY_SHAPES).length > 2) {
			return true;
		}
	}
	return false;
}

static void add_source(struct printing *p)
{
	struct column *column = add_column(p, "Source Location", RA_KEY_STACK, CELL_TEXT);

	column->width = find_width(p, RA_KEY_STACK, SOURCE_WIDTH);
	column->is_left = true;
	p->source = p->count - 1;
	p->source_width = column->width;
}

/* In torch, the titles of call stacks and FLOPs are in another order than their values. */
static void swap_values(struct column *source, struct column *flops)
{
	source->from = RA_KEY_FLOPS;
	source->kind = CELL_FLOPS;
	flops->from = RA_KEY_STACK;
	flops->kind = CELL_TEXT;
}

static void add_columns(struct printing *p)
{
	size_t before;

	add_times(p);
	if (!ra_table_is_hidden(p->table, RA_KEY_SHAPES) && has_shapes(p)) {
		struct column *column = add_column(p, "Input Shapes", RA_KEY_SHAPES, CELL_TEXT);

		column->width = find_width(p, RA_KEY_SHAPES, SHAPES_WIDTH);
	}
	p->source = MAX_COLUMNS;
	if (!ra_table_is_hidden(p->table, RA_KEY_STACK) &&
	    find_width(p, RA_KEY_STACK, SOURCE_WIDTH) > 4) {
		add_source(p);
	}
	before = p->count;
	if (p->layout->has_flops) {
		add_flops(p);
	}
	if (p->source < MAX_COLUMNS && p->count > before) {
		swap_values(&p->columns[p->source], &p->columns[before]);
		p->source = before;
	}
}

static void put_separator(const struct printing *p)
{
	for (size_t c = 0; c < p->count; c++) {
		ra_util_text_fill(p->text, '-', p->columns[c].width);
		ra_util_text_put(p->text, "  ", 2);
	}
	ra_util_text_put_char(p->text, '\n');
}

static void put_titles(const struct printing *p)
{
	for (size_t c = 0; c < p->count; c++) {
		const size_t begin = p->text->length;

		ra_util_text_put(p->text, p->columns[c].title, strlen(p->columns[c].title));
		pad(p->text, &p->columns[c], begin);
	}
	ra_util_text_put_char(p->text, '\n');
}

/* Writes the other entries of a call stack, each on its own line, then an empty line. */
static void put_stack(const struct printing *p, size_t row)
{
	const struct rlog_string stack = read_text(p, row, RA_KEY_STACK);
	struct rlog_string entry = { "", 0, 0 };
	bool is_more = true;

	for (size_t i = 1; is_more; i++) {
		is_more = find_entry(stack, i, &entry);
		for (size_t c = 0; c < p->count; c++) {
			const size_t begin = p->text->length;

			if (c == p->source && is_more) {
				put_source(p->text, entry, p->source_width);
			}
			pad(p->text, &p->columns[c], begin);
		}
		ra_util_text_put_char(p->text, '\n');
	}
}

void ra_key_averages_put_layout(struct ra_util_text *text, const struct ra_table *table,
                                const struct ra_key_layout *layout)
{
	struct printing p = { .text = text, .table = table, .layout = layout };
	size_t rows = table->row_count;

	if (rows == 0) {
		return;
	}
	rows = layout->limit > 0 && layout->limit < rows ? layout->limit : rows;
	add_columns(&p);
	put_separator(&p);
	put_titles(&p);
	put_separator(&p);
	for (size_t r = 0; r < rows; r++) {
		for (size_t c = 0; c < p.count; c++) {
			put_cell(&p, &p.columns[c], r);
		}
		ra_util_text_put_char(text, '\n');
		if (p.source < MAX_COLUMNS) {
			put_stack(&p, r);
		}
	}
	put_separator(&p);
	ra_util_text_put(text, "Self CPU time total: ", 21);
	put_time(text, layout->cpu_us);
	ra_util_text_put_char(text, '\n');
	if (has_positive(&p, RA_KEY_SELF_CUDA)) {
		ra_util_text_put(text, "Self CUDA time total: ", 22);
		put_time(text, layout->gpu_us);
		ra_util_text_put_char(text, '\n');
	}
	ra_util_text_put_char(text, '\n');
}
