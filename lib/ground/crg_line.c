#include "ground/crg_line.h"

#include "base/arena.h"
#include "base/elementary.h"
#include "base/wide.h"

#include <math.h>
#include <string.h>

/* --- points, tangents, cubics --- */

/* Sets p to the point i. Before the first and beyond the last point an open line is straight; a closed line continues
 * at its other end. */
static void point_at(const double (*point)[2], int pieces, bool closed, int i, double *p) {
  bool inside = i >= 0 && i <= pieces;
  int k = inside ? i : closed ? (i + pieces) % pieces : i < 0 ? 0 : pieces;
  int next = k == 0 ? 1 : pieces - 1;
  for (int j = 0; j < 2; j++)
    p[j] = inside || closed ? point[k][j] : 2.0 * point[k][j] - point[next][j];
}

/* Sets t to the unit tangent at point i, the mean direction of the segments before and behind it. */
static void tangent_at(const double (*point)[2], int pieces, bool closed, int i, double *t) {
  double a[2], b[2];
  point_at(point, pieces, closed, i - 1, a);
  point_at(point, pieces, closed, i + 1, b);
  double length = vd_hypot(b[0] - a[0], b[1] - a[1]), scale = length > 0.0 ? 1.0 / length : 0.0;
  for (int j = 0; j < 2; j++)
    t[j] = (b[j] - a[j]) * scale;
}

/* Computes the coefficients of Keys' cubic between b and c. */
static void cubic(double a, double b, double c, double d, double *coefficient) {
  coefficient[0] = b;
  coefficient[4] = 0.5 * (c - a);
  coefficient[8] = a - 2.5 * b + 2.0 * c - 0.5 * d;
  coefficient[12] = 0.5 * (3.0 * (b - c) + d - a);
}

/* Computes the cubics of all pieces. At an open end the tangents are mirrored, so that the tangent does not turn
 * there. */
static void make_pieces(vd_crg_line *line, const double (*point)[2], vd_arena *arena) {
  int n = line->pieces;
  double(*node)[4] = vd_arena_alloc(arena, (size_t)(n + 1) * sizeof *node);
  double(*piece)[16] = vd_arena_alloc(arena, (size_t)n * sizeof *piece);
  for (int i = 0; i <= n; i++) {
    point_at(point, n, line->closed, i, node[i]);
    tangent_at(point, n, line->closed, i, node[i] + 2);
  }
  for (int i = 0; i < n; i++) {
    double before[4], behind[4];
    int a = i > 0 ? i - 1 : line->closed ? n - 1 : 1, d = i + 2 <= n ? i + 2 : line->closed ? 1 : n - 1;
    point_at(point, n, line->closed, i - 1, before);
    point_at(point, n, line->closed, i + 2, behind);
    memcpy(before + 2, node[a] + 2, 2 * sizeof *before);
    memcpy(behind + 2, node[d] + 2, 2 * sizeof *behind);
    for (int j = 0; j < 4; j++)
      cubic(before[j], node[i][j], node[i + 1][j], behind[j], &piece[i][j]);
  }
  line->node = (const double(*)[4])node;
  line->piece = (const double(*)[16])piece;
}

/* --- map of the nearest points --- */

typedef struct map {
  int wide, high;
  int32_t *nearest;
  const vd_crg_line *line;
  double cell;
} map;

/* Takes over the point of a neighbouring cell if it is nearer. */
static void take_nearer(map *m, int x, int y, int from_x, int from_y) {
  if (from_x < 0 || from_y < 0 || from_x >= m->wide || from_y >= m->high)
    return;
  int32_t other = m->nearest[from_y * m->wide + from_x], *own = &m->nearest[y * m->wide + x];
  double middle[2] = {m->line->low[0] + (x + 0.5) * m->cell, m->line->low[1] + (y + 0.5) * m->cell}, away[2];
  const int32_t candidate[] = {*own, other};
  for (int k = 0; k < 2; k++) {
    const double *p = candidate[k] < 0 ? NULL : m->line->node[candidate[k]];
    away[k] = p ? (p[0] - middle[0]) * (p[0] - middle[0]) + (p[1] - middle[1]) * (p[1] - middle[1]) : INFINITY;
  }
  if (away[1] < away[0])
    *own = other;
}

