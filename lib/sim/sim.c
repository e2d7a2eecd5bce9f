#include "sim/sim_impl.h"

#include "base/elementary.h"
#include "math/root.h"

#include <math.h>
#include <string.h>

enum { MAX_SPLITS = 32 };
/* Values in the search for an event: at least one of five successive values halves the interval. */
enum { ROOT_ROUNDS = 200 };

/* Greatest number of times that an interval is halved, and the number of the smallest parts. With the longest grid a
 * smallest part has 1e-8 s. */
enum { MAX_HALVINGS = 21, WHOLE = 1 << MAX_HALVINGS };

/* Share of a step to which the instants of brake events are found. */
static const double root_tolerance = 1e-12;
/* The state at an event is the end of a shorter step, and not a value of the polynomial, in two cases: if steps are
 * adaptive, as they may be long, and the polynomial would add an error of the size of a step's error; and if steps are
 * exponential (vd_rk4_decaying) with at least this decay of a spin, as the polynomial would lose an order. */
static const double exponential = 1.0;
/* Roll and pitch at which a body on wheels counts as overturned: the model has no contacts of its sides and roof. */
static const double max_tilt = 1.4; /* rad */

/* Returns the first instant after t at which an input, an event or a mode ends the present interval. */
static double next_corner(const vd_sim *sim, double t) {
  double next = vd_inputs_next_corner(&sim->inputs, t);
  if (sim->events.count > 0)
    next = vd_min(next, vd_events_next_time(&sim->events, t));
  return sim->model->vehicle.drivetrain.engine ? vd_min(next, vd_model_next_corner(sim->model, &sim->state, t)) : next;
}

/* Returns whether the car is faster than the speed below which the run ends; false for NAN. */
static bool is_fast(const vd_sim *sim, const vd_eval *e) {
  return !(fabs(e->motion.vx) < sim->stop_below);
}

static bool fail(vd_sim *sim, enum vd_sim_status status, double t) {
  sim->status = status;
  sim->failure_time = t;
  return false;
}

/* Checks that linkages are within their maps, which continue as polynomials beyond their ends and are not valid
 * there. */
static bool check_reach(vd_sim *sim, double t) {
  for (int i = 0; i < VD_WHEELS; i++)
    if (!vd_linkage_map_holds(sim->model->ride.link.map[i], sim->eval.motion.travel[i])) {
      sim->failure_index = i;
      return fail(sim, VD_SIM_OUT_OF_REACH, t);
    }
  return true;
}

/* Checks that requests have not steered the rear wheels beyond the map of their rack. */
static bool check_rear_steer(vd_sim *sim, double t) {
  const vd_linkage_map *map = sim->model->vehicle.axle[VD_REAR].map;
  if (!sim->model->vehicle.steering.rear.gain || !map || !map->steer ||
      fabs(sim->state.x[VD_S_REAR_STEER]) <= map->most_steer)
    return true;
  return fail(sim, VD_SIM_OUT_OF_RACK, t);
}

/* Checks that all states are finite: 0 x is 0 for every finite x and NaN for all others. Four independent sums are
 * computed in parallel by the processor. */
static bool check_state(vd_sim *sim, double t) {
  double probe[4] = {0.0, 0.0, 0.0, 0.0};
  int n = vd_model_states(sim->model), i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      probe[k] += 0.0 * sim->state.x[i + k];
  for (; i < n; i++)
    probe[0] += 0.0 * sim->state.x[i];
  if (probe[0] + probe[1] + probe[2] + probe[3] == 0.0) {
    enum vd_level level = sim->model->options.level;
    bool overturned = (level == VD_L3 || level == VD_L4) &&
                      !(fabs(sim->state.x[VD_S_ROLL]) < max_tilt && fabs(sim->state.x[VD_S_PITCH]) < max_tilt);
    if (overturned)
      return fail(sim, VD_SIM_OVERTURNED, t);
    if (!check_rear_steer(sim, t))
      return false;
    return !vd_model_linked(sim->model) || sim->model->options.exact_linkage || check_reach(sim, t);
  }
  for (i = VD_STATES - 1; i >= 0; i--)
    if (!isfinite(sim->state.x[i]))
      sim->failure_index = i;
  return fail(sim, VD_SIM_BAD_STATE, t);
}

/* Checks that no tyre is deflected by more than its radius. Such a wheel's centre would be below the road: it is on the
 * wrong side of a surface, or its load is beyond what a spring can model. */
