#include "figure.h"

#include "html.h"
#include "plot.h"
#include "process.h"
#include "tool.h"

#include "base/base.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in units of the picture. A page shows the picture larger if it has room. */
enum { TEXT = 11, HEADING = 15, EDGE = 6 };

/* --- axes --- */

static bool is_free(enum vd_stroke s) {
  return s == VD_STROKE_AT || s == VD_STROKE_SPAN;
}

/* Finds the range of x in all panels that share an axis. */
static void x_range(const vd_drawing *f, int over, double range[2]) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (size_t i = 0; i < f->panels; i++)
    for (size_t k = 0; f->panel[i].over == over && k < f->panel[i].picture.count; k++) {
      const vd_picture_series *s = &f->panel[i].picture.series[k];
      for (size_t j = 0; j < s->count && !is_free(s->stroke); j++) {
        if (f->panel[i].picture.log_x && !(s->x[j] > 0.0))
          continue;
        range[0] = fmin(range[0], s->x[j]);
        range[1] = fmax(range[1], s->x[j]);
      }
    }
}

static bool is_distance(const char *name) {
  static const char *const words[] = {"time", "frequency", "distance", "along"};
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (strncmp(name, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

/* Whether two values are far enough apart to be the ends of an axis. */
static bool is_apart(double low, double high) {
  return high - low > 1e-9 * fmax(fabs(low), fabs(high));
}

static bool set_limits(vd_drawing *f, const vd_figure_page *page) {
  for (size_t i = 0; i < f->panels; i++) {
    vd_picture *p = &f->panel[i].picture;
    double range[2];
    x_range(f, f->panel[i].over, range);
    double pad = p->log_x || is_distance(p->x_name) ? 0.0 : 0.03 * (range[1] - range[0]);
    if (!is_apart(range[0], range[1]))
      pad = p->log_x ? 0.0 : range[1] == 0.0 ? 1.0 : 0.05 * fabs(range[1]);
    if (!p->x_limits.has_from) /* the picture sets no limits itself */
      p->x_limits = (vd_picture_limits){true, true, range[0] - pad, range[1] + pad};
    if (page->x.has_from)
      p->x_limits.from = page->x.from;
    if (page->x.has_to)
      p->x_limits.to = page->x.to;
    if (p->log_x && !(p->x_limits.from > 0.0))
      return vd_tool_error("a logarithmic axis begins above 0; --xlim can say where");
    if ((page->x.has_from || page->x.has_to) && !is_apart(p->x_limits.from, p->x_limits.to))
      return vd_tool_error("--xlim leaves nothing between %.9g and %.9g", p->x_limits.from, p->x_limits.to);
    if (i < page->ys && (page->y[i].has_from || page->y[i].has_to)) {
      double y[2];
      p->y_limits = page->y[i];
      vd_plot_vertical(p, y);
      if (!is_apart(y[0], y[1]))
        return vd_tool_error("--ylim leaves nothing between %.9g and %.9g", y[0], y[1]);
    }
  }
  return true;
}

/* --- texts --- */

/* Writes a text in centred lines that fit into the width. *y: baseline of the line before, then of the last line. */
static void write_lines(const char *text, double size, const char *style, double wide, double *y, vd_buf *out) {
  while (*text) {
    size_t fits = vd_plot_fitting(text, (wide - 2.0 * EDGE) / (1.1 * size)), length = fits;
    while (text[fits] && length > 0 && text[length] != ' ')
      length--;
    bool cut = length == 0; /* a word that is longer than a line */
    length = cut ? fits : length;
    if (length == 0)
      return;
    vd_buf line = {0};
    vd_buf_add(&line, text, length);
    *y += 1.35 * size;
    vd_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" style=\"font-size:%gpx;%s\">", 0.5 * wide,
                  *y, size, style);
    vd_html_text(out, line.text);
    vd_buf_puts(out, cut && text[length] ? "…</text>\n" : "</text>\n");
    vd_buf_finish(&line);
    text += length;
    if (cut)
      text += strcspn(text, " ");
    text += strspn(text, " ");
  }
}

/* --- layout --- */

typedef struct layout {
  vd_drawing *f;
  vd_plot_sheet *sheet; /* [panels] */
  size_t columns, rows;
  double wide, high, top;
} layout;

/* Whether a panel shows the numbers and the name of its x axis. It does not if the panel below has the same axis and
 * neither of the two panels has equal scales. */
static bool has_foot(const layout *l, size_t i) {
  const vd_panel *p = &l->f->panel[i], *below = p + l->columns;
  return i + l->columns >= l->f->panels || below->over != p->over || p->picture.equal || below->picture.equal;
}

/* Aligns the left edges of panels in a column and the upper edges of panels in a row. Returns the height that the
 * panels need besides their areas. *flexible: number of rows that may have any height. */
static double align(layout *l, size_t *flexible) {
  double taken = 0.0;
  *flexible = 0;
  for (size_t c = 0; c < l->columns; c++) {
    double left = 0.0;
    for (size_t i = c; i < l->f->panels; i += l->columns) {
      vd_plot_measure(&l->f->panel[i].picture, &l->sheet[i]);
      left = fmax(left, l->sheet[i].left);
    }
    for (size_t i = c; i < l->f->panels; i += l->columns) {
      l->sheet[i] = (vd_plot_sheet){.x = (double)c * l->wide / (double)l->columns,
                                    .wide = l->wide / (double)l->columns,
                                    .left = left,
                                    .foot = has_foot(l, i)};
      vd_plot_measure(&l->f->panel[i].picture, &l->sheet[i]);
    }
  }
  for (size_t r = 0; r < l->rows; r++) {
    double head = 0.0, foot = 8.0, fixed = 0.0;
    for (size_t i = r * l->columns; i < l->f->panels && i < (r + 1) * l->columns; i++) {
      head = fmax(head, l->sheet[i].head);
      foot = l->sheet[i].foot ? VD_PLOT_FOOT : foot;
      fixed = l->f->panel[i].picture.equal ? fmax(fixed, l->sheet[i].height) : fixed;
    }
    for (size_t i = r * l->columns; i < l->f->panels && i < (r + 1) * l->columns; i++) {
      l->sheet[i].head = head;
      l->sheet[i].height = l->f->panel[i].picture.equal ? l->sheet[i].height : fixed;
      l->sheet[i].y = foot; /* provisional; the rows are placed below */
    }
    taken += head + foot + fixed;
    *flexible += fixed == 0.0;
  }
  return taken;
}

static bool place(layout *l) {
  static const double usual[] = {264.0, 187.0, 143.0, 116.0};
  size_t flexible;
  double taken = align(l, &flexible), body = l->f->body > 0.0 ? l->f->body : usual[(l->rows < 4 ? l->rows : 4) - 1];
  double y = l->top;
  if (l->high > 0.0 && flexible > 0)
    body = (l->high - l->top - taken - EDGE) / (double)flexible;
  if (body < 30.0)
    return vd_tool_error("the size has no room for %zu panels; give only the width", l->f->panels);
  for (size_t r = 0; r < l->rows; r++) {
    double tallest = 0.0;
    for (size_t i = r * l->columns; i < l->f->panels && i < (r + 1) * l->columns; i++) {
      vd_plot_sheet *s = &l->sheet[i];
      double foot = s->foot ? VD_PLOT_FOOT : s->y;
      s->height = s->height > 0.0 ? s->height : body;
      s->y = y;
      tallest = fmax(tallest, s->head + s->height + foot);
    }
    y += tallest;
  }
  l->high = l->high > 0.0 ? l->high : y + EDGE;
  return true;
}

bool vd_figure_draw(vd_drawing *f, const vd_figure_page *page, vd_buf *out) {
  const double scale = page->width >= 700.0 ? 1.25 : 1.0;
  layout l = {.f = f, .wide = page->width / scale, .high = page->height / scale, .top = EDGE};
  size_t most = l.wide < 530.0 ? 1 : (size_t)(l.wide / 264.0);
  l.columns = (size_t)f->columns > f->panels ? f->panels : (size_t)f->columns;
  l.columns = l.columns > most ? most : l.columns;
  l.rows = (f->panels + l.columns - 1) / l.columns;
  l.sheet = vd_allocate(f->panels, sizeof *l.sheet);
  for (size_t i = 0; i < f->panels; i++)
    l.sheet[i] = (vd_plot_sheet){.wide = l.wide / (double)l.columns};
  vd_buf head = {0};
  write_lines(page->title, HEADING, "", l.wide, &l.top, &head);
  write_lines(page->under, TEXT + 1, "fill:#505050", l.wide, &l.top, &head);
  l.top += EDGE;
  bool good = set_limits(f, page) && place(&l);
  if (good) {
    vd_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.6g %.6g\" "
                  "data-generator=\"vdsim-plot " VDSIM_VERSION "\">\n<style>\n",
                  page->width, page->height > 0.0 ? page->height : round(l.high * scale), l.wide,
                  page->height > 0.0 ? l.high : round(l.high * scale) / scale);
    vd_html_picture_style(out);
    vd_buf_puts(out, "svg text{font-family:'DejaVu Sans',Verdana,sans-serif}\n</style>\n"
                     "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    vd_buf_puts(out, head.text ? head.text : "");
    for (size_t i = 0; i < f->panels; i++)
      vd_plot_panel(&f->panel[i].picture, &l.sheet[i], out);
    vd_buf_puts(out, "</svg>\n");
  }
  vd_buf_finish(&head);
  free(l.sheet);
  return good;
}

/* --- files --- */

static const char *format_of(const char *path) {
  return vd_ends_in(path, ".png") ? "png" : vd_ends_in(path, ".pdf") ? "pdf" : vd_ends_in(path, ".svg") ? "svg" : NULL;
}

bool vd_figure_is_output(const char *path) {
  return vd_tool_is_stdout(path) || format_of(path) ||
         vd_tool_error("the name of the picture must end in .svg, .png or .pdf: %s", path);
}

/* Converts a picture by the program rsvg-convert of librsvg. False after a message. */
static bool convert(const char *format, const vd_buf *svg, vd_buf *out) {
  FILE *from = tmpfile(), *to = tmpfile();
  char program[] = "rsvg-convert", as[8], across[] = "-d72", up[] = "-p72"; /* one point of a PDF per pixel */
  char *const argv[] = {program, as, across, up, NULL};
  snprintf(as, sizeof as, "-f%s", format);
  bool good = from && to && fwrite(svg->text, 1, svg->length, from) == svg->length && fflush(from) == 0 &&
              fseek(from, 0, SEEK_SET) == 0 && vd_process_filter(argv, from, to);
  char bytes[4096];
  if (good)
    rewind(to);
  for (size_t n; good && (n = fread(bytes, 1, sizeof bytes, to)) > 0;)
    vd_buf_add(out, bytes, n);
  if (from)
    fclose(from);
  if (to)
    fclose(to);
  return (good && out->length > 0) ||
         vd_tool_error("a %s is made by rsvg-convert (Debian: librsvg2-bin), which failed or is not there; "
                       "a name that ends in .svg needs nothing",
                       format);
}

int vd_figure_write(const char *path, const vd_buf *svg) {
  path = path ? path : "-";
  const char *format = vd_tool_is_stdout(path) ? "svg" : format_of(path);
  bool picture = !vd_tool_is_stdout(path) && (vd_tool_begins(path, "\x89PNG") || vd_tool_begins(path, "%PDF") ||
                                              vd_tool_begins(path, "<svg ") || vd_tool_begins(path, "<?xml"));
  const enum vd_replaces what = picture ? VD_REPLACES_ALL : VD_REPLACES_OURS;
  if (strcmp(format, "svg") == 0)
    return vd_tool_write_text(path, what, svg->text, svg->length);
  vd_buf out = {0};
  int status = convert(format, svg, &out) ? vd_tool_write_text(path, what, out.text, out.length) : VD_EXIT_TROUBLE;
  vd_buf_finish(&out);
  return status;
}
