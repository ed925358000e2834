/* SPDX-License-Identifier: MIT */
/* The description of the tools for clients: names, purposes, and schemas of their arguments. */
#include "analyzer/commands/mcp/mcp-tools.h"

#define FILE_SCHEMA "\"file\":{\"type\":\"string\",\"description\":\"a file that list names\"}"
#define FILES_SCHEMA                                                                          \
	"\"file\":{\"type\":\"string\",\"description\":\"a file that list names, of a run's " \
	"ranks rank*.json.gz or their folder\"}"
#define BYTES_SCHEMA                                                                           \
	"\"bytes\":{\"type\":\"integer\",\"minimum\":2000,\"description\":\"of the answer at " \
	"most, but for its last line (4000)\"}"
#define WIDTH_SCHEMA                                                                        \
	"\"width\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"columns of the "   \
	"answer (120), into which names and columns are cut; 0: as wide as need be\"},"     \
	"\"full_names\":{\"type\":\"boolean\",\"description\":\"names whole and no column " \
	"left out, as width 0; give more bytes with it\"}"
#define SIZE_SCHEMA WIDTH_SCHEMA "," BYTES_SCHEMA
#define LIMIT_SCHEMA \
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"rows at most\"}"
#define STEP_RANGE_SCHEMA                                                                          \
	"\"step_range\":{\"type\":\"string\",\"description\":\"ranges of this name are the steps " \
	"(# a number, as iteration #); without it those of PyTorch, else those named step, "       \
	"iteration and the like\"}"
#define ATTRIBUTE_SCHEMA                                                                        \
	"\"attribute\":{\"type\":\"string\",\"description\":\"also give GPU work to ranges by " \
	"these rules: sequence, process, origin; as process,sequence\"}"
#define PYTHON_SCHEMA                                                                          \
	"\"python\":{\"type\":\"boolean\",\"description\":\"functions of Python that a trace " \
	"of PyTorch has are ranges, too\"}"
#define UNIT_SCHEMA                                                            \
	"\"unit\":{\"type\":\"string\",\"enum\":[\"ns\",\"us\",\"ms\",\"s\"]," \
	"\"description\":\"tables have times to the ns in it\"}"
#define ORDER_SCHEMA                                                                      \
	"\"sort\":{\"type\":\"string\",\"enum\":[\"start\",\"dur\"],\"default\":\"dur\"," \
	"\"description\":\"earliest or longest first (dur)\"}"
#define STEPS_SCHEMA                                                                          \
	"\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"of these steps only, " \
	"as 5-9\"}"
#define SIDE_SCHEMA(name) \
	"\"" name "\":{\"type\":\"string\",\"description\":\"a file or folder of this side\"}"
#define TIME_SCHEMA(name, text)                                                         \
	"\"" name "\":{\"type\":\"string\",\"description\":\"" text " since the begin " \
	"of the recording, as other answers tell it: 121ms, 0.5s\"}"
#define OBJECT \
	"\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
#define READ_ONLY                                                                              \
	"\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":" \
	"true,\"openWorldHint\":false}"

const char ra_mcp_tools_json[] =
	"["
	"{\"name\":\"list\",\"description\":\"The logs and traces that can be asked about, and the "
	"questions that reports answer.\"," READ_ONLY "," OBJECT "}}},"
	"{\"name\":\"why\",\"description\":\"Where the time went and why: one paragraph and the "
	"tables that prove it. Ask this first. With step: why that step takes longer than the "
	"others.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	",\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"a step's number, or "
	"5-9\"}," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," SIZE_SCHEMA
	"},\"required\":[\"file\"]}},"
	"{\"name\":\"summary\",\"description\":\"Steps, GPUs, findings, ranges, kernels, copies "
	"and threads, and what the file lacks.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	"," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," PYTHON_SCHEMA "," SIZE_SCHEMA
	"},\"required\":[\"file\"]}},"
	"{\"name\":\"report\",\"description\":\"One report of those that list names; of each table "
	"the rows that weigh most, of the rest the sum.\"," READ_ONLY "," OBJECT FILES_SCHEMA
	",\"report\":{\"type\":\"string\",\"description\":\"its name, as kernels\"}," STEPS_SCHEMA
	"," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," PYTHON_SCHEMA ","
	"\"sort\":{\"type\":\"string\",\"description\":\"a column's key or title; + before it: "
	"smallest first\"}," LIMIT_SCHEMA "," SIZE_SCHEMA "},\"required\":[\"file\",\"report\"]}},"
	"{\"name\":\"search\",\"description\":\"Single ranges, calls and GPU operations, by name, "
	"thread or stream, and time: what did a thread do between two times, when was the longest "
	"call of a name; with python also functions of Python.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	",\"name\":{\"type\":\"string\",\"description\":\"a part of the name, in any case, * for "
	"any "
	"text, or a shortened one (with ...) as tables print it\"},"
	"\"thread\":{\"type\":\"string\",\"description\":\"a part of the thread's name, its "
	"number, or GPU 0\"}," TIME_SCHEMA("from", "what ends after that time") "," TIME_SCHEMA(
		"to",
		"what begins before that time") "," PYTHON_SCHEMA "," UNIT_SCHEMA "," ORDER_SCHEMA
						"," LIMIT_SCHEMA "," SIZE_SCHEMA
						"},\"required\":[\"file\"]}},"
						"{\"name\":\"diff\",\"description\":\"What changed "
						"between two runs, what the change of a step is "
						"made of (each cause once), swapped kernels, and "
						"whether it is more than how runs vary; several "
						"runs of a side in a folder leave less "
                                                "unsure.\"," READ_ONLY
						"," OBJECT SIDE_SCHEMA("before") "," SIDE_SCHEMA(
							"after") "," STEPS_SCHEMA
								 "," STEP_RANGE_SCHEMA
								 "," ATTRIBUTE_SCHEMA
								 "," PYTHON_SCHEMA "," LIMIT_SCHEMA
								 "," SIZE_SCHEMA
								 "},\"required\":[\"before\","
								 "\"after\"]}},"
								 "{\"name\":\"check\","
								 "\"description\":\"Holds figures "
								 "against budgets, such as "
								 "gpu.idle < 10%, step.p99 < 20ms, "
								 "range[forward].max <= 5ms, "
								 "kernel[*gemm*].total < 1s, "
								 "lost == 0.\"," READ_ONLY
								 "," OBJECT FILES_SCHEMA
								 ",\"rules\":{\"type\":\"string\","
								 "\"description\":\"one rule a "
								 "line\"}," STEPS_SCHEMA
								 "," STEP_RANGE_SCHEMA
								 "," ATTRIBUTE_SCHEMA
								 "," PYTHON_SCHEMA "," BYTES_SCHEMA
								 "},\"required\":[\"file\","
								 "\"rules\"]}},"
								 "{\"name\":\"explain\","
								 "\"description\":\"What a column, "
								 "finding, report or command "
								 "means; "
								 "a column of one report as "
								 "kernels.calls; verdict: what "
								 "diff says.\"," READ_ONLY
								 "," OBJECT
								 "\"word\":{\"type\":\"string\","
								 "\"description\":\"as tables name "
								 "it: exposed_ns, TC %, "
								 "host_bound, gaps, "
								 "overlap.exposed_ns\"}},"
								 "\"required\":[\"word\"]}}"
								 "]";