static bool check_tyres(vd_sim *sim, double t) {
  for (int i = 0; i < VD_WHEELS; i++)
    if (sim->eval.contact.deflection[i] > sim->model->ride.free_radius[i]) {
      sim->failure_index = i;
      return fail(sim, VD_SIM_CRUSHED, t);
    }
  return true;
}

/* Records loads beyond the unit ball of an elastic map: they do not displace a wheel any further, since the loads of
 * the bushings are limited to the ball. */
static void watch_bushings(vd_sim *sim, double t) {
  static const double edge = 0.999;
  const double *x = sim->state.x + VD_S_BUSHING;
  for (int i = 0; i < VD_WHEELS && !sim->overloaded; i++) {
    double square = 0.0;
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      square += x[j * VD_WHEELS + i] * x[j * VD_WHEELS + i];
    if (square > edge * edge) {
      sim->overloaded = true;
      sim->overloaded_wheel = i;
      sim->overloaded_from = t;
    }
  }
}

/* Contact of the body. A body lies on its floor, sides or roof if its centre of gravity is this near to a surface, or
 * if a loaded wheel is inclined by more than 60 degrees. There is no model of this contact. A body on four upright
 * loaded wheels has no contact. */
static const double min_clearance = 0.1, min_cos_inclination = 0.5; /* m; cosine */

static bool check_body(vd_sim *sim, double t) {
  static const int place[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_HEIGHT};
  double at[3], up[3], clearance, normal[3];
  bool struck = false, stands = true;
  for (int i = 0; i < VD_WHEELS; i++) {
    bool bears = sim->eval.tyre.load[i] > 0.0, on_side = sim->eval.contact.cos_inclination[i] < min_cos_inclination;
    struck |= bears && on_side;
    stands &= bears && !on_side;
  }
  if (stands)
    return true;
  if (sim->command.roads) /* roads from outside replace the ground */
    return !struck || fail(sim, VD_SIM_STRUCK, t);
  for (int j = 0; j < 3; j++)
    at[j] = sim->state.x[place[j]];
  vd_model_up(&sim->state, up);
  struck |= vd_ground_clearance(&sim->model->ground, at, up, 1.0, &clearance, normal) && clearance < min_clearance;
  return !struck || fail(sim, VD_SIM_STRUCK, t);
}

/* Takes the computed rates of the present state. closed: whether their computation succeeded. */
static bool take_rates(vd_sim *sim, bool closed, double t) {
  if (!closed)
    return check_state(sim, t) ? fail(sim, VD_SIM_NO_LOADS, t) : false;
  vd_model_decay(sim->model, sim->state.mode, &sim->eval, &sim->decay);
  return true;
}

/* Computes the rates in the present state under sim->command. */
static bool evaluate(vd_sim *sim, double t) {
  sim->sought++;
  const vd_state_vector *s = &sim->state;
  return take_rates(sim, vd_model_rates(sim->model, &sim->command, s->x, s->mode, &sim->eval, sim->rates), t);
}

/* Finds the guards of the modes, of the conditions that end the run, and of the events. */
static void find_guards(const vd_sim *sim, const vd_command *c, const vd_state_vector *s, const vd_eval *e,
                        vd_guards *g) {
  vd_model_guards(sim->model, c, s, e, g);
  vd_guards_add(sim->has_moved ? fabs(e->motion.vx) - sim->stop_below : INFINITY, g);
  if (sim->events.count == 0)
    return;
  vd_row row;
  unsigned view = vd_events_view(&sim->events);
  if (view)
    vd_sim_fill_row(sim, c, s, e, view, &row);
  vd_guards_add(vd_events_guard(&sim->events, s->x[VD_S_DISTANCE], view ? &row : NULL), g);
}

/* Returns the lowest of the guards that are negative in `end'; INFINITY: none is. */
static double lowest_of(const vd_guards *end, const vd_guards *g) {
  double lowest = INFINITY;
  for (int i = 0; i < end->count; i++)
    if (end->value[i] < 0.0)
      lowest = vd_min(lowest, g->value[i]);
  return lowest;
}

/* Fires the events that are due, which switch inputs; an event may cause the next event. A driver that takes over
 * starts with the present road wheel angle. */
