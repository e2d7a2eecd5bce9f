/* The Magic Formula of a property file (mf.h) as one of the tyre models. */
#include "tyre/tir.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "tyre/tyre_impl.h"

#include <string.h>

#define MF VD_WHEN(VD_TYRE_MF)

static const char *const combined_names[] = {"auto", "weights", "ellipse", "none", NULL};
static const char *const turn_names[] = {"auto", "on", "off", NULL};
static const char *const limit_names[] = {"hold", "ignore", NULL};
const char *const vd_tyre_side_names[] = {"auto", "left", "right", "symmetric", NULL};

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_PATH(vd_tyre_def, as.mf.file, "file", "\"\"", VD_TYRE_FILE_HELP), .only = MF,
   .example = "tyre.tir"},
  {VD_F_STRING(vd_tyre_def, as.mf.properties, "properties", "\"\"",
     "text of the property file instead of its name, as in a resolved scenario"), .only = MF},
  {VD_F_CHOICE(vd_tyre_def, as.mf.combined, "combined", combined_names, "auto",
     "how Fx and Fy limit each other, if USE_MODE is 4 or 5. weights: by RBX1, RBY1 ...; ellipse: by a "
     "friction ellipse; none: not at all; auto: weights if the file has any, otherwise ellipse"), .only = MF},
  {VD_F_CHOICE(vd_tyre_def, as.mf.turn_slip, "turn_slip", turn_names, "auto",
     "effect of the path's curvature and of turning on the spot (PHYP1, QCRP1 ...), if USE_MODE is 4 or 5; "
     "auto: only if it is 5"), .only = MF},
  {VD_F_CHOICE(vd_tyre_def, as.mf.limits, "limits", limit_names, "hold",
     "ranges of load, slip, camber and pressure in the file. hold: the end of a range replaces values beyond it; "
     "ignore: the formula uses all values"), .only = MF},
  {VD_F_NUMBER(vd_tyre_def, as.mf.pressure, "pressure", "Pa", 0, 1e7, VD_AUTO, "auto",
     "inflation pressure; auto: the pressure of the file, 0 if it has none"), .only = MF},
  {VD_F_CHOICE(vd_tyre_def, as.mf.side, "side", vd_tyre_side_names, "auto", VD_TYRE_SIDE_HELP), .only = MF},
  VD_TYRE_ROW_FRICTION(MF),
};
/* clang-format on */

/* --- its property file --- */

/* Remarks on turn slip if USE_MODE and the coefficients of the file do not agree. */
static void remark_turn_slip(const vd_mf_tyre_def *def, vd_place at, vd_diag *d) {
  bool has = vd_mf_has_turn_slip(def->figures), wants = fmod(fabs(def->figures->use_mode), 10.0) == 5.0;
  if (def->turn_slip != VD_MF_TURN_AUTO)
    return;
  if (has && !wants)
    vd_remark(d, at,
              "the property file has coefficients of turn slip, which its USE_MODE = %g does not use ('turn_slip: on' "
              "uses them)",
              def->figures->use_mode);
  if (wants && !has)
    vd_remark(d, at, "USE_MODE = %g selects turn slip, but the property file has no coefficients of it",
              def->figures->use_mode);
}

/* Replaces the name of the file by the text of the coefficients. */
static void keep_text(const vd_mf_def *figures, vd_arena *arena, vd_mf_tyre_def *def) {
  vd_buf text = {0};
  vd_tir_write(figures, &text);
  def->file = "";
  def->properties = vd_arena_copy(arena, text.text, text.length);
  vd_buf_finish(&text);
}

/* Reads the property file or its text. False after errors. */
static bool read_figures(vd_mf_tyre_def *def, const vd_tyre_origin *from) {
  const vd_node *root = from->root;
  const char *path = from->path;
  vd_arena *arena = from->arena;
  vd_diag *d = from->d;
  vd_mf_def *figures = vd_arena_alloc(arena, sizeof *figures);
  bool named = *def->file != '\0', given = *def->properties != '\0';
  if (named == given) {
    vd_error(d, vd_tree_place_in(root, path, "%s", named ? "properties" : ""),
             "a tyre of model mf needs a 'file' or its text in 'properties'%s", named ? ", not both" : "");
    return false;
  }
  const vd_place at = vd_tree_place_in(root, path, "%s", named ? "file" : "properties");
  int source = named ? vd_tir_open(def->file, at, d)
                     : vd_diag_add_source(d, "properties of a tyre", def->properties, strlen(def->properties));
  if (source < 0 || !vd_tir_read_sided(source, def->side - 1, d, figures))
    return false;
  vd_buf kept = {0};
  vd_tir_keep(source, d, &kept);
  def->kept = vd_arena_copy(arena, kept.text ? kept.text : "", kept.length);
  vd_buf_finish(&kept);
  keep_text(figures, arena, def);
  def->figures = figures;
  if (def->combined == VD_MF_AUTO && vd_mf_lacks_weights(figures))
    vd_remark(d, at,
              "the property file has no coefficients of combined slip (RBX1, RBY1); a friction ellipse combines its "
              "forces ('combined' chooses)");
  remark_turn_slip(def, at, d);
  return true;
}

