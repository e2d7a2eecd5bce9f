/* Reads Wavefront OBJ: each line is a statement that begins with its keyword; a backslash at the end of a line
 * continues it in the next, '#' begins a comment (Wavefront Technologies, Advanced Visualizer Manual, Appendix B1). */
#include "base/elementary.h"
#include "base/memory.h"
#include "ground/mesh_impl.h"

#include "base/num.h"
#include "base/system.h"
#include "input/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_CORNERS = 256, /* greatest number of corners of a face */
  MAX_NUMBERS = 7,   /* numbers of a vertex: place, weight, colour */
  EXCERPT = 40,      /* bytes of the text that a message repeats */
};

/* Least height of a triangle as a share of its longest edge. Coordinates with six decimals do not determine the normal
 * of a flatter triangle. */
static const double flattest = 1e-6;

/* Known keywords; all except the first two have no meaning for a surface to drive on. */
static const char *const keywords[] = {
    "v",   "f",    "vt",   "vn",    "vp",       "g",      "o",        "s",          "usemtl",    "mtllib", "l",
    "p",   "mg",   "lod",  "bevel", "c_interp", "cstype", "d_interp", "shadow_obj", "trace_obj", "ctech",  "stech",
    "deg", "bmat", "step", "curv",  "curv2",    "surf",   "parm",     "trim",       "hole",      "scrv",   "sp",
    "end", "con",  "call", "csh",   "maplib",   "usemap", "bsp",      "bzp",        "cdc",       "cdp",    "res",
};

typedef struct reader {
  vd_lines in;
  const char *at, *end;
  vd_mesh_raw *raw;
  int32_t textures, normals; /* numbers of vt and vn so far */
  vd_slice statement;        /* keyword */

  /* the face being read */
  int32_t corner[MAX_CORNERS];
  size_t corners;

  size_t flat; /* number of faces without area, which are left out */
  vd_slice first_flat;
} reader;

static int shown(vd_slice w) {
  return w.length < EXCERPT ? (int)w.length : EXCERPT;
}

#define ERROR(r, w, ...) VD_LINES_ERROR(&(r)->in, w, __VA_ARGS__)

/* Returns the length of a line break with a backslash before it, 0 if there is none. */
static size_t continuation(const char *at, const char *end) {
  if (*at != '\\' || end - at < 2 || !vd_is_break(at[1]))
    return 0;
  return at[1] == '\r' && end - at > 2 && at[2] == '\n' ? 3 : 2;
}

static bool ends_word(const char *at, const char *end) {
  return vd_is_blank(*at) || vd_is_break(*at) || continuation(at, end) > 0;
}

/* Returns the next word of the statement; length 0: there is none. */
static vd_slice next_word(reader *r) {
  const char *at = r->at, *end = r->end;
  while (at < end && (vd_is_blank(*at) || *at == '\\')) {
    size_t more = *at == '\\' ? continuation(at, end) : 1;
    if (more == 0)
      break;
    at += more;
  }
  vd_slice w = {at, 0};
  if (at < end && *at != '#')
    while (at < end && !ends_word(at, end))
      at++;
  w.length = (size_t)(at - w.text);
  r->at = at;
  return w;
}

static void skip_statement(reader *r) {
  bool comment = false;
  while (r->at < r->end && !vd_is_break(*r->at)) {
    comment |= *r->at == '#';
    size_t more = comment ? 0 : continuation(r->at, r->end);
    r->at += more > 0 ? more : 1;
  }
}

/* Returns the statement that begins at `from`, without the blanks or the comment at its end. */
static vd_slice whole(const char *from, const char *end) {
  const char *last = from;
  for (const char *at = from; at < end && !vd_is_break(*at) && *at != '#'; at++)
    if (!vd_is_blank(*at))
      last = at + 1;
  return (vd_slice){from, (size_t)(last - from)};
}

vd_place vd_mesh_statement(int source, const vd_diag *d, uint32_t at) {
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  return vd_diag_place(d, source, at, whole(text + at, text + length).length);
}

/* --- vertices --- */