static void fire_events(vd_sim *sim, double t) {
  vd_row row;
  unsigned view = vd_events_view(&sim->events);
  double snap = vd_corner_snap * sim->grid;
  if (view)
    vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, view, &row);
  for (int i; (i = vd_events_fire(&sim->events, t, snap, sim->state.x[VD_S_DISTANCE], view ? &row : NULL)) >= 0;) {
    const vd_event_def *event = &sim->events.def[i];
    bool controlled = vd_lat_controlled(sim->inputs.lateral);
    double steer = vd_model_steer(sim->model, &sim->command, &sim->state);
    vd_inputs_apply(&sim->inputs, &event->inputs, t, event->follow_path, steer);
    sim->ended |= event->end;
    if (!controlled && vd_lat_controlled(sim->inputs.lateral))
      vd_driver_start(steer, &sim->driver);
    view = vd_events_view(&sim->events);
    if (view) {
      vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, view, &row);
      vd_events_check(&sim->events, &row);
    }
  }
}

static double energy(const vd_sim *sim) {
  vd_row row;
  vd_sim_row(sim, VD_VIEW_DETAILS, &row);
  return row.eval.log.energy;
}

/* Replaces the command by *next, which differs by a position that jumps. The state stays, but the energy of springs,
 * tyres and masses jumps. The difference is the work of the drives that move the posts or the steering; it is added to
 * the work of index `work'. */
static bool jump_to(vd_sim *sim, const vd_command *next, int work, double t) {
  const double before = energy(sim);
  sim->command = *next;
  if (!evaluate(sim, t))
    return false;
  sim->state.x[work] += energy(sim) - before;
  return true;
}

/* Returns whether a position differs by more than rounding: m or rad. */
static bool differs(const double *a, const double *b) {
  static const double rounding = 1e-9;
  bool found = false;
  for (int i = 0; i < VD_WHEELS; i++)
    found |= fabs(a[i] - b[i]) > rounding;
  return found;
}

/* Returns whether the slopes of roads from outside begin, or jump. */
static bool tilts(const vd_command *next, const vd_command *now) {
  return !now->tilted || differs(next->road_slope[0], now->road_slope[0]) ||
         differs(next->road_slope[1], now->road_slope[1]);
}

/* Books the work of posts and roads that jump, then the work of steered wheels that jump. The command becomes *next.
 * Only from L3 on does the energy depend on posts, roads or wheel angles. */
static bool book_jumps(vd_sim *sim, const vd_command *next, double t) {
  vd_command posts = sim->command;
  bool jumps = differs(next->post, posts.post) || (next->tilted && tilts(next, &posts));
  memcpy(posts.post, next->post, sizeof posts.post);
  posts.roads = next->roads;
  posts.tilted = next->tilted;
  if (next->tilted)
    memcpy(posts.road_slope, next->road_slope, sizeof posts.road_slope);
  return (!jumps || jump_to(sim, &posts, VD_S_WORK_OUTSIDE, t)) &&
         (!differs(next->angle, posts.angle) || jump_to(sim, next, VD_S_WORK_STEERING, t));
}

/* Returns the middle of the interval between input corners after t, or of the part of this interval before `end`. */
static double middle_of_piece(const vd_sim *sim, double t, double end) {
  return 0.5 * (t + vd_min(next_corner(sim, t + vd_corner_snap * sim->grid), end));
}

/* Takes the command of the interval after t that contains `inside', and decides the modes anew. started: t is not the
 * start of the run, so that jumps do work. */
static bool take_command(vd_sim *sim, bool started, double inside, double t) {
  vd_command next = sim->command;
  if (started && vd_inputs_tilt(&sim->inputs)) {
    vd_row row;
    vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, VD_VIEW_BRIEF, &row);
    vd_inputs_place_roads(&sim->inputs, inside, t, row.eval.contact.contact_x, row.eval.contact.contact_y);
  }
  vd_sim_command_at(sim, inside, t, &next);
  if (started && sim->model->options.level >= VD_L3 && !book_jumps(sim, &next, t))
    return false;
  sim->command = next;
  bool closed = vd_model_switch(sim->model, &sim->command, &sim->state, &sim->eval, sim->rates, &sim->sought);
  return take_rates(sim, closed, t);
}

/* Decides the modes for the time after t, at most to `end': after the start, a corner, or an event. */
static bool settle(vd_sim *sim, double t, double end) {
  vd_error_break(false, &sim->error);
  sim->gap = INFINITY;
  sim->ended |= sim->has_moved && !is_fast(sim, &sim->eval);
  if (sim->events.count > 0)
    fire_events(sim, t);
  return take_command(sim, t > 0.0, middle_of_piece(sim, t, end), t);
}

