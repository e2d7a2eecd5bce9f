/* The tables of --handling as CSV. Each line contains one value, so that the columns do not depend on the cars. */
#include "handling.h"

#include "tool.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

const char *vd_handling_file(const vd_handling *h, const char *ending) {
  return h->settings->directory ? vd_arena_printf(h->arena, "%s/%s%s", h->settings->output, h->stem, ending) : "-";
}

static void add_field(vd_buf *out, const char *text) {
  vd_buf_puts(out, ",");
  vd_csv_text(text ? text : "", out);
}

static void add_number(vd_buf *out, double value) {
  vd_buf_puts(out, ",");
  if (isfinite(value))
    vd_buf_printf(out, "%.9g", value);
}

/* Adds a value of a resolved file; a number is copied with all its digits. */
static void add_value(vd_buf *out, const char *text) {
  double value;
  size_t used;
  bool number = text && vd_num_parse(text, strlen(text), &value, &used) && text[used] == '\0';
  if (number)
    vd_buf_printf(out, ",%s", text);
  else
    add_field(out, text);
}

/* Adds the fields before those of a run: its manoeuvre and its car. */
static void add_run(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  vd_csv_text(vd_handling_title(h, m), out);
  add_field(out, vd_handling_car(h, c));
}

/* Adds the lines of a table about one run. */
typedef void writer(const vd_handling *h, size_t m, size_t c, vd_buf *out);

static void add_end(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  const vd_report_run *r = vd_handling_run(h, m, c);
  size_t missed = 0;
  for (size_t i = 0; i < r->conditions; i++)
    missed += r->condition[i].missed;
  add_run(h, m, c, out);
  add_field(out, r->scenario);
  add_field(out, vd_handling_outcome(h, m, c));
  vd_buf_printf(out, ",%zu,%zu\n", r->conditions, missed);
}

static void add_metrics(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  const vd_metrics *metrics = &vd_handling_run(h, m, c)->metrics;
  for (size_t i = 0; i < metrics->count; i++) {
    const vd_metric *metric = &metrics->metric[i];
    add_run(h, m, c, out);
    add_field(out, metric->name);
    add_number(out, metric->value);
    add_field(out, metric->unit);
    add_field(out, metric->definition);
    add_field(out, metric->reason);
    vd_buf_puts(out, "\n");
  }
}

static void add_conditions(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  const vd_report_run *r = vd_handling_run(h, m, c);
  for (size_t i = 0; i < r->conditions; i++) {
    const vd_report_condition *one = &r->condition[i];
    add_run(h, m, c, out);
    add_field(out, one->by);
    add_field(out, one->metric);
    add_number(out, one->at_least);
    add_number(out, one->at_most);
    add_number(out, one->value);
    add_field(out, one->unit);
    add_field(out, one->missed ? "missed" : "met");
    vd_buf_puts(out, "\n");
  }
}

static void add_lines(const char *kind, const vd_buf *lines, const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  for (const char *line = lines->text; line && *line;) {
    size_t length = strcspn(line, "\n");
    add_run(h, m, c, out);
    add_field(out, kind);
    add_field(out, vd_arena_copy(h->arena, line, length));
    vd_buf_puts(out, "\n");
    line += length + (line[length] == '\n');
  }
}

static void add_messages(const vd_handling *h, size_t m, size_t c, vd_buf *out) {
  add_lines("warning", &vd_handling_run(h, m, c)->warnings, h, m, c, out);
  add_lines("fitted", &vd_handling_run(h, m, c)->remarks, h, m, c, out);
}

/* Adds the figures in the units of the page, which are those of the ranges. */
static void add_summary(const vd_handling *h, vd_buf *out) {
  for (size_t i = 0; i < h->figures; i++)
    for (size_t c = 0; c < h->cars; c++) {
      const vd_handling_figure *f = &h->figure[i];
      const char *unit = f->unit;
      vd_csv_text(f->name, out);
      add_field(out, vd_handling_car(h, c));
      add_number(out, vd_handling_shown(f, f->value[c], &unit));
      add_field(out, unit);
      add_field(out, f->metric);
      add_field(out, vd_handling_title(h, f->manoeuvre));
      vd_buf_puts(out, "\n");
    }
}

