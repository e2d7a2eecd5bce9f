/* Compliance of the shipped suspensions relative to the second solver: force balance of all bodies. */
#include "balance_corner.h"
#include "kc/compliance.h"
#include "kc/kc.h"
#include "suspension/corner_def.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static const double degree = 180.0 / VD_PI;

enum { FILES = 9 };

static const char *const files[FILES] = {"dw_front_sedan",         "dw_rear_sports",     "5link_rear_sedan",
                                         "multilink_rear_compact", "sta_rear_sedan",     "mp_front_compact",
                                         "mp_rear_chapman",        "four_link_rear_suv", "panhard_rear_coupe"};

typedef struct load_case {
  const char *what;
  double travel, rack; /* m; of a rigid axle the other wheel's travel */
  vd_wheel_load load;
} load_case;

/* Each load alone, all together, and away from design. */
static const load_case cases[] = {
    {"no more than its load", 0.0, 0.0, {.fz = 4500.0}},
    {"a brake force", 0.0, 0.0, {.fx = -4000.0, .fz = 4500.0}},
    {"a force of a shaft", 0.0, 0.0, {.fx = 3000.0, .fz = 4500.0, .rolls = true}},
    {"a force at the wheel centre", 0.0, 0.0, {.fz = 4500.0, .centre = {3000.0, 200.0, -300.0}}},
    {"a side force", 0.0, 0.0, {.fy = 4000.0, .fz = 4500.0}},
    {"a moment", 0.0, 0.0, {.fz = 4500.0, .mz = 100.0}},
    {"all at once", 0.0, 0.0, {.fx = -2000.0, .fy = -3000.0, .fz = 4000.0, .mz = 60.0, .centre = {300.0, 0.0, 0.0}}},
    {"a brake's torque on a wheel that turns",
     0.0,
     0.0,
     {.fx = -2500.0, .fy = 900.0, .fz = 5000.0, .torque = 700.0, .rolls = true}},
    {"all at once in bump", 0.04, 0.0, {.fx = -2000.0, .fy = 2500.0, .fz = 5000.0, .mz = -50.0}},
    {"all at once in rebound, steered", -0.03, 0.015, {.fx = 1500.0, .fy = -2500.0, .fz = 3000.0, .mz = 40.0}},
};

static void set_load(balance_rig *r, const vd_wheel_load *load) {
  const double force[3] = {load->fx, load->fy, load->fz};
  memcpy(r->wheel->force, force, sizeof force);
  memcpy(r->wheel->centre_force, load->centre, sizeof load->centre);
  r->wheel->moment[2] = load->mz;
  r->wheel->torque = load->torque;
  r->wheel->free_spin = load->rolls;
}

/* From one load to another in parts. */
static bool approach(balance_rig *r, double from, const vd_wheel_load *to) {
  enum { PARTS = 4 };
  bool ok = true;
  for (int i = 1; ok && i <= PARTS; i++) {
    double share = (double)i / PARTS;
    vd_wheel_load part = *to;
    part.fx *= share;
    part.fy *= share;
    part.fz = from + share * (to->fz - from);
    part.mz *= share;
    part.torque *= share;
    for (int k = 0; k < 3; k++)
      part.centre[k] *= share;
    set_load(r, &part);
    ok = balance_solve(&r->scene, 1);
  }
  return ok;
}

static double lowest_z(const balance_rig *r) {
  double axis[3], centre[3], size = 0.0;
  balance_turned(&r->scene, r->knuckle, r->wheel->axis, axis);
  balance_place(&r->scene, r->knuckle, r->wheel->point, centre);
  for (int i = 0; i < 3; i++)
    size += axis[i] * axis[i];
  return centre[2] - r->wheel->radius * sqrt(1.0 - axis[2] * axis[2] / size);
}