/* Makes the driver's decision, which changes the rate of the steering angle but not the angle. */
static bool decide(vd_sim *sim, double inside, double t) {
  sim->gap = INFINITY;
  vd_driver_decide(sim->driver_def, sim->model, &sim->command, &sim->state, &sim->eval, &sim->driver);
  vd_sim_command_at(sim, inside, t, &sim->command);
  return evaluate(sim, t);
}

/* Lets the controllers decide and new requests act. If a request jumps, the modes are decided anew. */
static bool control(vd_sim *sim, double inside, double t) {
  enum vd_sim_news news = vd_sim_control(sim, t);
  if (news == VD_SIM_NO_NEWS)
    return true;
  if (news == VD_SIM_CONTROL_FAILED)
    return fail(sim, VD_SIM_CONTROLLER, t);
  sim->gap = INFINITY;
  if (news == VD_SIM_REQUEST_JUMPS) {
    vd_error_break(false, &sim->error);
    sim->splits++;
    return take_command(sim, true, inside, t);
  }
  vd_sim_command_at(sim, inside, t, &sim->command);
  return evaluate(sim, t);
}

/* Returns whether the rates jump within the trial without effect on its error estimate: the gap (vd_step_gap) is large,
 * and much larger than the gap of the step before, scaled by the cube of the length. Such a step is halved until the
 * jump adds no more than the accuracy: examples are a wheel that meets the face of a kerb or lands, or a spring that
 * meets its stop. */
static bool jumps(vd_sim *sim, const vd_step_ends *step) {
  static const double sudden = 10.0, shortest = 1e-8; /* s */
  double cube = step->h * step->h * step->h, gap = vd_step_gap(step, vd_state_gap_weight);
  if (gap > sim->accuracy && gap > sudden * cube * sim->gap && step->h > shortest)
    return true;
  sim->gap = gap / cube;
  return false;
}

/* Returns whether the error of the trial is small enough; if not, the next trial is half as long. The error estimate
 * falls with the fourth power of the length, so a step with 1/20 of the allowed error can be followed by a step of
 * twice the length with some reserve. */
static bool accurate(vd_sim *sim, const vd_step_trial *trial, const vd_step_ends *step) {
  static const double growth = 1.0 / 20.0, shortest = 1e-6; /* s */
  if (!(sim->accuracy > 0.0))
    return true;
  double h = step->h, error = vd_rk4_error(h, step->n, trial->k4, step->rates1, sim->weight);
  bool enough = (error <= sim->accuracy || h <= shortest) && !jumps(sim, step);
  if (!enough)
    sim->next_step = 0.5 * h;
  else if (error <= growth * sim->accuracy && 2.0 * h > sim->next_step)
    sim->next_step = vd_min(2.0 * h, sim->grid);
  return enough;
}

/* Finds the share of the step at which the first of the guards that are negative at its end falls to zero. Leaves the
 * state at this share in *end, its rates in end_rates, and its evaluation and command in the trial. */
static double find_event(const vd_sim *sim, vd_within *in, const vd_guards *last, vd_step_trial *trial,
                         vd_state_vector *end, double *end_rates) {
  vd_state_vector at, high;
  vd_guards g;
  vd_root root;
  vd_eval eval;
  vd_command command;
  bool closed = true;
  bool known = false; /* high_rates, eval, command and closed belong to root.high */
  double rates[VD_STATES], high_rates[VD_STATES], s = vd_dense_place, first = NAN;
  if (!in->by_steps) {
    vd_within_at(sim, in, s, trial, &at, rates);
    find_guards(sim, &trial->end, &at, trial->eval, &g);
    first = lowest_of(last, &g);
    vd_dense_complete(&in->dense, rates);
  }
  vd_root_start(0.0, 1.0, lowest_of(last, last), s, first, root_tolerance, &root);
  for (int i = 0; i < ROOT_ROUNDS && vd_root_next(&root, &s); i++) {
    vd_within_at(sim, in, s, trial, &at, rates);
    find_guards(sim, &trial->end, &at, trial->eval, &g);
    vd_root_put(s, lowest_of(last, &g), &root);
    if (root.high != s)
      continue;
    high = at;
    memcpy(high_rates, rates, sizeof rates);
    eval = *trial->eval;
    command = trial->end;
    closed = trial->closed;
    known = true;
  }
  if (known) {
    *trial->eval = eval;
    trial->end = command;
    trial->closed = closed;
  } else {
    vd_within_at(sim, in, root.high, trial, &high, high_rates);
  }
  *end = high;
  memcpy(end_rates, high_rates, sizeof high_rates);
  return root.high;
}

