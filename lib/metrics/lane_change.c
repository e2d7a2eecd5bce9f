/* Metrics of the lane changes of ISO 3888-1:2018 and ISO 3888-2:2025: cones that are hit, and speeds. Neither standard
 * was read completely; the path gives course and dimensions (path.h).
 *
 * In plan view, the body is a rectangle about the centre of gravity, as wide as the vehicle and as long as wheelbase
 * and overhangs together. In the axes of the body, the centre of a cone is assumed to move along a straight line
 * between two rows. The error of this line is at most (rotation per step) x (displacement per step)/8, which is 4e-6 m
 * at 30 m/s and 1 rad/s with steps of 1 ms. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"
#include "math/sweep.h"

#include <math.h>

enum { GATES = 4 }; /* number of gates of a course */

typedef struct course {
  const vd_recorder *r;
  const vd_path *path;
  vd_rectangle body;
  double c, s; /* cosine and sine of the heading of the gates' axes */
  vd_cone cone[VD_PATH_CONES];
  size_t cones;
} course;

typedef struct passage {
  int hits[VD_PATH_GATES], all;
  double first_hit, clearance; /* first_hit: s, NAN: none; clearance: m */
  /* by gate: true if the middle of the car's front crossed both ends of the gate between its edges */
  bool through[VD_PATH_GATES];
  /* s: when the front crosses the start of the first gate, and the rear end crosses the end of the last gate */
  vd_result enters, leaves;
  vd_result entry_speed, exit_speed; /* m/s */
} passage;

/* Computes position and heading of the car at sample i in the axes of the gates. */
static void pose_at(const course *k, size_t i, double *x, double *y, double *yaw) {
  const vd_sample *p = &k->r->sample[i];
  double dx = p->x - k->path->origin_x, dy = p->y - k->path->origin_y;
  *x = k->c * dx + k->s * dy;
  *y = k->c * dy - k->s * dx;
  *yaw = p->yaw - k->path->origin_yaw;
}

/* Computes the position, in the axes of the gates, of a point of the body at sample i. ahead: m, distance of the point
 * in front of the centre of gravity. */
static void body_point(const course *k, size_t i, double ahead, double out[2]) {
  double x, y, yaw;
  pose_at(k, i, &x, &y, &yaw);
  out[0] = x + ahead * vd_cos(yaw);
  out[1] = y + ahead * vd_sin(yaw);
}

/* Returns the first sample at which a point of the body has passed x; 0: the point never passes x. *part: share of the
 * step before this sample after which the point passes x; *y: lateral position of the point at x. */
static size_t first_past(const course *k, double ahead, double x, double *part, double *y) {
  double before[2], now[2];
  body_point(k, 0, ahead, before);
  for (size_t i = 1; i < k->r->count; i++) {
    body_point(k, i, ahead, now);
    if (before[0] < x && now[0] >= x) {
      *part = (x - before[0]) / (now[0] - before[0]);
      *y = before[1] + *part * (now[1] - before[1]);
      return i;
    }
    before[0] = now[0];
    before[1] = now[1];
  }
  return 0;
}

/* Returns a lower bound of the distance of a cone from the body, m, while the cone moves `from` -> `to` in the axes of
 * the body. */
static double least_distance(const course *k, const double from[2], const double to[2]) {
  double x[] = {vd_fast_min(from[0], to[0]), vd_fast_max(from[0], to[0])};
  double y[] = {vd_fast_min(from[1], to[1]), vd_fast_max(from[1], to[1])};
  double along = vd_fast_max(x[0] - k->body.ahead, -k->body.behind - x[1]);
  double across = vd_fast_max(y[0] - k->body.half, -k->body.half - y[1]);
  return vd_fast_max(along, across) - k->path->cone_radius;
}

/* Examines the motion of one cone from a row to the next. A cone that is farther away than the least distance so far
 * needs no computation. */
