/* SPDX-License-Identifier: MIT */
/* Parses a JSON-RPC message: reads the fields that we use. */
#include "analyzer/commands/mcp/mcp-request.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-read.h"

#define MOST_DEPTH 4 /* deepest value that is read */

#define ARGUMENTS "/params/arguments/"

static const char *const paths[RA_MCP_FIELDS] = {
	[RA_MCP_METHOD] = "/method",
	[RA_MCP_VERSION] = "/params/protocolVersion",
	[RA_MCP_REVISION] = "/params/_meta/io.modelcontextprotocol/protocolVersion",
	[RA_MCP_TOOL] = "/params/name",
	[RA_MCP_FILE] = ARGUMENTS "file",
	[RA_MCP_BEFORE] = ARGUMENTS "before",
	[RA_MCP_AFTER] = ARGUMENTS "after",
	[RA_MCP_RULES] = ARGUMENTS "rules",
	[RA_MCP_NAME] = ARGUMENTS "name",
	[RA_MCP_THREAD] = ARGUMENTS "thread",
	[RA_MCP_STEP_RANGE] = ARGUMENTS "step_range",
	[RA_MCP_ATTRIBUTE] = ARGUMENTS "attribute",
	[RA_MCP_UNIT] = ARGUMENTS "unit",
	[RA_MCP_PYTHON] = ARGUMENTS "python",
	[RA_MCP_FULL_NAMES] = ARGUMENTS "full_names",
	[RA_MCP_WIDTH] = ARGUMENTS "width",
	[RA_MCP_REPORT] = ARGUMENTS "report",
	[RA_MCP_WORD] = ARGUMENTS "word",
	[RA_MCP_FROM] = ARGUMENTS "from",
	[RA_MCP_TO] = ARGUMENTS "to",
	[RA_MCP_STEP] = ARGUMENTS "step",
	[RA_MCP_SORT] = ARGUMENTS "sort",
	[RA_MCP_LIMIT] = ARGUMENTS "limit",
	[RA_MCP_BYTES] = ARGUMENTS "bytes",
};

/* The state of parsing. */
struct place {
	struct ra_mcp_request *request;
	const char *line;
	size_t length;
	size_t at;
	size_t depth;   /* number of open objects and arrays */
	size_t arrays;  /* how many of these are arrays */
	size_t objects; /* number of objects at the top of the line */
	bool is_wrong;
	char path[200];              /* path of the next value, as "/params/name" … */
	size_t ends[MOST_DEPTH + 2]; /* … and for each object around the value, the length of the
	                                object's path */
};

static int read_line(void *source, char *buffer, size_t size, size_t *count, struct rlog_error *err)
{
	struct place *place = source;

	(void) err;
	*count = place->length - place->at < size ? place->length - place->at : size;
	memcpy(buffer, place->line + place->at, *count);
	place->at += *count;
	return 0;
}

static void open_value(void *context, bool is_object)
{
	struct place *place = context;

	place->objects += place->depth == 0 && is_object;
	place->is_wrong = place->is_wrong || (place->depth == 0 && !is_object);
	place->arrays += !is_object;
	place->depth++;
	if (place->depth <= MOST_DEPTH) {
		place->ends[place->depth] = strlen(place->path);
	}
}

static void close_value(void *context, bool is_object)
{
	struct place *place = context;

	place->depth -= place->depth > 0;
	place->arrays -= !is_object && place->arrays > 0;
}

/* True if the next value has a path. Values in an array, or nested too deep, have none. */
static bool has_path(const struct place *place)
{
	return place->depth <= MOST_DEPTH && place->arrays == 0;
}

const char *ra_mcp_request_argument(enum ra_mcp_field field)
{
	return paths[field] + sizeof(ARGUMENTS) - 1;
}

/* Notes an argument when its key is read, even if its value is not usable, so that a tool without
 * such an argument can refuse it. */