/* True if a word is nan, inf or infinity in any case and with any sign, as printf writes them. */
static bool is_unbounded(vd_slice w) {
  static const char *const names[] = {"nan", "inf"};
  size_t sign = w.text[0] == '-' || w.text[0] == '+';
  for (size_t i = 0; i < VD_COUNT(names); i++)
    if (w.length >= sign + strlen(names[i]) && strncasecmp(w.text + sign, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static bool read_number(reader *r, vd_slice w, double *value) {
  size_t used;
  bool good = vd_num_parse(w.text, w.length, value, &used);
  if (good && used == w.length)
    return true;
  ERROR(r, w, "'%.*s' is %s", shown(w), w.text,
        used == w.length  ? "too large for a number"
        : is_unbounded(w) ? "not a finite number"
                          : "not a number");
  return false;
}

static double *add_point(vd_mesh_raw *raw) {
  if (raw->points == raw->point_room) {
    raw->point_room = raw->point_room > 0 ? 2 * raw->point_room : 1024;
    raw->point = vd_reallocate(raw->point, raw->point_room, sizeof *raw->point);
  }
  double *p = raw->point[raw->points++];
  p[0] = p[1] = p[2] = NAN;
  return p;
}

/* Reads the three coordinates and what may follow them; false after an error. */
static bool read_coordinates(reader *r, double *p) {
  int count = 0;
  for (vd_slice w = next_word(r); w.length > 0; w = next_word(r), count++) {
    double value;
    if (count == MAX_NUMBERS) {
      ERROR(r, w, "a vertex has %d numbers at most: place, weight and colour", MAX_NUMBERS);
      return false;
    }
    if (!read_number(r, w, &value))
      return false;
    if (count < 3 && !(fabs(value) <= VD_MESH_FAR)) {
      ERROR(r, w, "a coordinate must be -1e6 to 1e6 m, not %.9g", value);
      return false;
    }
    if (count < 3)
      p[count] = value;
  }
  if (count < 3)
    ERROR(r, r->statement, "a vertex has three coordinates, not %d", count);
  return count >= 3;
}

/* Reads a vertex. A faulty vertex is counted, too, so that the others keep their numbers; faces with a faulty vertex
 * are ignored. */
static void read_vertex(reader *r) {
  double *p = add_point(r->raw);
  if (!read_coordinates(r, p))
    p[0] = NAN;
}

/* --- faces --- */

/* Reads digits with a sign; returns the bytes used. */
static size_t scan_index(const char *at, const char *end, int64_t *value) {
  const char *start = at;
  bool negative = at < end && *at == '-';
  at += negative;
  const char *digits = at;
  for (*value = 0; at < end && *at >= '0' && *at <= '9'; at++)
    if (*value <= INT32_MAX)
      *value = 10 * *value + (*at - '0');
  if (negative)
    *value = -*value;
  return at > digits ? (size_t)(at - start) : 0;
}

/* Converts one of the up to three numbers of a corner to an index from 0. */
static bool check_index(reader *r, vd_slice w, int64_t value, const char *name, size_t count, int32_t *index) {
  int64_t here = value < 0 ? (int64_t)count + value : value - 1;
  if (value == 0)
    ERROR(r, w, "%s 0 does not exist: they count from 1", name);
  else if (count == 0)
    ERROR(r, w, "%s %.*s does not exist; there is none before this face", name, shown(w), w.text);
  else if (here < 0 || here >= (int64_t)count)
    ERROR(r, w, "%s %.*s does not exist; the last before this face is %zu", name, shown(w), w.text, count);
  else {
    *index = (int32_t)here;
    return true;
  }
  return false;
}

/* Reads a corner: v, v/vt, v//vn or v/vt/vn. */
static bool read_corner(reader *r, vd_slice w, int32_t *corner) {
  static const char *const names[] = {"vertex", "texture vertex", "normal"};
  const size_t counts[] = {r->raw->points, (size_t)r->textures, (size_t)r->normals};
  const char *at = w.text, *end = w.text + w.length;
  for (size_t i = 0; i < VD_COUNT(names); i++) {
    int64_t value;
    int32_t unused, *index = i == 0 ? corner : &unused;
    size_t used = scan_index(at, end, &value);
    bool skipped = i == 1 && used == 0 && end - at > 1 && *at == '/';
    if (used == 0 && !skipped)
      break;
    if (!skipped && !check_index(r, (vd_slice){at, used}, value, names[i], counts[i], index))
      return false;
    at += used;
    if (at == end)
      return true;
    if (*at != '/')
      break;
    at++;
  }
  ERROR(r, w, "'%.*s' is not a corner: expected v, v/vt, v//vn or v/vt/vn", shown(w), w.text);
  return false;
}

static void add_triangle(reader *r, int32_t a, int32_t b, int32_t c) {
  vd_mesh_raw *raw = r->raw;
  if (raw->triangles == raw->triangle_room) {
    raw->triangle_room = raw->triangle_room > 0 ? 2 * raw->triangle_room : 1024;
    raw->corner = vd_reallocate(raw->corner, raw->triangle_room, sizeof *raw->corner);
    raw->statement = vd_reallocate(raw->statement, raw->triangle_room, sizeof *raw->statement);
  }
  int32_t *corner = raw->corner[raw->triangles];
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
  raw->statement[raw->triangles++] = (uint32_t)(r->statement.text - r->in.text);
}

static double longest2(const double *a, const double *b, const double *c) {
  double ab[3], bc[3], ca[3];
  vd_between(a, b, ab);
  vd_between(b, c, bc);
  vd_between(c, a, ca);
  return vd_max(vd_dot(ab, ab), vd_max(vd_dot(bc, bc), vd_dot(ca, ca)));
}

static bool has_area(const double *a, const double *b, const double *c) {
  double area[3];
  vd_mesh_area(a, b, c, area);
  return sqrt(vd_dot(area, area)) > flattest * longest2(a, b, c);
}

/* Writes triangle i (from 2 on) of the fan of triangles that begin at the corner `start`. */
static void fan_triangle(const reader *r, size_t start, size_t i, int32_t k[3]) {
  k[0] = r->corner[start];
  k[1] = r->corner[(start + i - 1) % r->corners];
  k[2] = r->corner[(start + i) % r->corners];
}

/* Removes corners that repeat the one before. */
static void drop_repeated(reader *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->corners; i++)
    if (kept == 0 || r->corner[i] != r->corner[kept - 1])
      r->corner[kept++] = r->corner[i];
  while (kept > 1 && r->corner[kept - 1] == r->corner[0])
    kept--;
  r->corners = kept;
}

/* Checks the fan of triangles that starts at a corner. Returns how many triangles have no area. *folded: a corner of a
 * triangle whose orientation is opposite, so that triangles overlap, or -1. */
static size_t look_at_fan(const reader *r, size_t start, int32_t *folded) {
  const vd_point *point = (const vd_point *)r->raw->point;
  double all[3] = {0.0, 0.0, 0.0};
  size_t flat = 0;
  *folded = -1;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 2; i < r->corners; i++) {
      int32_t k[3];
      double area[3];
      fan_triangle(r, start, i, k);
      vd_mesh_area(point[k[0]], point[k[1]], point[k[2]], area);
      bool wide = has_area(point[k[0]], point[k[1]], point[k[2]]);
      flat += pass == 0 && !wide;
      if (pass > 0 && wide && !(vd_dot(area, all) > 0.0) && *folded < 0)
        *folded = k[1];
      for (int j = 0; j < 3; j++)
        all[j] += pass == 0 && wide ? area[j] : 0.0;
    }
  return flat;
}

/* Adds the fan of the first corner from which all triangles have an area and the same orientation. If there is no such
 * corner, adds the triangles with an area of the fan from corner 0. */
static void add_fan(reader *r, vd_slice face) {
  const vd_point *point = (const vd_point *)r->raw->point;
  size_t start = 0, flat = 1;
  int32_t folded = -1;
  for (size_t i = 0; i < r->corners; i++)
    if (isnan(point[r->corner[i]][0]))
      return;
  drop_repeated(r);
  for (size_t k = 0; k < r->corners && (flat > 0 || folded >= 0); k++)
    flat = look_at_fan(r, start = k, &folded);
  if (flat > 0 || folded >= 0)
    flat = look_at_fan(r, start = 0, &folded);
  if (folded >= 0) {
    ERROR(r, face, "the fan of triangles from the first corner folds over at vertex %d; split the face",
          (int)folded + 1);
    return;
  }
  for (size_t i = 2; i < r->corners; i++) {
    int32_t k[3];
    fan_triangle(r, start, i, k);
    if (flat == 0 || has_area(point[k[0]], point[k[1]], point[k[2]]))
      add_triangle(r, k[0], k[1], k[2]);
  }
  if (r->corners < 3 || flat == r->corners - 2) {
    r->first_flat = r->flat > 0 ? r->first_flat : face;
    r->flat++;
  }
}

static void read_face(reader *r) {
  bool good = true;
  r->corners = 0;
  for (vd_slice w = next_word(r); w.length > 0; w = next_word(r)) {
    int32_t corner = 0;
    if (r->corners == MAX_CORNERS) {
      ERROR(r, w, "a face has %d corners at most", MAX_CORNERS);
      return;
    }
    good &= read_corner(r, w, &corner);
    r->corner[r->corners++] = corner;
    if (r->in.errors >= VD_MESH_ERRORS)
      return;
  }
  vd_slice face = whole(r->statement.text, r->end);
  if (r->corners < 3)
    ERROR(r, face, "a face has three corners or more, not %zu", r->corners);
  else if (good && r->raw->triangles + r->corners > VD_MESH_TRIANGLES)
    ERROR(r, face, "more than %d triangles", VD_MESH_TRIANGLES);
  else if (good)
    add_fan(r, face);
}

/* --- statements --- */

static bool is_word(vd_slice w, const char *name) {
  return strlen(name) == w.length && memcmp(w.text, name, w.length) == 0;
}

static void read_other(reader *r) {
  vd_slice w = r->statement;
  if (is_word(w, "vt") || is_word(w, "vn")) {
    *(w.text[1] == 't' ? &r->textures : &r->normals) += 1;
    return;
  }
  for (size_t i = 0; i < VD_COUNT(keywords); i++)
    if (is_word(w, keywords[i]))
      return;
  char name[EXCERPT + 1] = {0};
  memcpy(name, w.text, (size_t)shown(w));
  const char *near = vd_suggest(name, keywords, VD_COUNT(keywords));
  bool meant = near && strlen(near) > 1; /* the suggestion for any single letter would be v */
  ERROR(r, w, "unknown statement '%s'%s%s%s", name, meant ? "; did you mean '" : "", meant ? near : "",
        meant ? "'?" : "");
}

static void read_statement(reader *r) {
  r->statement = next_word(r);
  if (r->statement.length == 1 && *r->statement.text == 'v')
    read_vertex(r);
  else if (r->statement.length == 1 && *r->statement.text == 'f')
    read_face(r);
  else if (r->statement.length > 0)
    read_other(r);
  skip_statement(r);
  while (r->at < r->end && vd_is_break(*r->at))
    r->at++;
}

bool vd_mesh_parse(int source, vd_diag *d, vd_mesh_raw *raw) {
  reader r = {.in = vd_lines_of(source, NULL, d), .raw = raw};
  r.at = r.in.text;
  r.end = r.in.text + r.in.length;
  while (r.at < r.end && r.in.errors < VD_MESH_ERRORS)
    read_statement(&r);
  if (r.in.errors == 0 && raw->triangles == 0) {
    vd_error(d, (vd_place){.source = source}, "no faces%s: nothing to drive on", r.flat > 0 ? " with an area" : "");
    r.in.errors++;
  } else if (r.flat > 0) {
    vd_warning(d, vd_lines_place(&r.in, r.first_flat),
               r.flat == 1 ? "this face has no area and is left out"
                           : "%zu faces have no area and are left out, of which this is the first",
               r.flat);
  }
  return r.in.errors == 0;
}

void vd_mesh_raw_finish(vd_mesh_raw *raw) {
  free(raw->point);
  free(raw->corner);
  free(raw->statement);
  *raw = (vd_mesh_raw){0};
}