static void strike(const course *k, size_t cone, size_t i, const double from[2], const double to[2], bool *down,
                   passage *p) {
  static const double rounding = 1e-9; /* m */
  double share;
  if (least_distance(k, from, to) > p->clearance + rounding)
    return;
  p->clearance = vd_min(p->clearance, vd_sweep_distance(&k->body, k->path->cone_radius, from, to));
  if (!*down && vd_sweep_hit(&k->body, k->path->cone_radius, from, to, &share)) {
    double t = k->r->sample[i - 1].t + share * (k->r->sample[i].t - k->r->sample[i - 1].t);
    *down = true; /* a cone that was hit remains hit */
    p->hits[k->cone[cone].gate]++;
    p->all++;
    p->first_hit = isnan(p->first_hit) ? t : vd_min(p->first_hit, t);
  }
}

static void strike_all(const course *k, passage *p) {
  double before[VD_PATH_CONES][2];
  bool down[VD_PATH_CONES] = {false};
  for (size_t i = 0; i < k->r->count; i++) {
    double x, y, yaw;
    pose_at(k, i, &x, &y, &yaw);
    const double c = vd_cos(yaw), s = vd_sin(yaw);
    for (size_t j = 0; j < k->cones; j++) {
      const double dx = k->cone[j].x - x, dy = k->cone[j].y - y, now[2] = {c * dx + s * dy, c * dy - s * dx};
      if (i > 0)
        strike(k, j, i, before[j], now, &down[j], p);
      before[j][0] = now[0];
      before[j][1] = now[1];
    }
  }
}

static bool is_in_gate(const vd_gate *g, double y) {
  return fabs(y - g->centre) <= 0.5 * g->width;
}

static vd_result instant(const course *k, size_t i, double part, enum vd_series_channel channel, const char *never) {
  vd_series x = vd_series_of(k->r, channel);
  return i ? vd_metric_known(vd_metric_between(&x, i, part)) : vd_metric_refused("%s", never);
}

static void drive(const course *k, passage *p) {
  static const char never_in[] = "the car never reaches the first gate",
                    never_out[] = "the car never leaves the last gate";
  const vd_path *path = k->path;
  double part = 0.0, y = 0.0;
  for (size_t i = 0; i < path->gates; i++) {
    const vd_gate *g = &path->gate[i];
    bool in = first_past(k, k->body.ahead, g->from, &part, &y) && is_in_gate(g, y);
    p->through[i] = in && first_past(k, k->body.ahead, g->to, &part, &y) && is_in_gate(g, y);
  }
  size_t i = first_past(k, k->body.ahead, path->gate[0].from, &part, &y);
  p->enters = instant(k, i, part, VD_SERIES_TIME, never_in);
  p->entry_speed = instant(k, i, part, VD_SERIES_VX, never_in);
  i = first_past(k, -k->body.behind, path->gate[path->gates - 1].to, &part, &y);
  p->leaves = instant(k, i, part, VD_SERIES_TIME, never_out);
  p->exit_speed = instant(k, i, part, VD_SERIES_VX, never_out);
  strike_all(k, p);
}

static vd_result open_course(const vd_recorder *r, course *k) {
  const vd_path *path = r->car.path;
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_X, VD_SERIES_Y, VD_SERIES_YAW);
  if (!vd_metric_good(&checked))
    return checked;
  if (!path || path->gates == 0)
    return vd_metric_refused("the path has no gates: it is neither a lane change of ISO 3888 nor a slalom");
  *k = (course){.r = r,
                .path = path,
                .body = {r->car.ahead, r->car.behind, 0.5 * r->car.width},
                .c = vd_cos(path->origin_yaw),
                .s = vd_sin(path->origin_yaw)};
  k->cones = vd_path_cones(path, k->cone);
  return vd_metric_known(0.0);
}

static vd_result peak(const vd_recorder *r, const passage *p, enum vd_series_channel channel) {
  vd_result checked = vd_metric_both(p->enters, VD_METRIC_USABLE(r, channel));
  vd_series x = vd_series_of(r, channel);
  double value = 0.0, end = vd_metric_good(&p->leaves) ? p->leaves.value : vd_recorder_last(r)->t;
  if (!vd_metric_good(&checked))
    return checked;
  for (size_t i = vd_metric_index(r, p->enters.value); i < r->count && r->sample[i].t <= end; i++)
    value = vd_max(value, fabs(vd_series_at(&x, i)));
  return vd_metric_known(value);
}