/* Completes the definition from the property file. The vertical stiffness is the stiffness at the nominal load. */
static void mf_tyre_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_mf_tyre_def *own = &def->as.mf;
  if (own->figures)
    return;
  own->origin = *own->file ? own->file : own->properties;
  if (like && strcmp(like->as.mf.origin, own->origin) == 0 && like->as.mf.side == own->side) {
    own->file = like->as.mf.file;
    own->properties = like->as.mf.properties;
    own->figures = like->as.mf.figures;
    own->kept = like->as.mf.kept;
  } else {
    read_figures(own, from);
  }
  def->unread = !own->figures;
  if (def->unread)
    return;
  vd_mf built;
  vd_mf_build(own->figures, VD_MF_LEFT, &built);
  if (isnan(own->pressure))
    own->pressure = built.pressure;
  if (isnan(def->common.vertical_damping))
    def->common.vertical_damping = own->figures->vertical_damping;
  const vd_mf_vertical still = {.pressure = own->pressure};
  vd_mf_deflection(&built, &still, own->figures->fnomin, &def->common.vertical_stiffness);
  if (built.curve.count > 0)
    def->common.vertical_steepest = vd_mf_firmness(&built, own->pressure) * vd_curve_steepest(&built.curve);
}

/* Warns of a rolling moment that drives a wheel which rolls forwards upright. */
static void mf_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  static const double share[] = {0.25, 0.5, 1.0, 1.5, 2.0}; /* shares of FNOMIN */
  const vd_mf_def *figures = def->as.mf.figures;
  if (!figures)
    return;
  vd_mf m;
  vd_mf_build(figures, VD_MF_LEFT, &m);
  double most = 0.0, at = 0.0, omega = figures->longvl / figures->unloaded_radius;
  for (size_t i = 0; i < VD_COUNT(share); i++) {
    const vd_mf_input in = {.load = share[i] * figures->fnomin,
                            .vx = figures->longvl,
                            .pressure = def->as.mf.pressure,
                            .friction = def->common.friction};
    vd_mf_output out;
    vd_mf_forces(&m, &in, &out);
    if (out.my > most) {
      most = out.my;
      at = in.load;
    }
  }
  if (most > 0.0)
    vd_warning(
        d, vd_tree_place_in(root, path, "file"),
        "the rolling moment of this file drives the wheel: My = %.3g N m, %.3g W, at %.4g N and %.3g m/s%s; runs "
        "ignore it",
        most, most * omega, at, figures->longvl,
        m.my_from_shifts > 0.0 ? " (without QSY1 and QSY2 it follows from PHX and PVX)" : "");
}

/* Returns the coefficients of the file, changed by the other keys of the tyre. */
static vd_mf_def wanted(const vd_mf_tyre_def *def) {
  vd_mf_def figures = def->limits == VD_MF_IGNORE ? vd_mf_unlimited(def->figures) : *def->figures;
  figures.combined = def->combined;
  figures.turn_slip = def->turn_slip;
  return figures;
}

static double forces_digit(const vd_mf_def *figures) {
  return fmod(fabs(figures->use_mode), 10.0);
}

static void set_forces_digit(double digit, vd_mf_def *figures) {
  figures->use_mode += copysign(1.0, figures->use_mode) * (digit - forces_digit(figures));
}

/* Expresses by USE_MODE and coefficients how forces are combined, without any change of the forces. False: this is
 * not possible. */