static void note_argument(struct place *place, const char *text, size_t length)
{
	struct ra_mcp_request *request = place->request;
	const size_t around = place->ends[place->depth];

	if (around != sizeof(ARGUMENTS) - 2 || memcmp(place->path, ARGUMENTS, around) != 0) {
		return;
	}
	for (size_t i = RA_MCP_FILE; i < RA_MCP_FIELDS; i++) {
		const char *name = ra_mcp_request_argument((enum ra_mcp_field) i);

		if (strlen(name) == length && memcmp(name, text, length) == 0) {
			request->given |= UINT32_C(1) << i;
			return;
		}
	}
	free(request->unknown);
	request->unknown = ra_util_copy(text, length);
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct place *place = context;
	size_t start;

	(void) number;
	if (!has_path(place)) {
		return;
	}
	note_argument(place, text, length);
	start = place->ends[place->depth];
	place->path[start] = '\0';
	if (start + length + 2 < sizeof(place->path)) {
		place->path[start] = '/';
		memcpy(place->path + start + 1, text, length);
		place->path[start + 1 + length] = '\0';
	}
}

/* Stores an id. @out: gets the id as JSON. */
static void take_id(char **out, enum ra_json_type type, const char *text, size_t length)
{
	struct ra_util_text id = { 0 };

	if (type == RA_JSON_STRING) {
		ra_util_text_put_char(&id, '"');
		ra_util_text_put_name(&id, (struct rlog_string){ text, (uint32_t) length, 0 },
		                      RA_TEXT_JSON);
		ra_util_text_put_char(&id, '"');
	} else if (type == RA_JSON_NUMBER) {
		ra_util_text_put(&id, text, length);
	} else {
		return; /* null means that there is no id */
	}
	free(*out);
	*out = ra_util_copy(id.bytes, id.length);
	ra_util_text_free(&id);
}

/* Stores a field. null counts as a missing argument. */
static void take_field(struct ra_mcp_request *request, enum ra_mcp_field field,
                       enum ra_json_type type, struct rlog_string value)
{
	if (type == RA_JSON_NULL) {
		request->given &= ~(UINT32_C(1) << field);
		return;
	}
	if (type == RA_JSON_TRUE || type == RA_JSON_FALSE) {
		value = field == RA_MCP_PYTHON || field == RA_MCP_FULL_NAMES
		                ? ra_util_string(type == RA_JSON_TRUE ? "true" : "false")
		                : (struct rlog_string){ "\0", 1, 0 };
	}
	if (memchr(value.bytes, '\0', value.length) == NULL) {
		free(request->fields[field]);
		request->fields[field] = ra_util_copy(value.bytes, value.length);
	}
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct place *place = context;

	place->is_wrong = place->is_wrong || place->depth == 0;
	if (!has_path(place)) {
		return;
	}
	if (place->depth == 1 && strcmp(place->path, "/id") == 0) {
		take_id(&place->request->id, type, text, length);
		return;
	}
	if (strcmp(place->path, "/params/requestId") == 0) {
		take_id(&place->request->cancelled, type, text, length);
		return;
	}
	for (size_t i = 0; i < RA_MCP_FIELDS; i++) {
		if (strcmp(place->path, paths[i]) == 0) {
			take_field(place->request, (enum ra_mcp_field) i, type,
			           (struct rlog_string){ text, (uint32_t) length, 0 });
		}
	}
}

void ra_mcp_request_init(struct ra_mcp_request *request, const char *line, size_t length)
{
	static const struct ra_json_handler handler = {
		.open = open_value, .close = close_value, .key = take_key, .value = take_value
	};
	struct place place = { .request = request, .line = line, .length = length };
	struct ra_json json = {
		.handler = &handler, .context = &place, .read = read_line, .source = &place
	};
	bool is_odd = false;

	*request = (struct ra_mcp_request){ 0 };
	ra_json_read_all(&json);
	for (size_t i = 0; i < RA_JSON_ODDITIES; i++) {
		is_odd = is_odd || json.odd[i] > 0;
	}
	request->is_json = !is_odd && json.stop.code == 0 && json.lost_bytes == 0 &&
	                   place.objects == 1 && place.depth == 0 && !place.is_wrong;
}

void ra_mcp_request_fini(struct ra_mcp_request *request)
{
	free(request->id);
	free(request->cancelled);
	free(request->unknown);
	for (size_t i = 0; i < RA_MCP_FIELDS; i++) {
		free(request->fields[i]);
	}
}