static vd_result lifted(const vd_recorder *r, const passage *p) {
  double end = vd_metric_good(&p->leaves) ? p->leaves.value : vd_recorder_last(r)->t, time = 0.0;
  vd_result checked = p->enters;
  if (vd_metric_good(&checked) && r->level == VD_L0)
    checked = vd_metric_refused("this level has no wheel loads");
  for (int i = 0; i < VD_WHEELS; i++)
    checked = vd_metric_both(checked, VD_METRIC_USABLE(r, (enum vd_series_channel)(VD_SERIES_LOAD + i)));
  if (!vd_metric_good(&checked))
    return checked;
  for (size_t i = vd_metric_index(r, p->enters.value) + 1; i < r->count && r->sample[i].t <= end; i++) {
    bool up = false;
    for (int w = 0; w < VD_WHEELS; w++)
      up |= !(r->ride[i - 1].load[w] > 0.0);
    time += up ? r->sample[i].t - r->sample[i - 1].t : 0.0;
  }
  return vd_metric_known(time);
}

#define WIDTH "width between the cones' edges, which depends on the vehicle's width"
#define HITS  "number of cones of this gate that the body's rectangle touches as it moves from step to step"

static const vd_metric_info metrics[] = {
    {"lane_offset_m", "m",
     "offset of the second lane from the first lane: between the middles, or between the right edges of both lanes "
     "(offset_between of the path); in ISO 3888-2 from the left edge of the first lane to the right edge of the "
     "second lane"},
    {"gate_1_width_m", "m", WIDTH},
    {"gate_1_cone_hits", "1", HITS},
    {"gate_2_width_m", "m", WIDTH},
    {"gate_2_cone_hits", "1", HITS},
    {"gate_3_width_m", "m",
     WIDTH "; in ISO 3888-2 the last gate, with 1.3 b + 0.25 m but at least 3 m, or at most 3 m "
           "(exit_bound of the path)"},
    {"gate_3_cone_hits", "1", HITS},
    {"gate_4_width_m", "m", WIDTH},
    {"gate_4_cone_hits", "1", HITS},
    {"cone_hits", "1", "number of cones that are hit in all gates"},
    {"cones", "1", "number of cones of the course"},
    {"first_cone_hit_s", "s", "instant at which the body first touches a cone"},
    {"cone_clearance_m", "m",
     "least distance of the body's rectangle from the base of a cone over the run; 0: a cone is hit"},
    {"gates_passed", "1",
     "number of gates that the middle of the car's front passes between the edges, at both ends "
     "of the gate"},
    {"lane_change_passed", "1", "1: the car passes all gates without hitting a cone"},
    {"lane_change_entry_speed_mps", "m/s", "vx when the middle of the car's front crosses the start of the first gate"},
    {"lane_change_exit_speed_mps", "m/s", "vx when the middle of the car's rear end crosses the end of the last gate"},
    {"passing_speed_mps", "m/s", "entry speed, if lane_change_passed is 1"},
    {"lane_change_time_s", "s", "time from the entry to the exit, the instants of entry speed and exit speed"},
    {"lane_change_deviation_m", "m", "largest |offset| of the centre of gravity from the path between entry and exit"},
    {"lane_change_ay_mps2", "m/s2", "largest |ay| between entry and exit"},
    {"lane_change_yaw_rate_radps", "rad/s", "largest |yaw rate| between entry and exit"},
    {"lane_change_sideslip_rad", "rad", "largest |side slip angle| between entry and exit"},
    {"lane_change_wheel_rad", "rad", "largest |steering wheel angle| between entry and exit"},
    {"lane_change_lift_time_s", "s", "time between entry and exit in which at least one wheel carries no load"},
};