/* Sweeps over the map forwards and backwards, so that every cell takes over the nearest point of its neighbours. */
static void spread(map *m) {
  static const int from[][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, -1}};
  for (int pass = 0; pass < 2; pass++) {
    int sign = pass == 0 ? 1 : -1;
    for (int k = 0; k < m->high; k++) {
      int y = pass == 0 ? k : m->high - 1 - k;
      for (int l = 0; l < m->wide; l++) {
        int x = pass == 0 ? l : m->wide - 1 - l;
        for (int n = 0; n < 4; n++)
          take_nearer(m, x, y, x + sign * from[n][0], y + sign * from[n][1]);
      }
      for (int l = m->wide - 2; l >= 0; l--) {
        int x = pass == 0 ? l : m->wide - 1 - l;
        take_nearer(m, x, y, x + sign, y);
      }
    }
  }
}

/* Makes the map of the area around the road, with cells of 1 m, or larger ones if the area is large. */
static void make_map(vd_crg_line *line, vd_arena *arena) {
  enum { MAX_CELLS = 1 << 18 };
  const double around = vd_fast_max(fabs(line->right), fabs(line->left)) + 10.0;
  double high[2];
  for (int j = 0; j < 2; j++) {
    line->low[j] = high[j] = line->node[0][j];
    for (int i = 0; i <= line->pieces; i++) {
      line->low[j] = vd_fast_min(line->low[j], line->node[i][j]);
      high[j] = vd_fast_max(high[j], line->node[i][j]);
    }
    line->low[j] -= around;
    high[j] += around;
  }
  double cell = vd_fast_max(1.0, sqrt((high[0] - line->low[0]) * (high[1] - line->low[1]) / MAX_CELLS));
  cell = vd_fast_max(cell, vd_fast_max(high[0] - line->low[0], high[1] - line->low[1]) / (MAX_CELLS / 4));
  line->per_cell = 1.0 / cell;
  line->wide = floor((high[0] - line->low[0]) * line->per_cell);
  line->high = floor((high[1] - line->low[1]) * line->per_cell);
  map m = {.wide = (int)line->wide + 1, .high = (int)line->high + 1, .line = line, .cell = cell};
  size_t cells = (size_t)m.wide * (size_t)m.high;
  m.nearest = vd_arena_alloc(arena, cells * sizeof *m.nearest);
  for (size_t i = 0; i < cells; i++)
    m.nearest[i] = -1;
  for (int i = 0; i <= line->pieces; i++) {
    int x = (int)((line->node[i][0] - line->low[0]) * line->per_cell);
    int y = (int)((line->node[i][1] - line->low[1]) * line->per_cell);
    m.nearest[y * m.wide + x] = i;
  }
  spread(&m);
  line->nearest = m.nearest;
}

/* --- bounds --- */

/* Bernstein coefficients of a vector polynomial, a derivative of P or T by u. Its values are means of the coefficients,
 * and lie within the range of the coefficients. */
typedef struct hull {
  double p[4][2];
  int count;
} hull;

/* Computes the coefficients over the part of a piece that begins at `from` and has the length h. */
static hull hull_of(const double *c, int derivative, double from, double h) {
  hull r = {.count = 4 - derivative};
  for (int j = 0; j < 2; j++) {
    double e = c[12 + j], d = c[8 + j] + 3.0 * e * from, b = c[4 + j] + from * (2.0 * c[8 + j] + 3.0 * e * from);
    double a = c[j] + from * (c[4 + j] + from * (c[8 + j] + e * from));
    double bh = b * h, dh = d * h, eh = e * h;
    const double by[3][4] = {{a, a + bh / 3.0, a + (2.0 * bh + dh * h) / 3.0, a + bh + dh * h + eh * h * h},
                             {b, b + dh, b + 2.0 * dh + 3.0 * eh * h, 0.0},
                             {2.0 * d, 2.0 * d + 6.0 * eh, 0.0, 0.0}};
    for (int k = 0; k < r.count; k++)
      r.p[k][j] = by[derivative][k];
  }
  return r;
}