static bool write_combined(vd_mf_def *figures) {
  if (forces_digit(figures) < 4.0)
    return true;
  switch ((enum vd_mf_combined)figures->combined) {
  case VD_MF_AUTO: return true;
  case VD_MF_WEIGHTS: return !vd_mf_lacks_weights(figures);
  case VD_MF_ELLIPSE: figures->rbx1 = figures->rbx3 = figures->rby1 = figures->rby4 = 0.0; return true;
  case VD_MF_UNCOMBINED: break;
  }
  if (forces_digit(figures) == 5.0 && vd_mf_has_turn_slip(figures))
    return false;
  set_forces_digit(3.0, figures);
  return true;
}

/* Writes the property file. If its text was given in the scenario, there is no file name. */
static bool mf_tyre_write_tir(const vd_tyre_def *def, vd_buf *out) {
  const vd_mf_tyre_def *own = &def->as.mf;
  vd_mf_def figures = wanted(own);
  figures.inflpres = own->pressure;
  figures.lmux *= def->common.friction;
  figures.lmuy *= def->common.friction;
  double digit = forces_digit(&figures);
  if (digit == 4.0 && own->turn_slip == VD_MF_TURN_ON)
    set_forces_digit(5.0, &figures);
  if (digit == 5.0 && own->turn_slip == VD_MF_TURN_OFF)
    set_forces_digit(4.0, &figures);
  if (!write_combined(&figures))
    return false;
  vd_tir_write_file(&figures, strpbrk(own->origin, "=\n") ? "properties" : own->origin, own->kept, out);
  return true;
}

/* Copies the coefficients for changes; afterwards mf_tyre_take_coefficients replaces the text of the file by them. */
static vd_mf_def *mf_tyre_own_coefficients(vd_tyre_def *def, vd_arena *arena) {
  vd_mf_def *own = vd_arena_alloc(arena, sizeof *own);
  *own = *def->as.mf.figures;
  def->as.mf.figures = own;
  return own;
}

static void mf_tyre_take_coefficients(vd_tyre_def *def, vd_arena *arena) {
  keep_text(def->as.mf.figures, arena, &def->as.mf);
}

/* Changes the pressure. The load curve is for the nominal pressure; its loads scale with pressure like the
 * stiffness. */
static void mf_tyre_inflate(vd_tyre *tyre, double pressure) {
  tyre->pressure = pressure;
  tyre->firmness = vd_mf_firmness(&tyre->as.mf, pressure);
}

static void mf_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  const vd_mf_tyre_def *own = &def->as.mf;
  vd_mf_def figures = wanted(own);
  vd_mf_build(&figures, right ? VD_MF_RIGHT : VD_MF_LEFT, &tyre->as.mf);
  tyre->load_curve = tyre->as.mf.curve;
  mf_tyre_inflate(tyre, isnan(own->pressure) ? tyre->as.mf.pressure : own->pressure);
  tyre->sided = own->figures->side != VD_MF_SYMMETRIC;
}

/* --- forces, in four lanes --- */

static void mf_tyre_pack(vd_tyre_group *group) {
  vd_mf_row *row = &group->lanes.mf;
  const vd_mf *m[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    m[i] = &group->tyre[i]->as.mf;
    row->friction[i] = group->tyre[i]->common.friction;
    row->pressure[i] = group->tyre[i]->pressure;
    row->radius[i] = m[i]->body.unloaded_radius;
  }
  vd_mf_pack(m, &row->four);
}

/* Returns the rolling moment as a run uses it. The sign of the formula follows from the speed of the contact (in 5.2
 * without QSY1 and QSY2 from the shifts), not from the direction in which the wheel turns. The moment can therefore
 * drive the wheel, and a car on level ground would accelerate by itself. A driving moment is ignored. A resisting
 * moment fades to zero as the wheel stops turning, so that it does not jump. */
VD_INLINE vd_wide resisting(vd_wide my, vd_wide turning) {
  vd_wide none = vd_wide_of(0.0), moment = vd_wide_max(-my * turning, none);
  return vd_wide_select(turning > none, -moment, moment);
}

