/* The data of a report's viewer, as JSON. Long rows of numbers are quantised: n little-endian integers of w bytes each,
 * in base64; value = o + s * integer. With w = 2 the least integer stands for "no value". A constant row has only its
 * value c. */
#include "report.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "ground/mesh_def.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers --- */

static void write_base64(const unsigned char *bytes, size_t count, vd_buf *out) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    unsigned long word = 0;
    for (size_t k = 0; k < 3; k++)
      word = word << 8 | (i + k < count ? bytes[i + k] : 0u);
    char text[4];
    for (size_t k = 0; k < 4; k++)
      text[k] = i + k <= count ? digit[word >> (18 - 6 * k) & 63u] : '=';
    vd_buf_add(out, text, 4);
  }
}

/* Quantises in steps of at most twice the accuracy, with two bytes if their range suffices. A row with gaps always has
 * two bytes, whatever its steps, because only two bytes have an integer for "no value". */
static void write_row(const double *value, size_t count, size_t stride, double accuracy, vd_buf *out) {
  double least = INFINITY, most = -INFINITY;
  bool gaps = false;
  for (size_t i = 0; i < count; i++) {
    double v = value[i * stride];
    gaps |= !isfinite(v);
    least = isfinite(v) && v < least ? v : least;
    most = isfinite(v) && v > most ? v : most;
  }
  if (!gaps && least == most) {
    vd_buf_printf(out, "{\"n\":%zu,\"c\":%.9g}", count, least);
    return;
  }
  double middle = least <= most ? 0.5 * (least + most) : 0.0, range = least <= most ? most - least : 0.0;
  bool narrow = gaps || range <= 65000.0 * 2.0 * accuracy;
  double step = vd_max(range / (narrow ? 65000.0 : 4.2e9), 1e-12);
  size_t width = narrow ? 2 : 4;
  unsigned char *bytes = vd_allocate(count * width + 1, 1);
  for (size_t i = 0; i < count; i++) {
    double v = value[i * stride];
    int64_t q = isfinite(v) ? llround((v - middle) / step) : -32768;
    for (size_t k = 0; k < width; k++)
      bytes[i * width + k] = (unsigned char)((uint64_t)q >> (8 * k) & 255u);
  }
  vd_buf_printf(out, "{\"n\":%zu,\"w\":%zu,\"o\":%.17g,\"s\":%.17g,\"d\":\"", count, width, middle, step);
  write_base64(bytes, count * width, out);
  vd_buf_puts(out, "\"}");
  free(bytes);
}

static void write_list(const char *key, const double *value, size_t count, double accuracy, vd_buf *out) {
  vd_buf_printf(out, ",\"%s\":", key);
  write_row(value, count, 1, accuracy, out);
}

/* Writes a string that may also stand inside a script element. */
static void write_text(const char *text, vd_buf *out) {
  vd_buf_puts(out, "\"");
  for (const char *c = text ? text : ""; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte < 0x20 || *c == '"' || *c == '\\' || *c == '<')
      vd_buf_printf(out, "\\u%04x", byte);
    else
      vd_buf_add(out, c, 1);
  }
  vd_buf_puts(out, "\"");
}

/* --- the area that the cars cover --- */

typedef struct extent {
  double low[2], high[2]; /* m, world x and y */
} extent;

static extent extent_of(const vd_report_run *run, size_t count, double margin) {
  extent e = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < run[k].frame.count; i++)
      for (size_t j = 0; j < 2; j++) {
        double at = vd_rows_at(&run[k].frame, i, VD_FRAME_PLACE + j);
        e.low[j] = vd_min(e.low[j], at - margin);
        e.high[j] = vd_max(e.high[j], at + margin);
      }
  return e;
}

/* --- ground --- */

enum { GRID = 30000, LOOP = 160, TRIANGLES = 6000 };

/* Writes the heights of the road on a square grid around the path; writes nothing if all heights are those of the
 * plane. */
static void write_grid(const vd_ground *g, const extent *e, vd_buf *out) {
  double size[2] = {e->high[0] - e->low[0], e->high[1] - e->low[1]};
  double cell = vd_max(sqrt(size[0] * size[1] / GRID), 0.05);
  size_t nx = (size_t)ceil(size[0] / cell) + 1, ny = (size_t)ceil(size[1] / cell) + 1;
  double *z = vd_allocate(nx * ny, sizeof *z), *mu = vd_allocate(nx * ny, sizeof *mu);
  bool relief = false, patched = false;
  for (size_t i = 0; i < nx * ny; i++) {
    double x = e->low[0] + cell * (double)(i % nx), y = e->low[1] + cell * (double)(i / nx);
    vd_road road;
    z[i] = vd_ground_top(g, x, y, &road) ? road.z : NAN;
    mu[i] = vd_ground_friction(g, x, y);
    relief |= !(fabs(z[i] - g->slope_x * x - g->slope_y * y) < 1e-6);
    patched |= mu[i] != g->friction;
  }
  if (relief) {
    vd_buf_printf(out, ",\"grid\":{\"x\":%.9g,\"y\":%.9g,\"cell\":%.9g,\"nx\":%zu,\"ny\":%zu", e->low[0], e->low[1],
                  cell, nx, ny);
    write_list("z", z, nx * ny, 0.0005, out);
    if (patched)
      write_list("mu", mu, nx * ny, 0.01, out);
    vd_buf_puts(out, "}");
  }
  free(z);
  free(mu);
}

