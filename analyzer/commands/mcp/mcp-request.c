/* SPDX-License-Identifier: MIT */
/* One message of JSON-RPC: the fields of it that somebody here reads. */
#include "analyzer/commands/mcp/mcp-request.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-read.h"

#define MOST_DEPTH 4 /* of what is read */

static const char *const paths[RA_MCP_FIELDS] = {
	[RA_MCP_METHOD] = "/method",
	[RA_MCP_VERSION] = "/params/protocolVersion",
	[RA_MCP_REVISION] = "/params/_meta/io.modelcontextprotocol/protocolVersion",
	[RA_MCP_TOOL] = "/params/name",
	[RA_MCP_FILE] = "/params/arguments/file",
	[RA_MCP_BEFORE] = "/params/arguments/before",
	[RA_MCP_AFTER] = "/params/arguments/after",
	[RA_MCP_RULES] = "/params/arguments/rules",
	[RA_MCP_NAME] = "/params/arguments/name",
	[RA_MCP_THREAD] = "/params/arguments/thread",
	[RA_MCP_STEP_RANGE] = "/params/arguments/step_range",
	[RA_MCP_REPORT] = "/params/arguments/report",
	[RA_MCP_WORD] = "/params/arguments/word",
	[RA_MCP_FROM] = "/params/arguments/from",
	[RA_MCP_TO] = "/params/arguments/to",
	[RA_MCP_STEP] = "/params/arguments/step",
	[RA_MCP_SORT] = "/params/arguments/sort",
	[RA_MCP_LIMIT] = "/params/arguments/limit",
	[RA_MCP_BYTES] = "/params/arguments/bytes",
};

/* Where the reading is. */
struct place {
	struct ra_mcp_request *request;
	const char *line;
	size_t length;
	size_t at;
	size_t depth;   /* of what is open */
	size_t arrays;  /* of these */
	size_t objects; /* at the top */
	bool is_wrong;
	char path[200];              /* of the value that comes, as "/params/name" … */
	size_t ends[MOST_DEPTH + 2]; /* … and of each object around it the length */
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

/* What is in an array, or too deep, has no path. */
static bool has_path(const struct place *place)
{
	return place->depth <= MOST_DEPTH && place->arrays == 0;
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct place *place = context;
	size_t start;

	(void) number;
	if (!has_path(place)) {
		return;
	}
	start = place->ends[place->depth];
	place->path[start] = '\0';
	if (start + length + 2 < sizeof(place->path)) {
		place->path[start] = '/';
		memcpy(place->path + start + 1, text, length);
		place->path[start + 1 + length] = '\0';
	}
}

/* @out: gets it as it is in JSON. */
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
		return; /* null is none */
	}
	free(*out);
	*out = ra_util_copy(id.bytes, id.length);
	ra_util_text_free(&id);
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
	for (size_t i = 0; i < RA_MCP_FIELDS && (type == RA_JSON_STRING || type == RA_JSON_NUMBER);
	     i++) {
		if (strcmp(place->path, paths[i]) == 0 && memchr(text, '\0', length) == NULL) {
			free(place->request->fields[i]);
			place->request->fields[i] = ra_util_copy(text, length);
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
	for (size_t i = 0; i < RA_MCP_FIELDS; i++) {
		free(request->fields[i]);
	}
}