static double max_size(const hull *h) {
  double most = 0.0;
  for (int k = 0; k < h->count; k++)
    most = vd_fast_max(most, vd_hypot(h->p[k][0], h->p[k][1]));
  return most;
}

/* Returns the range of a . b or, if `crossed`, of a x b. */
static vd_range product(const hull *a, const hull *b, bool crossed) {
  vd_range r = {INFINITY, -INFINITY};
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) {
      const double *p = a->p[i], *q = b->p[k];
      double x = crossed ? p[0] * q[1] - p[1] * q[0] : p[0] * q[0] + p[1] * q[1];
      r = (vd_range){vd_fast_min(r.low, x), vd_fast_max(r.high, x)};
    }
  return r;
}

/* Bounds the derivatives of u and v over a part of a piece. With T2 = |T|^2, c = P' . T/|T|, q = (T x T')/T2 and e =
 * (P' x T)/|T|, the gradients are du = T/(|T| (c - v q)) and dv = N/|T| - e du, where N is T turned to the left. False:
 * c - v q is not positive everywhere. */
static bool part_metric(vd_range v, const double *c, double from, double h, vd_crg_metric *m) {
  hull p1 = hull_of(c, 1, from, h), p2 = hull_of(c, 2, from, h);
  hull t = hull_of(c + 2, 0, from, h), t1 = hull_of(c + 2, 1, from, h), t2 = hull_of(c + 2, 2, from, h);
  double longest = max_size(&t), pace = max_size(&p1), turns = max_size(&t1);
  vd_range own = product(&t, &t, false), along = product(&p1, &t, false), turn = product(&t, &t1, true);
  *m = (vd_crg_metric){.turn = INFINITY};
  if (!(own.low > 0.0) || !(along.low > 0.0))
    return false;
  double shortest = sqrt(own.low);
  vd_range q = vd_range_scaled(turn, 1.0 / own.low);
  double off = vd_fast_max(0.0, vd_range_times(q, v).high);
  double least = along.low / longest - off, width = vd_range_size(v);
  m->turn = vd_range_size(q);
  m->skew = vd_range_size(product(&p1, &t, true)) / shortest;
  m->skew_change = (max_size(&p2) * longest + 2.0 * pace * turns) / shortest;
  m->change = m->skew_change + width * (max_size(&t2) + 2.0 * m->turn * turns) / shortest;
  m->pace = 1.0 / least;
  return least > 0.0;
}

/* Bounds a piece that turns sharply in parts, because bounds of the whole piece at once would be far too wide. */
bool vd_crg_line_metric(const vd_crg_line *line, int piece, const vd_range *v, vd_crg_metric *m) {
  enum { MOST = 64 };
  const double most_turn = 0.1; /* rad */
  const vd_range across = v ? *v : (vd_range){line->right, line->left};
  *m = (vd_crg_metric){.pace = line->per_u};
  if (line->straight || piece < 0 || piece >= line->pieces)
    return true;
  const double *c = line->piece[piece];
  bool good = part_metric(across, c, 0.0, 1.0, m);
  int parts = (int)vd_fast_min(ceil(m->turn / most_turn), MOST);
  if (good && parts <= 1)
    return true;
  *m = (vd_crg_metric){.pace = 0.0};
  for (int i = 0; i < parts; i++) {
    vd_crg_metric part;
    if (!part_metric(across, c, (double)i / parts, 1.0 / parts, &part))
      return false;
    m->pace = vd_fast_max(m->pace, part.pace);
    m->turn = vd_fast_max(m->turn, part.turn);
    m->skew = vd_fast_max(m->skew, part.skew);
    m->change = vd_fast_max(m->change, part.change);
    m->skew_change = vd_fast_max(m->skew_change, part.skew_change);
  }
  return true;
}