static void write_loop(const vd_ground *g, vd_buf *out) {
  double place[3];
  if (!vd_ground_loop_place(g, 0.0, 0.0, place))
    return;
  double *at = vd_allocate(6 * (LOOP + 1), sizeof *at);
  for (int i = 0; i <= LOOP; i++)
    for (int side = 0; side < 2; side++)
      vd_ground_loop_place(g, (double)i / LOOP, side ? -1.0 : 1.0, at + 6 * i + 3 * side);
  write_list("loop", at, 6 * (LOOP + 1), 0.001, out);
  free(at);
}

/* Writes the triangles of the mesh that are nearest to the path, at most TRIANGLES of them. */
static void write_mesh(const vd_mesh *mesh, const vd_report_run *run, size_t count, vd_buf *out) {
  size_t all = vd_mesh_triangles(mesh), found = TRIANGLES + 1;
  double *at = vd_allocate(9 * (size_t)TRIANGLES, sizeof *at);
  for (double margin = 200.0; found > TRIANGLES && margin > 2.0; margin *= 0.7) {
    extent e = extent_of(run, count, margin);
    found = 0;
    for (size_t i = 0; i < all && found <= TRIANGLES; i++) {
      double corner[3][3];
      vd_mesh_corners(mesh, i, corner);
      double x = (corner[0][0] + corner[1][0] + corner[2][0]) / 3.0;
      double y = (corner[0][1] + corner[1][1] + corner[2][1]) / 3.0;
      if (x < e.low[0] || x > e.high[0] || y < e.low[1] || y > e.high[1])
        continue;
      if (found < TRIANGLES)
        memcpy(at + 9 * found, corner, sizeof corner);
      found++;
    }
  }
  write_list("mesh", at, 9 * (found < TRIANGLES ? found : (size_t)TRIANGLES), 0.001, out);
  free(at);
}

static void write_patch(const vd_ground *g, const vd_patch_def *p, const extent *e, vd_buf *out) {
  double corner[64][2];
  size_t count = 0;
  if (p->shape == VD_PATCH_RECTANGLE) {
    double x[2] = {isnan(p->x_from) ? e->low[0] : p->x_from, isnan(p->x_to) ? e->high[0] : p->x_to};
    double y[2] = {isnan(p->y_from) ? e->low[1] : p->y_from, isnan(p->y_to) ? e->high[1] : p->y_to};
    for (; count < 4; count++) {
      corner[count][0] = vd_max(e->low[0], vd_min(x[count == 1 || count == 2], e->high[0]));
      corner[count][1] = vd_max(e->low[1], vd_min(y[count >= 2], e->high[1]));
    }
  } else {
    for (; count < p->corners.count && count < 64; count++) {
      corner[count][0] = p->corners.xy[2 * count];
      corner[count][1] = p->corners.xy[2 * count + 1];
    }
  }
  vd_buf_printf(out, "{\"mu\":%.4g,\"p\":[", p->friction);
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(out, "%s[%.7g,%.7g,%.7g]", i ? "," : "", corner[i][0], corner[i][1],
                  g->slope_x * corner[i][0] + g->slope_y * corner[i][1]);
  vd_buf_puts(out, "]}");
}

static void write_ground(const vd_report_run *run, size_t count, vd_buf *out) {
  const vd_ground *g = run[0].ground;
  extent e = extent_of(run, count, 15.0);
  if (!g) {
    vd_buf_puts(out, "\"ground\":{\"mu\":1");
    write_mesh(run[0].mesh, run, count, out);
    if (!isnan(run[0].floor))
      vd_buf_printf(out, ",\"plane\":[0,0,%.9g]", run[0].floor);
    vd_buf_puts(out, "}");
    return;
  }
  vd_buf_printf(out, "\"ground\":{\"mu\":%.4g", g->friction);
  if (g->type == VD_GROUND_MESH)
    write_mesh(g->as.mesh, run, count, out);
  else if (!vd_ground_plane(g))
    write_grid(g, &e, out);
  write_loop(g, out);
  if (!g->solid)
    vd_buf_printf(out, ",\"plane\":[%.9g,%.9g,0]", g->slope_x, g->slope_y);
  vd_buf_puts(out, ",\"patches\":[");
  for (size_t i = 0; i < g->patches && vd_ground_plane(g); i++) {
    vd_buf_puts(out, i ? "," : "");
    write_patch(g, &g->patch[i], &e, out);
  }
  vd_buf_puts(out, "]}");
}