/* Records the drift of the spins over a step of length h. */
static void note_drift(double h, const vd_state_vector *start, const vd_state_vector *end, vd_decay *decay) {
  for (int j = 0; j < decay->count; j++)
    decay->drift[j] = (end->x[decay->state[j]] - start->x[decay->state[j]]) / h;
}

/* Checks that no wheel is beyond the ends of a measured road, where its height is NAN. L3 and L4 need a road under the
 * wheels: their states become NAN within a step that leaves it. At L5 the car would have no contact and fall. place: m,
 * m, rad, of the car at t. False: a wheel is beyond the road. */
static bool check_road(vd_sim *sim, const double *place, double t) {
  const vd_model *m = sim->model;
  const double cosine = vd_cos(place[2]), sine = vd_sin(place[2]);
  for (int i = 0; i < VD_WHEELS && vd_ground_heights(&m->ground); i++) {
    const double ahead = m->lanes.x[i], left = m->lanes.y[i];
    vd_road road;
    double *at = sim->failure_place;
    vd_model_plan(m, place[0] + cosine * ahead - sine * left, place[1] + sine * ahead + cosine * left, &at[0], &at[1]);
    vd_ground_road(&m->ground, at[0], at[1], &road);
    if (isnan(road.z)) {
      sim->failure_index = i;
      return fail(sim, VD_SIM_OFF_ROAD, t);
    }
  }
  return true;
}

static const int place_states[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_YAW};

/* Checks the road at L5, where only wheels without a load can be beyond its end. */
static bool check_free_road(vd_sim *sim, double t) {
  bool lifted = false;
  double place[3];
  for (int i = 0; i < VD_WHEELS; i++)
    lifted |= sim->eval.tyre.load[i] == 0.0;
  for (int k = 0; k < 3; k++)
    place[k] = sim->state.x[place_states[k]];
  return !lifted || check_road(sim, place, t);
}

/* Checks the road after a step from this place has failed: at t, and 0.1 m ahead, as discs touch the road beside their
 * middles. */
static void check_road_ahead(vd_sim *sim, const double *from, double h, double t) {
  const double pace = vd_hypot(sim->rates[VD_S_ALONG], sim->rates[VD_S_ACROSS]), beyond = vd_min(0.1 / pace, 1.0);
  double place[3];
  for (int k = 0; k < 3; k++)
    place[k] = from[k] + (h + beyond) * sim->rates[place_states[k]];
  check_road(sim, place, t);
}

/* Returns whether the car is far from the path that it is to follow, or faces away from it. */
static bool is_off_path(const vd_sim *sim) {
  static const double far = 20.0; /* m */
  const vd_model *m = sim->model;
  vd_path_point at;
  if (sim->command.lateral != VD_LAT_PATH || sim->command.prescribed || !m->options.path)
    return false;
  vd_path_at(m->options.path, sim->state.x[VD_S_PATH], &at);
  return fabs(sim->eval.motion.path_error) > far ||
         vd_cos(vd_model_heading(m, sim->state.x[VD_S_YAW]) - at.heading) < 0.0;
}

/* Ends the run if the driver has lost the path: he would circle at full lock and not find it again. */
static void watch_path(vd_sim *sim) {
  double *at = sim->failure_place;
  if (!(sim->lost_after > 0.0) || sim->status != VD_SIM_OK)
    return;
  sim->off_since = is_off_path(sim) ? vd_min(sim->off_since, sim->t) : INFINITY;
  if (sim->t - sim->off_since < sim->lost_after || sim->off_since > sim->t)
    return;
  vd_model_plan(sim->model, sim->state.x[VD_S_ALONG], sim->state.x[VD_S_ACROSS], &at[0], &at[1]);
  fail(sim, VD_SIM_LOST, sim->t);
}