static void bound_piece(const vd_crg_line *line, int piece, const vd_range *v, double by[2]) {
  vd_crg_metric m;
  bool good = vd_crg_line_metric(line, piece, v, &m);
  by[0] = good ? m.pace : INFINITY;
  by[1] = good ? m.skew * m.pace : INFINITY;
}

static void bound(vd_crg_line *line, vd_arena *arena) {
  double(*by)[2] = vd_arena_alloc(arena, (size_t)line->pieces * sizeof *by);
  for (int i = 0; i < line->pieces; i++)
    bound_piece(line, i, NULL, by[i]);
  line->bound = (const double(*)[2])by;
}

/* Returns the u at the end of a distance in one direction. */
static double reach(const vd_crg_line *line, double u, int sign, double distance, const vd_range *v, double *skew) {
  int n = line->pieces, i = (int)floor(sign > 0 ? u : -u); /* pieces counted in the direction */
  double s = sign * u;
  for (int count = 0; count <= n; count++, i++) {
    int piece = sign > 0 ? i : -i - 1;
    if (line->closed)
      piece = (piece % n + n) % n;
    bool inside = piece >= 0 && piece < n;
    double by[2] = {line->per_u, 0.0};
    if (inside && v)
      bound_piece(line, piece, v, by);
    else if (inside)
      memcpy(by, line->bound[piece], sizeof by);
    double pace = by[0], room = (i + 1 - s) / pace;
    *skew = vd_fast_max(*skew, by[1]);
    if (isinf(pace))
      break;
    if (room >= distance || (!inside && (sign > 0) == (piece >= n)))
      return sign * (s + distance * pace);
    distance -= room;
    s = i + 1;
  }
  return sign > 0 ? INFINITY : -INFINITY;
}

vd_range vd_crg_line_within(const vd_crg_line *line, double u, double distance, const vd_range *v, double *skew) {
  *skew = 0.0;
  if (line->straight)
    return (vd_range){u - distance * line->per_u, u + distance * line->per_u};
  double high = reach(line, u, 1, distance, v, skew);
  return (vd_range){reach(line, u, -1, distance, v, skew), high};
}

vd_crg_line vd_crg_line_make(const double (*point)[2], size_t points, double increment, bool closed,
                             const double width[2], vd_arena *arena) {
  vd_crg_line line = {.closed = closed,
                      .start = {point[0][0], point[0][1]},
                      .per_u = 1.0 / increment,
                      .pieces = (int)points - 1,
                      .right = width[0],
                      .left = width[1]};
  double off = 0.0, *along = line.along;
  for (int j = 0; j < 2; j++)
    along[j] = (point[points - 1][j] - point[0][j]) / (increment * line.pieces);
  for (int i = 0; i <= line.pieces; i++)
    for (int j = 0; j < 2; j++)
      off = vd_fast_max(off, fabs(point[i][j] - point[0][j] - along[j] * increment * i));
  line.straight = !closed && off <= 1e-9 * increment * line.pieces;
  if (line.straight) {
    double length = vd_hypot(along[0], along[1]);
    along[0] /= length;
    along[1] /= length;
  } else {
    make_pieces(&line, point, arena);
    make_map(&line, arena);
    bound(&line, arena);
  }
  return line;
}

/* --- coordinates --- */

static double ahead(const vd_crg_line *line, int i, double x, double y) {
  const double *n = line->node[i];
  return (x - n[0]) * n[2] + (y - n[1]) * n[3];
}

/* Returns the index of the piece between whose two cross sections the place lies; -1: before the start; `pieces`:
 * beyond the end. *back: distance of the place ahead of the first cross section, m; *front: its distance ahead of the
 * second one, m, here < 0. The result depends on the place alone, since the search begins at the point that the map
 * names. Far on the inside of a turn, where cross sections meet, there may be no such piece; the search then ends at a
 * piece nearby. */
