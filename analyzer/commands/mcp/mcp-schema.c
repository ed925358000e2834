/* SPDX-License-Identifier: MIT */
/* Describes the tools for clients: names, purposes, and schemas of their arguments. */
#include "analyzer/commands/mcp/mcp-tools.h"

#define FILE_SCHEMA "\"file\":{\"type\":\"string\",\"description\":\"a file that list names\"}"
#define FILES_SCHEMA                                                                          \
	"\"file\":{\"type\":\"string\",\"description\":\"a file that list names, of a run's " \
	"ranks rank*.json.gz or their folder\"}"
#define BYTES_SCHEMA                                                                            \
	"\"bytes\":{\"type\":\"integer\",\"minimum\":2000,\"description\":\"the most bytes of " \
	"the "                                                                                  \
	"answer, without its last line (4000)\"}"
#define WIDTH_SCHEMA                                                                             \
	"\"width\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"columns of the answer " \
	"(120); longer names are cut, and columns left out; 0: any width\"},"                    \
	"\"full_names\":{\"type\":\"boolean\",\"description\":\"print whole names and all "      \
	"columns, as width 0; give more bytes with it\"}"
#define SIZE_SCHEMA WIDTH_SCHEMA "," BYTES_SCHEMA
#define LIMIT_SCHEMA \
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"the most rows\"}"
#define STEP_RANGE_SCHEMA                                                                          \
	"\"step_range\":{\"type\":\"string\",\"description\":\"ranges of this name are the steps " \
	"(# stands for a number, as in iteration #); without it PyTorch's steps, else ranges "     \
	"named step, iteration and the like\"}"
#define ATTRIBUTE_SCHEMA                                                                        \
	"\"attribute\":{\"type\":\"string\",\"description\":\"also give GPU work to ranges by " \
	"these rules: sequence, process, origin; several as process,sequence; own: only to "    \
	"ranges of the launching thread\"}"
#define PYTHON_SCHEMA                                                                            \
	"\"python\":{\"type\":\"boolean\",\"description\":\"show Python functions of PyTorch's " \
	"traces as ranges, too\"}"
#define UNIT_SCHEMA                                                            \
	"\"unit\":{\"type\":\"string\",\"enum\":[\"ns\",\"us\",\"ms\",\"s\"]," \
	"\"description\":\"print times to the ns in this unit\"}"
#define ORDER_SCHEMA                                                                      \
	"\"sort\":{\"type\":\"string\",\"enum\":[\"start\",\"dur\"],\"default\":\"dur\"," \
	"\"description\":\"earliest or longest first (dur)\"}"
#define STEPS_SCHEMA                                                                            \
	"\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"only these steps, such " \
	"as 5-9\"}"
#define SIDE_SCHEMA(name) \
	"\"" name "\":{\"type\":\"string\",\"description\":\"a file or folder of this side\"}"
#define TIME_SCHEMA(name, text)                                                         \
	"\"" name "\":{\"type\":\"string\",\"description\":\"" text " since the start " \
	"of the recording, as other answers print it: 121ms, 0.5s\"}"
#define OBJECT \
	"\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
#define READ_ONLY                                                                              \
	"\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":" \
	"true,\"openWorldHint\":false}"

