/* SPDX-License-Identifier: MIT */
/* The one HTML file that a page is, whatever it is of: the frame around what others append. */
#ifndef RA_PAGE_FILE_H
#define RA_PAGE_FILE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/page/page-table.h"

/* A page under construction; all texts are owned. Zero-initialise but for the title. */
struct ra_page_file {
	const char *title;            /* borrowed */
	struct ra_util_text facts;    /* <li> elements, below the title */
	struct ra_util_text nav;      /* links to the sections */
	struct ra_util_text body;     /* the sections */
	struct ra_util_text reports;  /* JSON: members of the data's "reports" */
	struct ra_util_text footer;   /* JSON: the member that follows "reports" */
	struct ra_util_text timeline; /* JSON, or nothing */
	struct ra_util_text flame;    /* JSON, or nothing */
	struct ra_util_text calls;    /* JSON: members, single calls of rows of a report each */
	struct ra_util_text shapes;   /* JSON: members, a report's histograms of durations each */
};

/* The style sheet and the script, made of the files beside this one by assets.sh, and their hashes
 * for the page's Content-Security-Policy. */
extern const char ra_page_assets_css[];
extern const size_t ra_page_assets_css_bytes;
extern const char ra_page_assets_css_hash[];
extern const char ra_page_assets_js[];
extern const size_t ra_page_assets_js_bytes;
extern const char ra_page_assets_js_hash[];

/* Appends a section's begin: its heading, with a link to it. */
void ra_page_file_put_heading(struct ra_page_file *file, const char *id, const char *title);

/* Appends the same, and its link to the navigation. @views: HTML where the script draws, may be
 * empty. */
void ra_page_file_begin_section(struct ra_page_file *file, const char *id, const char *title,
                                const char *views);

/* Appends a table's rows to the data. */
void ra_page_file_add_data(struct ra_page_file *file, const char *report,
                           const struct ra_table *table);

/* The same, and the table to the body. */
void ra_page_file_add_table(struct ra_page_file *file, const struct ra_page_table_words *words,
                            const struct ra_table *table);

/*
 * Writes the page. What the file system refuses is kept in the buffer.
 */
void ra_page_file_write(const struct ra_page_file *file, struct ra_outbuf *out);
void ra_page_file_fini(struct ra_page_file *file);

#endif