VD_INLINE void begin_slide(const vd_tyre_group *group, const vd_contact *contact, vd_mf_slide *slide) {
  const vd_mf_row *row = &group->lanes.mf;
  slide->has_slip = false;
  slide->contact = (vd_mf_contact){.kappa = vd_group_load(group, contact->kappa),
                                   .tan_alpha = vd_group_load(group, contact->tan_alpha),
                                   .gamma = contact->camber ? vd_group_load(group, contact->camber) : vd_wide_of(0.0),
                                   .pressure = vd_wide_load(row->pressure),
                                   .vx = vd_group_load(group, contact->vx)};
  if (row->four.has_turn_slip && contact->curvature) {
    slide->path = (vd_mf_path){vd_group_load(group, contact->curvature), vd_group_load(group, contact->rolling)};
    slide->contact.path = &slide->path;
  }
  slide->rolls = contact->omega;
  if (slide->rolls)
    slide->turning = vd_wide_direction(vd_wide_load(row->radius) * vd_group_load(group, contact->omega));
}

static void mf_tyre_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *slides) {
  begin_slide(group, contact, &slides->mf);
}

/* Computes the forces. The first pass also computes the quantities that do not depend on the loads. */
static void mf_tyre_force(const vd_tyre_group *group, vd_slides *slides, const double *ground_friction,
                          const double *load, vd_tyre_forces *out) {
  const vd_mf_row *row = &group->lanes.mf;
  vd_mf_slide *slide = &slides->mf;
  vd_mf_load_state *last = &slide->last;
  if (!slide->has_slip) {
    slide->has_slip = true;
    slide->contact.friction = vd_group_load(group, ground_friction) * vd_wide_load(row->friction);
    vd_mf_at_slip(&row->four, &slide->contact, &slide->slip);
  }
  double at[VD_WHEELS];
  vd_wide_store(vd_group_load(group, load), at);
  vd_mf_at_load(&row->four, &slide->slip, at, last);
  vd_group_store(group, last->fx, out->fx);
  vd_group_store(group, last->fy, out->fy);
  vd_group_store(group, last->mx, out->mx);
  vd_group_store(group, slide->rolls ? resisting(last->my, slide->turning) : last->my, out->my);
}

static void mf_tyre_shift_loads(const vd_tyre_group *group, vd_slides *slides, const double *load) {
  double at[VD_WHEELS];
  vd_wide_store(vd_group_load(group, load), at);
  vd_mf_shift_loads(&group->lanes.mf.four, at, &slides->mf.last);
}

static void mf_tyre_use_forces(const vd_tyre_group *group, vd_slides *slides, vd_tyre_forces *out) {
  vd_mf_slide *slide = &slides->mf;
  double fx[VD_WHEELS], fy[VD_WHEELS];
  vd_wide_store(vd_group_load(group, out->fx), fx);
  vd_wide_store(vd_group_load(group, out->fy), fy);
  vd_mf_use_forces(&group->lanes.mf.four, &slide->slip, fx, fy, &slide->last);
  vd_group_store(group, slide->last.mx, out->mx);
}

/* Computes the aligning moments. The forces of bristles differ from the steady forces; the trail and the residual
 * torque belong to the steady slip. */
static void mf_tyre_moments(const vd_tyre_group *group, const vd_slides *slides, const double *load, const double *vx,
                            const double *fy, double *mz) {
  const vd_mf_slide *slide = &slides->mf;
  vd_mf_moment moment;
  (void)load;
  (void)vx;
  vd_mf_aligning(&group->lanes.mf.four, &slide->slip, &slide->last, &moment);
  vd_group_store(group, moment.mz, mz);
  for (int k = 0; k < group->count && slides->bristles; k++) {
    int i = group->wheel[k];
    if (slides->each[i].bristles)
      mz[i] -= moment.trail[i] * (fy[i] - slide->last.fy[i]);
  }
}

static void mf_tyre_at_loads(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                             const double *load, const vd_tyre_results *out) {
  const vd_mf_row *row = &group->lanes.mf;
  vd_mf_slide slide;
  vd_mf_moment moment;
  begin_slide(group, contact, &slide);
  slide.contact.friction = vd_wide_load(ground_friction) * vd_wide_load(row->friction);
  vd_mf_at_slip(&row->four, &slide.contact, &slide.slip);
  vd_mf_at_load(&row->four, &slide.slip, load, &slide.last);
  vd_mf_aligning(&row->four, &slide.slip, &slide.last, &moment);
  vd_wide_store(slide.last.fx, out->fx);
  vd_wide_store(slide.last.fy, out->fy);
  vd_wide_store(slide.last.mx, out->mx);
  vd_wide_store(slide.rolls ? resisting(slide.last.my, slide.turning) : slide.last.my, out->my);
  vd_wide_store(moment.mz, out->mz);
}

/* --- one tyre --- */