/* Accepts the end of a trial, at t. */
static bool accept(vd_sim *sim, const vd_step_trial *trial, double h, double t, const vd_state_vector *end,
                   const double *end_rates) {
  size_t n = (size_t)vd_model_states(sim->model);
  double place[3];
  for (int k = 0; k < 3; k++)
    place[k] = sim->state.x[place_states[k]];
  note_drift(h, &sim->state, end, &sim->decay);
  memcpy(sim->state.x, end->x, n * sizeof *end->x);
  if (vd_model_keeps(sim->model))
    vd_model_pass_modes(sim->model, end->mode, sim->state.mode);
  vd_model_end_step(sim->model, &trial->end, &sim->state);
  if (!check_state(sim, t)) {
    if (sim->status == VD_SIM_BAD_STATE && sim->model->options.level >= VD_L3)
      check_road_ahead(sim, place, h, t);
    return false;
  }
  if (!trial->closed)
    return fail(sim, VD_SIM_NO_LOADS, t);
  if (sim->model->options.level >= VD_L3 && !check_tyres(sim, t))
    return false;
  if (sim->model->options.level == VD_L5 && !(check_body(sim, t) && check_free_road(sim, t)))
    return false;
  if (sim->model->options.compliance == VD_COMPLIANCE_NONLINEAR)
    watch_bushings(sim, t);
  sim->has_moved |= is_fast(sim, &sim->eval);
  vd_command_pass(&trial->end, &sim->command);
  memcpy(sim->rates, end_rates, n * sizeof *end_rates);
  vd_model_decay(sim->model, sim->state.mode, &sim->eval, &sim->decay);
  sim->parts++;
  return !sim->command.prescribed || evaluate(sim, t); /* the prescribed place and speed */
}

/* Measures the error of the step that is about to be accepted, by repeating it in two halves. */
static void halve(vd_sim *sim, double from, double h, double inside, const vd_state_vector *end) {
  const vd_error_instant now = {from, &sim->state, sim->rates, &sim->eval, &sim->decay};
  vd_decay decay = sim->decay;
  vd_eval eval = sim->eval;
  vd_step_trial trial;
  vd_state_vector middle, last;
  double rates[VD_STATES], last_rates[VD_STATES], half = from + 0.5 * h;
  decay.half = true;
  trial.eval = &eval;
  vd_trial_prepare(sim, from, half, inside, &trial);
  trial.decay = &decay;
  vd_trial_make(&trial, half - from, &middle, rates);
  note_drift(half - from, &sim->state, &middle, &decay);
  vd_model_decay(sim->model, sim->state.mode, &eval, &decay);
  vd_trial_prepare(sim, half, from + h, inside, &trial);
  trial.start = &middle;
  trial.rates = rates;
  trial.decay = &decay;
  vd_trial_make(&trial, from + h - half, &last, last_rates);
  vd_error_propagate(sim->model, &now, &sim->error);
  vd_error_measure(sim->model, end->x, last.x, &sim->error);
}

/* Returns the longest step that its error and the reach (vd_sim_setup) allow. On meshes, whose slope jumps at every
 * edge, the reach is 0. */
static double longest(const vd_sim *sim) {
  const double always = 1.25e-3; /* s, allowed at any speed: an eighth of the longest grid */
  const vd_eval *e = &sim->eval;
  double speed = fabs(e->motion.vx) + fabs(e->motion.vy) + fabs(e->motion.vz);
  return vd_min(sim->next_step, vd_max(sim->reach / speed, always));
}

/* Returns the length of the next step in an interval that is halved into parts, as a number of the smallest parts: the
 * longest step that may begin here and is not longer than `longest'. `done' parts are behind it. */
static long part_length(const vd_sim *sim, double span, long done) {
  const double most = longest(sim) * (1.0 + 1e-9) * WHOLE;
  long length = WHOLE;
  while (length > 1 && (span * (double)length > most || done % length != 0))
    length /= 2;
  return length;
}

/* Advances to `to', within an interval without input corners, or to an event before `to', at which the modes are
 * decided and the inputs may get new corners. `splits' counts the splits of the present step of the grid. */