/* --- course --- */

static double height_at(const vd_report_run *run, double x, double y) {
  vd_road road = {.z = 0.0};
  if (run->ground)
    vd_ground_top(run->ground, x, y, &road);
  return road.z;
}

static void write_course(const vd_report_run *run, vd_buf *out) {
  enum { POINTS = 400 };
  const vd_path *p = run->path;
  if (!p || p->count == 0)
    return;
  double at[3 * POINTS];
  for (size_t i = 0; i < POINTS; i++) {
    vd_path_point point;
    vd_path_at(p, p->length * (double)i / (POINTS - 1), &point);
    at[3 * i] = point.x;
    at[3 * i + 1] = point.y;
    at[3 * i + 2] = height_at(run, point.x, point.y);
  }
  write_list("course", at, 3 * (size_t)POINTS, 0.002, out);
  vd_buf_puts(out, ",\"cones\":[");
  for (size_t i = 0; i < run->cone.count; i++) {
    double x = vd_rows_at(&run->cone, i, 0), y = vd_rows_at(&run->cone, i, 1);
    vd_buf_printf(out, "%s[%.7g,%.7g,%.7g]", i ? "," : "", x, y, height_at(run, x, y));
  }
  vd_buf_printf(out, "],\"cone\":%.4g", vd_max(p->cone_radius, 0.05));
}

/* --- runs --- */

static void write_group(const vd_report_run *r, const char *key, size_t from, size_t columns, double accuracy,
                        vd_buf *out) {
  vd_buf_printf(out, ",\n\"%s\":[", key);
  for (size_t k = 0; k < columns; k++) {
    vd_buf_puts(out, k ? "," : "");
    write_row(r->frame.value + from + k, r->frame.count, r->frame.columns, accuracy, out);
  }
  vd_buf_puts(out, "]");
}

static void write_numbers(const char *key, const double *value, size_t count, vd_buf *out) {
  vd_buf_printf(out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(out, "%s%.6g", i ? "," : "", value[i]);
  vd_buf_puts(out, "]");
}

static void write_run(const vd_report_run *r, vd_buf *out) {
  const vd_report_car *s = &r->shape;
  const double box[] = {s->ahead, s->behind, s->width, s->under, s->over};
  vd_buf_puts(out, "{\"name\":");
  write_text(r->title && *r->title ? r->title : r->scenario, out);
  vd_buf_printf(out, ",\"weight\":%.6g", s->weight);
  write_numbers("box", box, VD_COUNT(box), out);
  write_numbers("seat", s->seat, 3, out);
  write_numbers("radius", s->radius, VD_WHEELS, out);
  write_numbers("half", s->half_width, VD_WHEELS, out);
  vd_buf_puts(out, ",\"rodWheel\":[");
  for (size_t i = 0; i < s->rods; i++)
    vd_buf_printf(out, "%s%d", i ? "," : "", s->rod_wheel[i]);
  vd_buf_puts(out, "]");
  write_group(r, "t", VD_FRAME_T, 1, 5e-7, out);
  write_group(r, "place", VD_FRAME_PLACE, 3, 2e-4, out);
  write_group(r, "turn", VD_FRAME_TURN, 4, 1e-4, out);
  write_group(r, "wheel", VD_FRAME_WHEEL, 3 * VD_WHEELS, 2e-4, out);
  write_group(r, "axle", VD_FRAME_AXLE, 3 * VD_WHEELS, 1e-4, out);
  write_group(r, "rolled", VD_FRAME_ROLLED, VD_WHEELS, 0.01, out);
  write_group(r, "contact", VD_FRAME_CONTACT, 3 * VD_WHEELS, 1e-3, out);
  write_group(r, "force", VD_FRAME_FORCE, 3 * VD_WHEELS, 5.0, out);
  write_group(r, "rods", VD_FRAME_RODS, 6 * s->rods, 2e-4, out);
  vd_buf_puts(out, "}");
}

void vd_report_scene(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_buf_puts(out, "{");
  write_ground(run, count, out);
  write_course(&run[0], out);
  vd_buf_puts(out, ",\"runs\":[\n");
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, i ? ",\n" : "");
    write_run(&run[i], out);
  }
  vd_buf_puts(out, "]}\n");
}