static int piece_of(const vd_crg_line *line, double x, double y, double *back, double *front) {
  enum { ROUNDS = 40, QUICK = 12 };
  int n = line->pieces;
  double column = vd_fast_min(vd_fast_max((x - line->low[0]) * line->per_cell, 0.0), line->wide);
  double row = vd_fast_min(vd_fast_max((y - line->low[1]) * line->per_cell, 0.0), line->high);
  int i = line->nearest[(int)row * ((int)line->wide + 1) + (int)column];
  double f = ahead(line, i, x, y);
  for (int round = 0; round < ROUNDS; round++) {
    int more = round < QUICK ? (int)vd_fast_min(fabs(f) * line->per_u, (double)n) : 0;
    if (f < 0.0) {
      if (i == 0 && !line->closed)
        return -1;
      i -= 1 + more;
      i = i >= 0 ? i : line->closed ? (i + 2 * n) % n : 0;
      f = ahead(line, i, x, y);
      continue;
    }
    if (i == n && !line->closed)
      return n;
    i = i == n ? 0 : i;
    *back = f;
    *front = ahead(line, i + 1, x, y);
    if (*front < 0.0)
      return i;
    i += more > 1 ? more : 1;
    i = i <= n ? i : line->closed ? i % n : n;
    f = ahead(line, i, x, y);
  }
  *front = -1.0 / line->per_u;
  *back = 0.0;
  return i < n ? i : n - 1;
}

/* Solves (place - P) . T = 0 for u by Newton's method. The first guess interpolates between the two cross sections and
 * has an error of the order of the bend of the line within a piece. The last step uses Taylor's polynomial; the
 * remaining error is of the order of the square of this step. */
void vd_crg_curved_at(const vd_crg_line *line, double x, double y, vd_crg_place *place) {
  enum { ROUNDS = 8 };
  const double near = 1e-4; /* in u */
  double back, front;
  int i = piece_of(line, x, y, &back, &front);
  if (i < 0 || i >= line->pieces) {
    const double *end = line->node[i < 0 ? 0 : line->pieces];
    vd_crg_straight_at(x, y, end, end + 2, line->per_u, place);
    place->u += i < 0 ? 0.0 : (double)line->pieces;
    return;
  }
  const double *c = line->piece[i];
  vd_wide c0 = vd_wide_load(c), c1 = vd_wide_load(c + 4), c2 = vd_wide_load(c + 8), c3 = vd_wide_load(c + 12), p, d, h;
  double t = back / (back - front), move, to_x, to_y;
  for (int round = 0; round < ROUNDS; round++) {
    vd_wide a = t * c3, b = c2 + a;
    p = c0 + t * (c1 + t * b);
    h = b + 2.0 * a; /* h: half the second derivative */
    d = c1 + t * (2.0 * b + a);
    to_x = x - p[0];
    to_y = y - p[1];
    move = (to_x * p[2] + to_y * p[3]) / vd_fast_max(d[0] * p[2] + d[1] * p[3] - to_x * d[2] - to_y * d[3], 1e-9);
    t += move;
    if (!(fabs(move) > near))
      break;
  }
  p += move * (d + move * h);
  d += 2.0 * move * h;
  to_x = x - p[0];
  to_y = y - p[1];
  double along = d[0] * p[2] + d[1] * p[3] - to_x * d[2] - to_y * d[3];
  double scale = 1.0 / sqrt(p[2] * p[2] + p[3] * p[3]), per = 1.0 / vd_fast_max(along, 1e-9);
  double skew = (d[1] * p[2] - d[0] * p[3]) * scale; /* component of P' normal to T: v falls by it as u grows by 1 */
  *place = (vd_crg_place){.u = (double)i + t, .v = (to_y * p[2] - to_x * p[3]) * scale, .du = {p[2] * per, p[3] * per}};
  place->dv[0] = -p[3] * scale - skew * place->du[0];
  place->dv[1] = p[2] * scale - skew * place->du[1];
}