static vd_mf_input at_rest(const vd_tyre *tyre, double ground_friction, double load) {
  return (vd_mf_input){.load = load, .pressure = tyre->pressure, .friction = ground_friction * tyre->common.friction};
}

static void mf_tyre_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                                double *cornering) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  vd_mf_stiffness slope;
  vd_mf_slopes(&tyre->as.mf, &in, &slope);
  *slip = slope.slip;
  *cornering = slope.cornering;
}

static double mf_tyre_grip(const vd_tyre *tyre, double ground_friction, double load) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  return vd_mf_grip(&tyre->as.mf, &in);
}

/* Takes the relaxation lengths of the file, if it has them. */
static void take_lengths(double kappa, double alpha, double *longitudinal, double *lateral) {
  if (kappa > 0.0)
    *longitudinal = kappa;
  if (alpha > 0.0)
    *lateral = alpha;
}

/* Takes the relaxation lengths of the file. Below its range of load the lengths at the end of the range are used. */
static void relaxation_of(const vd_mf *m, const vd_mf_input *in, double *longitudinal, double *lateral) {
  double kappa, alpha;
  vd_mf_relaxation(m, in, &kappa, &alpha);
  take_lengths(kappa, alpha, longitudinal, lateral);
}

static void mf_tyre_relaxation(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral) {
  vd_mf_input in = at_rest(tyre, 1.0, load);
  in.gamma = camber;
  relaxation_of(&tyre->as.mf, &in, longitudinal, lateral);
}

static void mf_tyre_relaxations(const vd_tyre_group *group, const double *load, double *longitudinal, double *lateral) {
  const vd_mf_row *row = &group->lanes.mf;
  double at[VD_WHEELS], slip[VD_WHEELS], cornering[VD_WHEELS], kappa, alpha;
  vd_wide_store(vd_group_load(group, load), at);
  vd_mf_slopes_of_four(&row->four, row->pressure, at, slip, cornering);
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    vd_mf_relaxation_by(&group->tyre[i]->as.mf, load[i], row->pressure[i], slip[i], cornering[i], &kappa, &alpha);
    take_lengths(kappa, alpha, &longitudinal[i], &lateral[i]);
  }
}

static bool mf_tyre_has_turn_slip(const vd_tyre *tyre) {
  return tyre->as.mf.has_turn_slip;
}

/* Computes the relaxation length a of the twist, which is half the length of the patch. Consider a row of brush
 * bristles with the stiffness c per length, at the lateral distance y from the wheel's middle. Its deflection along the
 * wheel is y phi (a - x) on a path of curvature phi, and y psi if the standing wheel is turned by psi. Their sums over
 * the row, 2 c y a^2 phi and 2 c y a psi, are in the ratio a. If the file has no coefficients for the patch, a is 0.6
 * times half the chord in which the road cuts the tyre's circle. */
static void mf_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist) {
  const vd_mf *m = &tyre->as.mf;
  const vd_mf_input in = at_rest(tyre, ground_friction, load);
  const double least = 1e-3; /* m */
  double width, cz = m->cz * vd_mf_firmness(m, tyre->pressure);
  vd_mf_turning turning;
  vd_mf_turn(m, &in, &turning);
  vd_mf_contact_patch(m, load, tyre->pressure, &twist->length, &width);
  twist->length *= 0.5;
  if (!(twist->length > 0.0) && cz > 0.0)
    twist->length = 0.6 * sqrt(2.0 * m->body.unloaded_radius * vd_max(load, 0.0) / cz);
  twist->length = vd_max(twist->length, least);
  twist->stiffness = turning.slope / twist->length;
  twist->most = turning.most;
}

static double mf_tyre_rolling(const vd_tyre *tyre, const vd_tyre_question *q) {
  const vd_mf *m = &tyre->as.mf;
  const vd_mf_input in = {.load = q->load, .kappa = q->kappa, .vx = q->vx, .pressure = tyre->pressure};
  double omega, speed = fabs(q->vx) * sqrt(1.0 + q->tan_alpha * q->tan_alpha);
  vd_mf_slipping_radius(m, &in, &omega);
  return omega * vd_min(1.0 / speed, m->inverse_v_low); /* at speed 0 the second number is smaller */
}