static void add_ranges(const vd_handling *h, vd_buf *out) {
  for (size_t i = 0; i < h->figures; i++)
    for (size_t k = 0; k < h->figure[i].ranges; k++) {
      const vd_handling_figure *f = &h->figure[i];
      const char *unit = f->unit;
      vd_csv_text(f->name, out);
      add_field(out, f->range[k].class);
      add_number(out, vd_handling_shown(f, f->range[k].from, &unit));
      add_number(out, vd_handling_shown(f, f->range[k].to, &unit));
      add_field(out, unit);
      add_field(out, f->range[k].source);
      vd_buf_puts(out, "\n");
    }
}

static void add_keys(const vd_handling *h, vd_buf *out) {
  for (size_t i = 0; i < h->keys; i++)
    for (size_t c = 0; c < h->cars; c++) {
      vd_csv_text(h->key[i].key, out);
      add_field(out, vd_handling_car(h, c));
      add_value(out, h->key[i].value[c]);
      add_field(out, strcmp(h->key[i].unit, "1") == 0 ? "" : h->key[i].unit);
      vd_buf_puts(out, "\n");
    }
}

static void add_estimates(const vd_handling *h, vd_buf *out) {
  for (size_t c = 0; c < h->cars; c++) {
    const vd_report_run *r = vd_handling_of_car(h, c);
    for (const char *line = r ? r->estimates.text : NULL; line && *line;) {
      size_t length = strcspn(line, "\n");
      vd_csv_text(vd_handling_car(h, c), out);
      add_field(out, vd_arena_copy(h->arena, line, length));
      vd_buf_puts(out, "\n");
      line += length + (line[length] == '\n');
    }
  }
}

static const struct table {
  const char *ending, *columns;
  void (*add)(const vd_handling *h, vd_buf *out);
  writer *add_run; /* called for each run; NULL: `add' is called once */
} tables[] = {
    {".summary.csv", "figure,car,value,unit,metric,manoeuvre\n", add_summary, NULL},
    {".ranges.csv", "figure,class,from,to,unit,source\n", add_ranges, NULL},
    {".manoeuvres.csv", "manoeuvre,car,scenario,end,conditions,missed\n", NULL, add_end},
    {".conditions.csv", "manoeuvre,car,by,metric,at_least,at_most,value,unit,verdict\n", NULL, add_conditions},
    {".metrics.csv", "manoeuvre,car,metric,value,unit,definition,note\n", NULL, add_metrics},
    {".messages.csv", "manoeuvre,car,kind,text\n", NULL, add_messages},
    {".keys.csv", "key,car,value,unit\n", add_keys, NULL},
    {".estimates.csv", "car,key\n", add_estimates, NULL},
};

static void add_rows(const struct table *t, const vd_handling *h, vd_buf *out) {
  if (t->add)
    t->add(h, out);
  for (size_t m = 0; m < h->programme.manoeuvres.count && t->add_run; m++)
    for (size_t c = 0; c < h->cars; c++)
      t->add_run(h, m, c, out);
}

bool vd_handling_may_write(const vd_handling *h) {
  bool good = vd_tool_may_write(vd_handling_file(h, ".html"), VD_REPLACES_OURS);
  for (size_t i = 0; i < VD_COUNT(tables) && h->settings->directory; i++) {
    const char *columns = tables[i].columns;
    good &= vd_tool_may_write_text(vd_handling_file(h, tables[i].ending), columns, strlen(columns));
  }
  return good;
}

int vd_handling_tables(const vd_handling *h) {
  int status = VD_EXIT_YES;
  for (size_t i = 0; i < VD_COUNT(tables) && status == VD_EXIT_YES; i++) {
    vd_buf text = {0};
    vd_buf_puts(&text, tables[i].columns);
    add_rows(&tables[i], h, &text);
    status = vd_tool_write_text(vd_handling_file(h, tables[i].ending), VD_REPLACES_OURS, text.text, text.length);
    vd_buf_finish(&text);
  }
  return status;
}