const char ra_mcp_tools_json[] =
	"["
	"{\"name\":\"list\",\"description\":\"The logs and traces that the tools can read, and "
	"the questions that reports answer.\"," READ_ONLY "," OBJECT "}}},"
	"{\"name\":\"why\",\"description\":\"Where the time went and why: one paragraph and tables "
	"as evidence. Ask this first. With step: why that step takes longer than the "
	"others. Of several ranks: which are slow, which only late.\"," READ_ONLY
	"," OBJECT FILES_SCHEMA
	",\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"a step's number, or "
	"5-9\"}," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," SIZE_SCHEMA
	"},\"required\":[\"file\"]}},"
	"{\"name\":\"summary\",\"description\":\"Steps, GPUs, findings, ranges, kernels, copies "
	"and threads, and what the file lacks.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	"," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," PYTHON_SCHEMA "," SIZE_SCHEMA
	"},\"required\":[\"file\"]}},"
	"{\"name\":\"report\",\"description\":\"One report of those that list names; each table "
	"has "
	"the rows that weigh most and a sum of the rest.\"," READ_ONLY "," OBJECT FILES_SCHEMA
	",\"report\":{\"type\":\"string\",\"description\":\"its name, such as "
	"kernels\"}," STEPS_SCHEMA "," STEP_RANGE_SCHEMA "," ATTRIBUTE_SCHEMA "," PYTHON_SCHEMA ","
	"\"sort\":{\"type\":\"string\",\"description\":\"a column's key or title; + before it: "
	"smallest first\"}," LIMIT_SCHEMA "," SIZE_SCHEMA "},\"required\":[\"file\",\"report\"]}},"
	"{\"name\":\"search\",\"description\":\"Single ranges, calls and GPU operations, by name, "
	"thread or stream, and time: what did a thread do between two times, when was the longest "
	"call of a name; with python also Python functions.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	",\"name\":{\"type\":\"string\",\"description\":\"a part of the name, in any case, * for "
	"any "
	"text, or a shortened one (with ...) as tables print it\"},"
	"\"thread\":{\"type\":\"string\",\"description\":\"a part of the thread's name, its "
	"number, or GPU 0\"}," TIME_SCHEMA("from", "only what ends after this time") "," TIME_SCHEMA(
		"to",
		"only what begins before this time") "," PYTHON_SCHEMA "," UNIT_SCHEMA
						     "," ORDER_SCHEMA "," LIMIT_SCHEMA
						     "," SIZE_SCHEMA "},\"required\":[\"file\"]}},"
						     "{\"name\":\"diff\",\"description\":\"What "
						     "changed "
						     "between two runs, what the change of a step "
						     "is "
						     "made of (each cause once), swapped kernels, "
						     "and "
						     "whether it exceeds the variation between "
						     "runs; "
						     "folders with several runs a side leave less "
						     "unsure.\"," READ_ONLY "," OBJECT
							     SIDE_SCHEMA("before") "," SIDE_SCHEMA(
								     "after") "," STEPS_SCHEMA
									      "," STEP_RANGE_SCHEMA
									      "," ATTRIBUTE_SCHEMA
									      "," PYTHON_SCHEMA
									      "," LIMIT_SCHEMA
									      "," SIZE_SCHEMA
									      "},\"required\":["
									      "\"before\","
									      "\"after\"]}},"
									      "{\"name\":\"check\","
									      "\"description\":"
									      "\"Checks figures "
									      "against budgets, "
									      "such as "
									      "gpu.idle < 10%, "
									      "step.p99 < 20ms, "
									      "range[forward].max "
									      "<= 5ms, "
									      "kernel[*gemm*]."
									      "total < 1s, "
									      "lost == "
									      "0.\"," READ_ONLY
									      "," OBJECT
										      FILES_SCHEMA
									      ",\"rules\":{"
									      "\"type\":\"string\","
									      "\"description\":"
									      "\"one rule a "
									      "line\"}"
									      "," STEPS_SCHEMA
									      "," STEP_RANGE_SCHEMA
									      "," ATTRIBUTE_SCHEMA
									      "," PYTHON_SCHEMA
									      "," BYTES_SCHEMA
									      "},\"required\":["
									      "\"file\","
									      "\"rules\"]}},"
									      "{\"name\":"
									      "\"explain\","
									      "\"description\":"
									      "\"What a column, "
									      "finding, report or "
									      "command "
									      "means; "
									      "a column of one "
									      "report as "
									      "kernels.calls; "
									      "verdict: the words "
									      "of "
									      "diff.\"," READ_ONLY
									      "," OBJECT
									      "\"word\":{\"type\":"
									      "\"string\","
									      "\"description\":"
									      "\"as tables name "
									      "it: exposed_ns, TC "
									      "%, "
									      "host_bound, gaps, "
									      "overlap.exposed_"
									      "ns\"}},"
									      "\"required\":["
									      "\"word\"]}}"
									      "]";