static vd_result lane_offset(const course *k) {
  const vd_gate *a = &k->path->gate[0], *b = &k->path->gate[1];
  if (k->path->type == VD_PATH_SLALOM)
    return vd_metric_refused("a slalom has no second lane");
  if (k->path->type == VD_PATH_ISO3888_2)
    return vd_metric_known(b->centre - 0.5 * b->width - a->centre - 0.5 * a->width);
  if (k->path->offset_between == VD_OFFSET_EDGES)
    return vd_metric_known(b->centre - 0.5 * b->width - a->centre + 0.5 * a->width);
  return vd_metric_known(b->centre - a->centre);
}

static void set_gates(vd_result open, const course *k, const passage *p, vd_metrics *out) {
  for (size_t i = 0; i < GATES; i++) { /* a slalom has more gates; only the first four are listed */
    vd_result gate = open;
    if (vd_metric_good(&open) && i >= k->path->gates)
      gate = vd_metric_refused("this course has %zu gates", k->path->gates);
    bool good = vd_metric_good(&gate);
    vd_set_metric_named(out, vd_metric_of(gate, good ? k->path->gate[i].width : NAN), "gate_%zu_width_m", i + 1);
    vd_set_metric_named(out, vd_metric_of(gate, good ? (double)p->hits[i] : NAN), "gate_%zu_cone_hits", i + 1);
  }
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  course k = {0};
  passage p = {.first_hit = NAN, .clearance = INFINITY};
  vd_result open = open_course(r, &k);
  bool good = vd_metric_good(&open), all_through = good;
  double through = 0.0;
  p.enters = p.leaves = p.entry_speed = p.exit_speed = open;
  if (good)
    drive(&k, &p);
  for (size_t i = 0; good && i < k.path->gates; i++) {
    all_through &= p.through[i];
    through += p.through[i] ? 1.0 : 0.0;
  }
  bool clean = good && p.all == 0 && all_through && vd_metric_good(&p.leaves);
  vd_set_metric(out, "lane_offset_m", good ? lane_offset(&k) : open);
  set_gates(open, &k, &p, out);
  vd_set_metric(out, "cone_hits", vd_metric_of(open, p.all));
  vd_set_metric(out, "cones", vd_metric_of(open, (double)k.cones));
  vd_set_metric(out, "first_cone_hit_s",
                good && p.all == 0 ? vd_metric_refused("no cone is hit") : vd_metric_of(open, p.first_hit));
  vd_set_metric(out, "cone_clearance_m", vd_metric_of(open, p.clearance));
  vd_set_metric(out, "gates_passed", vd_metric_of(open, through));
  vd_set_metric(out, "lane_change_passed", vd_metric_of(open, clean ? 1.0 : 0.0));
  vd_set_metric(out, "lane_change_entry_speed_mps", p.entry_speed);
  vd_set_metric(out, "lane_change_exit_speed_mps", p.exit_speed);
  vd_set_metric(out, "passing_speed_mps",
                clean  ? p.entry_speed
                : good ? vd_metric_refused("the car does not pass all gates without hitting a cone")
                       : open);
  vd_set_metric(out, "lane_change_time_s", vd_metric_subtract(p.leaves, p.enters));
  vd_set_metric(out, "lane_change_deviation_m", peak(r, &p, VD_SERIES_PATH_ERROR));
  vd_set_metric(out, "lane_change_ay_mps2", peak(r, &p, VD_SERIES_AY));
  vd_set_metric(out, "lane_change_yaw_rate_radps", peak(r, &p, VD_SERIES_YAW_RATE));
  vd_set_metric(out, "lane_change_sideslip_rad", peak(r, &p, VD_SERIES_SIDESLIP));
  vd_set_metric(out, "lane_change_wheel_rad", peak(r, &p, VD_SERIES_WHEEL));
  vd_set_metric(out, "lane_change_lift_time_s", lifted(r, &p));
}

const vd_metric_set vd_metrics_lane_change = {
    VD_METRIC_SET(lane_change, metrics, compute), .title = "cones, gates and speed in a lane change",
    .standard = "ISO 3888-1, ISO 3888-2", .needs = VD_NEEDS_WHEELS, .view = VD_VIEW_PLACE};