/* Finds the peaks: the higher one of driving and braking, and of left and right, each with its slip. */
static void peaks_of(const vd_mf *m, const vd_mf_input *in, double *mu, double *kappa, double *alpha) {
  vd_mf_peaks p;
  vd_mf_find_peaks(m, in, &p);
  *kappa = fabs(p.drive.mu >= p.brake.mu ? p.drive.slip : p.brake.slip);
  *alpha = fabs(p.left.mu >= p.right.mu ? p.left.slip : p.right.slip);
  *mu = vd_max(vd_max(p.drive.mu, p.brake.mu), vd_max(p.left.mu, p.right.mu));
}

static void mf_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                          double *alpha) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  peaks_of(&tyre->as.mf, &in, mu, kappa, alpha);
}

/* Computes both radii. The loaded radius is the free radius of the turning wheel minus its deflection. */
static void mf_tyre_radii(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_mf *m = &tyre->as.mf;
  const vd_mf_input in = {.load = q->load, .kappa = q->kappa, .vx = q->vx, .pressure = tyre->pressure};
  double omega;
  a->rolling_radius = vd_mf_slipping_radius(m, &in, &omega);
  const vd_mf_vertical v = {.omega = omega, .fx = a->fx, .fy = a->fy, .gamma = q->camber, .pressure = tyre->pressure};
  a->loaded_radius = vd_mf_free_radius(m, omega) - vd_mf_deflection(m, &v, q->load, NULL);
}

static double or_nan(double x) {
  return x > 0.0 ? x : NAN;
}

/* Computes the figures at the camber of the row, and a note on the quantities that are clamped. */
static void mf_tyre_figures(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_mf *m = &tyre->as.mf;
  const vd_mf_input in = {.load = q->load,
                          .kappa = q->kappa,
                          .tan_alpha = q->tan_alpha,
                          .gamma = q->camber,
                          .pressure = tyre->pressure,
                          .vx = q->vx,
                          .friction = q->ground_friction * tyre->common.friction,
                          .curvature = q->curvature,
                          .rolling = m->has_turn_slip ? mf_tyre_rolling(tyre, q) : 0.0};
  vd_mf_input used;
  vd_mf_output out;
  vd_mf_stiffness slope;
  vd_mf_forces(m, &in, &out);
  vd_mf_slopes(m, &in, &slope);
  a->clamped = (int)vd_mf_clamp_input(m, &in, &used);
  a->used = (vd_tyre_used){used.load, used.pressure, used.gamma, used.kappa, used.tan_alpha};
  a->pneumatic_trail = out.trail;
  a->residual = out.residual;
  a->mu_x = slope.mu_x;
  a->mu_y = slope.mu_y;
  a->slip_stiffness = slope.slip;
  a->cornering_stiffness = slope.cornering;
  peaks_of(m, &in, &a->mu_peak, &a->kappa_peak, &a->alpha_peak);
  relaxation_of(m, &in, &a->sigma_x, &a->sigma_y);
  vd_mf_contact_patch(m, q->load, tyre->pressure, &a->contact_length, &a->contact_width);
  a->contact_length = or_nan(a->contact_length);
  a->contact_width = or_nan(a->contact_width);
}

VD_WIDE const vd_tyre_variant vd_mf_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .traits = {.file = true, .moments = true, .camber = true, .pressure = true},
    .complete = mf_tyre_complete,
    .check = mf_tyre_check,
    .write_tir = mf_tyre_write_tir,
    .own_coefficients = mf_tyre_own_coefficients,
    .take_coefficients = mf_tyre_take_coefficients,
    .build = mf_tyre_build,
    .inflate = mf_tyre_inflate,
    .pack = mf_tyre_pack,
    .slide = mf_tyre_slide,
    .force = mf_tyre_force,
    .use_forces = mf_tyre_use_forces,
    .shift_loads = mf_tyre_shift_loads,
    .moments = mf_tyre_moments,
    .at_loads = mf_tyre_at_loads,
    .stiffnesses = mf_tyre_stiffnesses,
    .stiffness_loads = 32, /* stiffnesses are smooth functions of the load with one maximum each */
    .peaks = mf_tyre_peaks,
    .grip = mf_tyre_grip,
    .relaxation = mf_tyre_relaxation,
    .relaxations = mf_tyre_relaxations,
    .has_turn_slip = mf_tyre_has_turn_slip,
    .twisted = mf_tyre_twisted,
    .rolling = mf_tyre_rolling,
    .radii = mf_tyre_radii,
    .figures = mf_tyre_figures,
};
