/* Finds which triangles meet along which edges. */
#include "base/memory.h"
#include "ground/mesh_impl.h"

#include <stdlib.h>

/* An edge of a triangle, in the list of its lower point. */
typedef struct side {
  int32_t high, third; /* points: the other end of the edge, and the corner opposite */
  int32_t triangle;
  int32_t edge;
} side;

typedef struct joiner {
  const vd_mesh_raw *raw;
  int source;
  vd_diag *d;
  size_t errors;
  vd_trio *beyond;
  bool *repeated;   /* [triangles]: an earlier triangle has the same three points */
  size_t count;     /* number of repeated triangles */
  int32_t first[2]; /* the first triangle that is repeated, and its repetition */
} joiner;

static int32_t lower(const int32_t *corner, int edge) {
  int32_t a = corner[edge], b = corner[vd_mesh_next(edge)];
  return a < b ? a : b;
}

static int in_order(const void *a, const void *b) {
  const side *x = a, *y = b;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  if (x->third != y->third)
    return x->third < y->third ? -1 : 1;
  return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static vd_place place(const joiner *j, int32_t triangle) {
  return vd_mesh_statement(j->source, j->d, j->raw->statement[triangle]);
}

static void note_repeated(joiner *j, const side *first, const side *second) {
  j->repeated[second->triangle] = true;
  if (j->count++ == 0 || second->triangle < j->first[1]) {
    j->first[0] = first->triangle;
    j->first[1] = second->triangle;
  }
}

static void report_shared(joiner *j, int32_t low, const side *s, int count) {
  int32_t latest = s[0].triangle;
  for (int i = 1; i < count; i++)
    latest = s[i].triangle > latest ? s[i].triangle : latest;
  j->errors++;
  vd_error(j->d, place(j, latest), "the edge between vertices %d and %d belongs to %d triangles; two at most",
           (int)low + 1, (int)s->high + 1, count);
}

/* Joins the sorted sides of one edge; low: lower point of the edge. Only the first of several equal triangles
 * counts. */
static void join_edge(joiner *j, int32_t low, side *s, size_t count) {
  size_t kept = 1;
  for (size_t i = 1; i < count; i++)
    if (s[i].third != s[kept - 1].third)
      s[kept++] = s[i];
    /* true for one edge of each triangle only, so that each repetition is noted once */
    else if (s[i].third > s[i].high)
      note_repeated(j, &s[kept - 1], &s[i]);
  if (kept > 2 && j->errors < VD_MESH_ERRORS)
    report_shared(j, low, s, (int)kept);
  if (kept != 2)
    return;
  j->beyond[s[0].triangle][s[0].edge] = s[1].triangle;
  j->beyond[s[1].triangle][s[1].edge] = s[0].triangle;
}

static void join_point(joiner *j, int32_t low, side *s, size_t count) {
  qsort(s, count, sizeof *s, in_order);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && s[end].high == s[i].high; end++)
      ;
    join_edge(j, low, s + i, end - i);
  }
}

/* Collects all sides in the order of their lower points: the sides of point p begin at first[p] and end before first[p
 * + 1]. first: [points + 2], zero before. */
static side *collect(const vd_mesh_raw *raw, uint32_t *first) {
  side *sides = vd_allocate(3 * raw->triangles, sizeof *sides);
  for (size_t t = 0; t < raw->triangles; t++)
    for (int k = 0; k < 3; k++)
      first[lower(raw->corner[t], k) + 2]++;
  for (size_t p = 2; p <= raw->points + 1; p++)
    first[p] += first[p - 1];
  for (size_t t = 0; t < raw->triangles; t++)
    for (int k = 0; k < 3; k++) {
      const int32_t *corner = raw->corner[t];
      int32_t a = corner[k], b = corner[vd_mesh_next(k)], c = corner[vd_mesh_next(vd_mesh_next(k))];
      sides[first[lower(corner, k) + 1]++] = (side){a < b ? b : a, c, (int32_t)t, k};
    }
  return sides;
}

/* Removes the repeated triangles; the others keep their order. */
static void leave_out(const joiner *j, vd_mesh_raw *raw) {
  int32_t *now = vd_allocate(raw->triangles, sizeof *now);
  size_t kept = 0;
  for (size_t t = 0; t < raw->triangles; t++)
    now[t] = j->repeated[t] ? -1 : (int32_t)kept++;
  for (size_t t = 0; t < raw->triangles; t++)
    for (int k = 0; k < 3 && now[t] >= 0; k++) {
      int32_t other = j->beyond[t][k];
      raw->corner[now[t]][k] = raw->corner[t][k];
      j->beyond[now[t]][k] = other >= 0 ? now[other] : -1;
    }
  raw->triangles = kept;
  free(now);
}

bool vd_mesh_join(vd_mesh_raw *raw, int source, vd_diag *d, vd_trio *beyond) {
  joiner j = {.raw = raw, .source = source, .d = d, .beyond = beyond};
  for (size_t t = 0; t < raw->triangles; t++)
    for (int k = 0; k < 3; k++)
      beyond[t][k] = -1;
  uint32_t *first = vd_allocate(raw->points + 2, sizeof *first);
  side *sides = collect(raw, first);
  j.repeated = vd_allocate(raw->triangles, sizeof *j.repeated);
  for (size_t p = 0; p < raw->points && j.errors < VD_MESH_ERRORS; p++)
    join_point(&j, (int32_t)p, sides + first[p], first[p + 1] - first[p]);
  if (j.count > 0) {
    vd_warning(d, place(&j, j.first[1]),
               j.count == 1 ? "this face repeats another and is left out"
                            : "%zu triangles repeat others and are left out, of which this is the first",
               j.count);
    vd_note(d, place(&j, j.first[0]), "the other one");
    leave_out(&j, raw);
  }
  free(j.repeated);
  free(sides);
  free(first);
  return j.errors == 0;
}
