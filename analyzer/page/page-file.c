/* SPDX-License-Identifier: MIT */
/*
 * Writes one self-contained HTML file. Tables are HTML, so that they can be read without a script.
 * The script draws and sorts the data at the end of the page.
 */
#include "analyzer/page/page-file.h"

#include "analyzer/base/util.h"
#include "analyzer/page/page-html.h"
#include "analyzer/table/forms/table-data.h"

/* Writes the head of the page. Its security policy allows only our script and forbids fetching, so
 * no name can do harm. */
static void put_head(struct ra_util_text *html, const char *title)
{
	ra_util_text_format(html,
	                    "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
	ra_util_text_format(html,
	                    "<meta http-equiv=Content-Security-Policy content=\"default-src "
	                    "'none'; style-src '%s'; script-src '%s'; base-uri 'none'; "
	                    "form-action 'none'\">\n",
	                    ra_page_assets_css_hash, ra_page_assets_js_hash);
	ra_util_text_format(html, "<meta name=viewport content=\"width=device-width, "
	                          "initial-scale=1\">\n<meta name=color-scheme "
	                          "content=\"light dark\">\n<meta name=referrer "
	                          "content=no-referrer>\n<title>");
	ra_page_html_name(html, ra_util_string(title));
	ra_util_text_format(html, " – analyzer</title>\n<style>");
	ra_util_text_put(html, ra_page_assets_css, ra_page_assets_css_bytes);
	ra_util_text_format(html, "</style>\n</head>\n");
}

static void put_top(struct ra_util_text *html, const struct ra_page_file *file)
{
	ra_util_text_format(html, "<body>\n<header>\n<h1>");
	ra_page_html_name(html, ra_util_string(file->title));
	ra_util_text_format(html, "</h1>\n<ul class=facts>\n");
	ra_util_text_put(html, file->facts.bytes, file->facts.length);
	ra_util_text_format(html, "</ul>\n</header>\n<nav aria-label=Sections>\n");
	ra_util_text_put(html, file->nav.bytes, file->nav.length);
	ra_util_text_format(html, "</nav>\n<main>\n");
}

/* Writes the data in the form of --format json: "input", "reports", and what is known about the
 * inputs. */
static void put_data(struct ra_util_text *json, const struct ra_page_file *file)
{
	const struct rlog_string title = ra_util_string(file->title);

	ra_util_text_format(json, "{\"input\":\"");
	ra_util_text_put_name(json, title, RA_TEXT_JSON);
	ra_util_text_format(json, "\",\n\"reports\":{\n");
	ra_util_text_put(json, file->reports.bytes, file->reports.length);
	ra_util_text_format(json, "},\n");
	ra_util_text_put(json, file->footer.bytes, file->footer.length);
	ra_util_text_put_char(json, '}');
}

void ra_page_file_put_heading(struct ra_page_file *file, const char *id, const char *title)
{
	/* The style sheet has the text of the link. In the heading, scripts would read it as a part
	 * of the heading's text. */
	ra_util_text_format(&file->body,
	                    "<section id=\"%s\"><h2>%s<a class=link href=\"#%s\" "
	                    "aria-label=\"link to this section\"></a></h2>\n",
	                    id, title, id);
}

void ra_page_file_begin_section(struct ra_page_file *file, const char *id, const char *title,
                                const char *views)
{
	ra_util_text_format(&file->nav, "<a href=\"#%s\">%s</a>\n", id, title);
	ra_page_file_put_heading(file, id, title);
	ra_util_text_format(&file->body, "%s", views);
}

void ra_page_file_add_data(struct ra_page_file *file, const char *report,
                           const struct ra_table *table)
{
	ra_util_text_format(&file->reports, "%s\"%s\":", file->reports.length == 0 ? "" : ",\n",
	                    report);
	ra_table_data_put_json(&file->reports, table);
}

void ra_page_file_add_table(struct ra_page_file *file, const struct ra_page_table_words *words,
                            const struct ra_table *table)
{
	ra_page_file_add_data(file, words->report, table);
	ra_util_text_format(&file->body, "<div class=report id=\"r-%s\">\n", words->report);
	ra_page_table_put(&file->body, words, table);
	ra_util_text_format(&file->body, "</div>\n");
}

static void write_json(struct ra_outbuf *out, const char *id, const struct ra_util_text *json)
{
	ra_outbuf_printf(out, "<script type=\"application/json\" id=\"data-%s\">", id);
	ra_page_html_json(out, json->bytes, json->length);
	ra_outbuf_text(out, "</script>\n");
}

void ra_page_file_write(const struct ra_page_file *file, struct ra_outbuf *out)
{
	struct ra_util_text top = { 0 };
	struct ra_util_text data = { 0 };

	put_head(&top, file->title);
	put_top(&top, file);
	put_data(&data, file);
	ra_outbuf_put(out, top.bytes, top.length);
	ra_outbuf_put(out, file->body.bytes, file->body.length);
	ra_outbuf_text(out, "</main>\n");
	write_json(out, "reports", &data);
	write_json(out, "timeline", &file->timeline);
	write_json(out, "flame", &file->flame);
	ra_outbuf_text(out, "<script type=\"application/json\" id=\"data-shapes\">{");
	ra_outbuf_put(out, file->shapes.bytes, file->shapes.length);
	ra_outbuf_text(out, "}</script>\n<script type=\"application/json\" id=\"data-calls\">{");
	ra_outbuf_put(out, file->calls.bytes, file->calls.length);
	ra_outbuf_text(out, "}</script>\n<script>");
	ra_outbuf_put(out, ra_page_assets_js, ra_page_assets_js_bytes);
	ra_outbuf_text(out, "</script>\n</body>\n</html>\n");
	ra_util_text_free(&top);
	ra_util_text_free(&data);
}

void ra_page_file_fini(struct ra_page_file *file)
{
	ra_util_text_free(&file->facts);
	ra_util_text_free(&file->nav);
	ra_util_text_free(&file->body);
	ra_util_text_free(&file->reports);
	ra_util_text_free(&file->footer);
	ra_util_text_free(&file->timeline);
	ra_util_text_free(&file->flame);
	ra_util_text_free(&file->shapes);
	ra_util_text_free(&file->calls);
}