static bool advance(vd_sim *sim, double to, int *splits, vd_sim_rows *rows) {
  vd_step_trial trial;
  vd_state_vector end;
  double end_rates[VD_STATES], from = sim->t, inside = 0.5 * (from + to);
  const double start = from, span = to - from;
  vd_within in;
  vd_guards guards;
  long done = 0;
  bool event = false;
  in.inside = inside;
  in.noted = false;
  in.before = 0.0;
  trial.eval = &sim->eval;
  vd_command_pass(&sim->command, &trial.end); /* members that no input sets are part of a saved state, too */
  while (from < to && !event) {
    long length = part_length(sim, span, done);
    double end_time = done + length < WHOLE ? start + span * ((double)(done + length) / WHOLE) : to,
           h = end_time - from;
    vd_within_start(sim, from, end_time, rows, &in);
    vd_trial_prepare(sim, from, end_time, inside, &trial);
    vd_trial_make(&trial, h, &end, end_rates);
    const vd_step_ends ends = vd_trial_ends(sim, h, &end, end_rates);
    if (!accurate(sim, &trial, &ends)) {
      sim->sought += 4;
      continue;
    }
    find_guards(sim, &trial.end, &end, trial.eval, &guards);
    event = lowest_of(&guards, &guards) < 0.0;
    if (event && *splits >= MAX_SPLITS) {
      /* a coupling at its limit: the step continues in the last mode, and the next step decides again */
      event = false;
      sim->unsettled++;
    }
    if (event) {
      vd_within_begin(sim, &ends, sim->accuracy > 0.0 ? -1.0 : exponential, &in);
      end_time = from + find_event(sim, &in, &guards, &trial, &end, end_rates) * h;
      sim->sought += in.sought;
    }
    const vd_step_ends taken = vd_trial_ends(sim, end_time - from, &end, end_rates);
    if (rows)
      vd_within_look(sim, &trial, &taken, &in, rows);
    if (sim->error.on && vd_error_due(end_time - from, &sim->error))
      halve(sim, from, end_time - from, inside, &end);
    if (!accept(sim, &trial, end_time - from, end_time, &end, end_rates))
      return false;
    from = end_time;
    done += length;
    if (!event && sim->model->options.frozen_contact && !evaluate(sim, from))
      return false; /* these rates were computed with the old planes */
  }
  sim->t = from;
  if (!event)
    return true;
  vd_error_break(true, &sim->error);
  sim->splits++;
  ++*splits;
  return settle(sim, from, to);
}

vd_error_share vd_sim_error(const vd_sim *sim) {
  vd_error_estimate e = sim->error;
  if (!e.on)
    return (vd_error_share){.share = NAN};
  const vd_error_instant now = {sim->t, &sim->state, sim->rates, &sim->eval, &sim->decay};
  vd_error_propagate(sim->model, &now, &e);
  return vd_error_greatest(sim->model, &e);
}

/* Sets the weights of the states' errors. Errors of the bushings' loads also cause an error of the bushings' loss,
 * which grows with the rate at which the loads follow the road. With these weights the ledger of a live axle at full
 * throttle closes to 2 mJ at 2 ms, and to 0.4 J at 0.1 ms. */
static void weigh_errors(const vd_model *m, double *weight) {
  static const double slow = 2e-3; /* s */
  memcpy(weight, vd_state_weight, sizeof vd_state_weight);
  const double fast = m->options.bushing_time > 0.0 ? vd_fast_max(slow / m->options.bushing_time, 1.0) : 1.0;
  for (int i = VD_S_BUSHING; i <= VD_S_BUSHING_MZ_LAST; i++)
    weight[i] *= fast * fast;
}

/* Places the first heights of roads from outside under the wheels in the design position. */
static void place_first_roads(vd_sim *sim, const vd_start *start, double inside) {
  const vd_lanes *lanes = &sim->model->lanes;
  const double yaw = vd_model_heading(sim->model, start->yaw), cosine = vd_cos(yaw), sine = vd_sin(yaw);
  double x[VD_WHEELS], y[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    x[i] = start->x + cosine * lanes->x[i] - sine * lanes->y[i];
    y[i] = start->y + sine * lanes->x[i] + cosine * lanes->y[i];
  }
  vd_inputs_place_roads(&sim->inputs, inside, 0.0, x, y);
}