/* Puts the second solver's wheel where the answer to compare has it held. */
static bool hold(balance_rig *r, enum vd_hold how, double design_load, const load_case *k) {
  vd_wheel_load load = k->load;
  double from = k->load.fz;
  r->wheel->support = SUPPORT_CENTRE;
  r->wheel->lift = k->travel;
  if (r->right) {
    r->right->support = SUPPORT_CENTRE;
    r->right->lift = k->rack;
  }
  if (how != VD_HOLD_CENTRE) { /* where the spring carries fz alone */
    const vd_wheel_load alone = {.fz = k->load.fz};
    double design = lowest_z(r);
    r->wheel->support = SUPPORT_NONE;
    if (!approach(r, design_load, &alone))
      return false;
    r->wheel->lift = lowest_z(r) - design;
    r->wheel->support = how == VD_HOLD_GROUND ? SUPPORT_GROUND : SUPPORT_NONE;
  }
  if (how == VD_HOLD_GROUND) /* whose own force it is */
    load.fz = from = 0.0;
  return approach(r, from, &load);
}

/* Largest difference of toe and camber, degrees. */
static double differ(const vd_corner *corner, const vd_linkage *l, enum vd_hold how, const load_case *k) {
  vd_linkage moved = *l;
  vd_compliance_state state;
  vd_kc_state place;
  balance_rig r;
  const double u[VD_INPUTS] = {k->travel, k->rack};
  double load = corner->points.spring.given ? balance_spring_load(corner, corner->wheel_load) : NAN;
  balance_corner(corner, l->axle ? 0.0 : k->rack, load, &r);
  bool ok = hold(&r, how, corner->wheel_load, k);
  vd_compliance *c = vd_compliance_create(corner, &moved, how);
  vd_linkage_start(&moved, &state.pose);
  vd_linkage_move(&moved, u, &state.pose);
  ok = vd_compliance_solve(c, u, &k->load, &state) && ok;
  vd_compliance_destroy(c);
  if (!ok)
    return INFINITY;
  vd_kc_place_at(&moved, &state.pose, &place);
  double toe = fabs(degree * place.toe.v - balance_toe(&r.scene, r.wheel));
  double camber = fabs(degree * place.camber.v - balance_camber(&r.scene, r.wheel));
  double support = how == VD_HOLD_FREE ? 0.0 : 1e-9 * fabs(state.support - balance_multiplier(&r.scene, r.wheel, 0));
  return toe == toe && camber == camber ? fmax(fmax(toe, camber), support) : INFINITY;
}

/* Newton's steps of the second solver end at 1e-11 to 1e-13 m and rad, some 1e-9 degrees. */
static bool is_axle(int file) {
  return file >= FILES - 2;
}

static void test_file(int file) {
  const char *name = files[file];
  static const char *const hold_names[] = {"", "free", "its centre held", "its ground held"};
  char path[128];
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  vd_linkage l;
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool read = vd_corner_read(path, NULL, 0, arena, d, &corner, NULL);
  read = read && vd_linkage_build(&corner.points, VD_PARALLEL, &l);
  for (int how = VD_HOLD_FREE; how <= VD_HOLD_GROUND; how++) {
    if (is_axle(file) && how != VD_HOLD_CENTRE) /* one wheel's load alone cannot stand on two springs */
      continue;
    double worst = 0.0;
    const char *where = "";
    for (size_t i = 0; read && i < sizeof cases / sizeof *cases; i++) {
      if (how != VD_HOLD_CENTRE && cases[i].travel != 0.0)
        continue;
      double off = differ(&corner, &l, (enum vd_hold)how, &cases[i]);
      if (!(off <= worst)) {
        worst = off;
        where = cases[i].what;
      }
    }
    tap_near(read ? worst : NAN, 0.0, 1e-6, "%s, %s: toe and camber of a balance of all bodies, deg", name,
             hold_names[how]);
    if (worst > 1e-6)
      tap_diag("%s: %.3g", where, worst);
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(3 * FILES - 4);
  for (int i = 0; i < FILES; i++)
    test_file(i);
  return tap_done();
}