void vd_sim_start(vd_sim *sim, const vd_model *model, const vd_sim_setup *setup) {
  *sim = (vd_sim){.model = model,
                  .driver_def = setup->driver,
                  .controls = setup->controls,
                  .grid = setup->step,
                  .accuracy = setup->accuracy,
                  .reach = !(setup->accuracy > 0.0)  ? INFINITY
                           : model->ride.free.hinted ? 0.0
                                                     : setup->reach,
                  .ledger_limit = setup->ledger_limit,
                  .stop_below = setup->stop_below,
                  .lost_after = setup->lost_after,
                  .off_since = INFINITY,
                  .next_step = setup->step};
  double h = sim->grid;
  weigh_errors(model, sim->weight);
  vd_inputs_start(&sim->inputs, setup->inputs, setup->outside, model);
  if (sim->controls)
    vd_sim_start_controls(sim);
  vd_events_start(&sim->events, setup->events);
  vd_driver_start(0.0, &sim->driver);
  sim->decision_steps = lround(vd_max(setup->driver->period / h, 1.0));
  sim->state.mode[VD_M_SHIFT_START] = -1e9;
  vd_command_set_angles(model, &sim->command);
  if (vd_inputs_tilt(&sim->inputs))
    place_first_roads(sim, &setup->start, middle_of_piece(sim, 0.0, h));
  vd_sim_command_at(sim, middle_of_piece(sim, 0.0, h), 0.0, &sim->command);
  vd_model_start(model, &sim->command, &setup->start, &sim->state);
  vd_ledger_share_start(model, &sim->ledger);
  const bool in_space = model->options.level >= VD_L3;
  const double place[] = {setup->start.x, setup->start.y,
                          setup->start.yaw}; /* without a road the attitude is undefined */
  if ((in_space && !check_road(sim, place, 0.0)) || !settle(sim, 0.0, h) || (in_space && !check_tyres(sim, 0.0)))
    return;
  sim->has_moved = is_fast(sim, &sim->eval);
  vd_row row;
  vd_sim_row(sim, VD_VIEW_BRIEF | vd_events_view(&sim->events), &row);
  sim->energy0 = row.eval.log.energy;
  vd_events_check(&sim->events, &row);
  watch_path(sim);
}

size_t vd_sim_size(const vd_driver_def *driver) {
  return driver->type == VD_DRIVER_PLANNER ? sizeof(vd_sim) : offsetof(vd_sim, driver.planner);
}

void vd_sim_copy(const vd_sim *from, vd_sim *to) {
  memcpy(to, from, vd_sim_size(from->driver_def));
}

/* Starts a step on the grid: the channels for which events wait are examined, and controllers and the driver decide. */
static bool begin_step(vd_sim *sim, double t, double inside) {
  unsigned view = sim->events.count > 0 ? vd_events_view(&sim->events) : 0;
  if (view) {
    vd_row row;
    vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, view, &row);
    vd_events_check(&sim->events, &row);
  }
  if (sim->controls && !control(sim, inside, t))
    return false;
  if (!vd_lat_controlled(sim->inputs.lateral) || sim->step % sim->decision_steps != 0)
    return true;
  return decide(sim, inside, t);
}

void vd_sim_decide_modes(vd_sim *sim) {
  sim->corner = false;
  sim->splits++;
  settle(sim, sim->t, sim->t + sim->grid);
}

bool vd_sim_integrate(vd_sim *sim, double limit, vd_sim_rows *rows) {
  double h = sim->grid, snap = vd_corner_snap * h, end = (double)(sim->step + 1) * h;
  bool begun = sim->t > (double)sim->step * h;
  int splits = 0;
  while (sim->status == VD_SIM_OK && !sim->ended && sim->t < end && limit > sim->t + snap) {
    if (sim->corner)
      vd_sim_decide_modes(sim);
    double t = sim->t, corner = next_corner(sim, t + snap), to = corner < end - snap ? corner : end;
    bool cut = limit < to - snap;
    to = cut ? limit : to;
    if (sim->status != VD_SIM_OK || sim->ended || (!begun && !begin_step(sim, t, 0.5 * (t + to))) ||
        !advance(sim, to, &splits, rows))
      break;
    begun = true;
    if (sim->t < to) /* an event has occurred */
      continue;
    if (cut)
      return true;
    sim->corner = corner <= end + snap; /* the modes before and after may differ there */
  }
  if (sim->status == VD_SIM_OK && sim->t < end)
    return false;
  sim->step++;
  sim->t = (double)sim->step * h;
  watch_path(sim);
  return false;
}

enum vd_sim_status vd_sim_step(vd_sim *sim) {
  vd_sim_integrate(sim, INFINITY, NULL);
  if (sim->status == VD_SIM_OK && sim->corner)
    vd_sim_decide_modes(sim);
  return sim->status;
}

void vd_sim_row(const vd_sim *sim, unsigned view, vd_row *row) {
  vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, view, row);
  row->t = sim->t;
}

bool vd_sim_watch_ledger(vd_sim *sim) {
  vd_row row;
  vd_sim_row(sim, VD_VIEW_BRIEF, &row);
  vd_ledger_share_add(&row.eval, sim->t, &sim->ledger);
  return sim->ledger.share <= sim->ledger_limit || fail(sim, VD_SIM_LEDGER, sim->t);
}
