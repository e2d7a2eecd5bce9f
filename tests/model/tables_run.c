/* Runs of cars whose wheels follow tables, at L3: order of convergence, ledger, mirror images, refusals. */
#include "ride_runs.h"

/* Tables become maps with kinks of the third derivative every 5 mm, as in multibody_run.c. */
static const char smooth[] = "vehicle: ../vehicles/sedan_tables.yaml\n"
                             "run: {duration: 10 s, level: L3, v_low: 20}\n"
                             "initial: {speed: 30 m/s}\n"
                             "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n";

static const char plane[] = "vehicle: ../vehicles/sedan_tables.yaml\n"
                            "run: {duration: 10 s, level: L2, v_low: 20}\n"
                            "initial: {speed: 30 m/s}\n"
                            "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                            "steer: {type: sine, amplitude: 0.01, frequency: 1.5 Hz}\n";

static const char driving[] = "vehicle: ../vehicles/sedan_tables.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s, level: L3}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static const char braking[] = "vehicle: ../vehicles/sedan_tables.yaml\n"
                              "run: {duration: 4 s, level: L3}\n"
                              "initial: {speed: 30 m/s}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n"
                              "brake: {type: ramp, rate: 0.1, duration: 2 s}\n";

static const char turns[] = "vehicle: ../vehicles/sedan_tables.yaml\n"
                            "run: {duration: 8 s, level: L3}\n"
                            "initial: {speed: 20 m/s}\n"
                            "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
                            "steer: {type: sine, amplitude: 0.04, frequency: 0.5 Hz}\n";

static const char sedan[] = "vehicle=scenarios/vehicles/sedan_tables.yaml";
static const char saloon[] = "vehicle=scenarios/vehicles/saloon_bump_steer.yaml";
static const char compact[] = "vehicle=scenarios/vehicles/compact_tables.yaml";
static const char coupe[] = "vehicle=scenarios/vehicles/coupe_tables.yaml";
/* Points that depend on travel alone, at uneven steps: the rack follows from the values of `steering`. */
static const char points[] =
    "vehicle={base: scenarios/vehicles/sedan.yaml,"
    " steering: {trail: 20 mm},"
    " front: {toe: 0.1 deg, kc: {toe: [[-120 mm, 4 deg], [-30 mm, 1 deg], [0, 0], [45 mm, -1.5 deg], [120 mm, -4.5 "
    "deg]],"
    " camber: [[-120 mm, 2 deg], [-50 mm, 1 deg], [10 mm, -0.5 deg], [120 mm, -4 deg]],"
    " x: [[-120 mm, 3 mm], [0, 0], [120 mm, -9 mm]], y: [[-120 mm, -20 mm], [0, 0], [60 mm, 4 mm], [120 mm, -2 mm]],"
    " spin: [[-120 mm, -4 deg], [120 mm, 4 deg]],"
    " spring_length: [[-120 mm, 390 mm], [0, 300 mm], [120 mm, 190 mm]]}},"
    " rear: {kc: {x: [[-120 mm, -24 mm], [0, 0], [120 mm, 10 mm]], spin: [[-120 mm, -9 deg], [0, 0], [120 mm, 12 deg]],"
    " camber: [[-120 mm, 1 deg], [120 mm, -3 deg]]}}}";

/* Compliance by the coefficients of a data sheet, without the curves of a rig. */
static const char given[] =
    "vehicle={base: scenarios/vehicles/sedan.yaml,"
    " front: {kc: {toe: [[-120 mm, 0.5 deg], [0, 0], [120 mm, -0.8 deg]], compliance: {"
    "   toe: {fy: -0.08 deg/kN, mz: -0.9 deg/kNm, fx_brake: 0.03 deg/kN}, camber: {fy: -0.2 deg/kN},"
    "   x: {fx_brake: 1.2 mm/kN, fx_drive: 0.9 mm/kN}, y: {fy: 0.3 mm/kN}, spin: {fx_brake: -0.25 deg/kN}}}},"
    " rear: {kc: {camber: [[-120 mm, 1 deg], [120 mm, -3 deg]],"
    "   compliance: {toe: {fy: 0.03 deg/kN, mz: -0.5 deg/kNm}, contact_y: {fy: 0.8 mm/kN}}}}}";

/* Checks that L4 drives on tables where there is no linkage. validation/kc_tables.yaml checks that tables made from
 * hardpoints give the runs of the hardpoints. */
static void check_without_linkage(void) {
  scene *a = scene_make(turns, "run.level=L3", NULL);
  scene *b = scene_make(turns, "run.level=L4", "vehicle.front.linkage=[]", "vehicle.rear.linkage=[]", NULL);
  scene_run(a, 4.0);
  scene_run(b, 4.0);
  double worst = 0.0;
  for (int i = 0; i < VD_STATES; i++)
    take(&worst, a->sim.state.x[i] - b->sim.state.x[i]);
  tap_ok(a->sim.status == VD_SIM_OK && b->sim.status == VD_SIM_OK, "L3 and L4 drive on tables");
  tap_near(worst, 0.0, 0.0, "L3 and L4 on tables are one model");
  scene_free(a);
  scene_free(b);
}

/* Checks that a front wheel in bump under full braking leaves tables that end at 35 mm: the run ends at this travel, as
 * on a linkage that locks. */
static void check_range(void) {
  scene *s =
      scene_make(turns, "vehicle=scenarios/vehicles/sedan.yaml", "vehicle.front.kc={toe: [[-35 mm, 0], [35 mm, 0]]}",
                 "vehicle.rear.kc={toe: [[-200 mm, 0], [200 mm, 0]]}", "throttle={type: none}",
                 "brake={type: step, start: 0.5, value: 1}", "ground.friction=1.5", NULL);
  scene_run(s, 6.0);
  tap_ok(s->sim.status == VD_SIM_OUT_OF_REACH && s->sim.failure_index < 2,
         "a run ends where a front wheel leaves its tables, at %.4f m",
         s->sim.eval.motion.travel[s->sim.failure_index]);
  scene_free(s);
}

/* Checks levels without roll as a state: the yaw rates of both turns are mirror images. */
static void check_plane_mirror(const char *what, const char *level, const char *compliance) {
  scene *a = scene_make(turns, level, compliance, left_turn[0], left_turn[1], NULL);
  scene *b = scene_make(turns, level, compliance, right_turn[0], right_turn[1], NULL);
  double worst = 0.0, turned = 0.0;
  for (int k = 1; k <= 40; k++) {
    scene_run(a, 0.1 * k);
    scene_run(b, 0.1 * k);
    take(&worst, a->sim.state.x[VD_S_YAW_RATE] + b->sim.state.x[VD_S_YAW_RATE]);
    turned = tap_max(turned, fabs(a->sim.state.x[VD_S_YAW_RATE]));
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK || !(turned > 0.1))
    worst = NAN;
  tap_near(worst, 0.0, 1e-12, "%s: left and right are mirror images within %.1e of %.2f rad/s", what, worst, turned);
  scene_free(a);
  scene_free(b);
}

int main(void) {
  tap_plan(4 + 10 + 5 * 2 + 2 + 1 + 4 + 1 + 3 + 2 + 5);
  check_joint_order("tables, smooth", smooth, sedan, 0.004);
  check_joint_order("much bump steer, smooth", smooth, saloon, 0.004);
  check_joint_order("a table of both travels, smooth", smooth, compact, 0.004);
  check_joint_order("points of travel, smooth", smooth, points, 0.004);

  check_ledger("driving and steering on a slope", driving, sedan, "run.lean=true", 8.0, 1e-6);
  check_ledger("driving and steering on a slope, without lean", driving, sedan, "run.lean=false", 8.0, 1e-6);
  check_ledger("transient slip", driving, sedan, "run.slip=transient", 8.0, 1e-6);
  check_ledger("points of travel", driving, points, "run.lean=true", 8.0, 1e-6);
  check_ledger("much bump steer", driving, saloon, "run.lean=true", 8.0, 1e-6);
  check_ledger("a live axle on tables of both wheels", driving, coupe, "run.lean=true", 8.0, 1e-6);
  check_ledger("gentle braking in a weave", braking, sedan, "run.lean=true", 4.0, 1e-6);
  check_ledger("driving, with compliance", driving, sedan, "run.compliance=linear", 8.0, 1e-6);
  check_ledger("gentle braking, with compliance", braking, sedan, "run.compliance=linear", 4.0, 1e-6);
  check_ledger("gentle braking, tables of a few points", braking, points, "run.lean=true", 4.0, 1e-6);

  check_joint_order("compliance by curves, smooth", smooth, "run.compliance=nonlinear", 0.001);
  check_ledger("driving, with compliance by curves", driving, sedan, "run.compliance=nonlinear", 8.0, 1e-6);
  check_ledger("gentle braking, nonlinear compliance", braking, sedan, "run.compliance=nonlinear", 4.0, 1e-6);
  check_ledger("gentle braking, compliance by coefficients of angles and places", braking, given,
               "run.compliance=nonlinear", 4.0, 1e-6);
  check_mirror("turns, with compliance by curves", turns, "run.compliance=nonlinear", left_turn, right_turn);

  check_mirror("turns on a bank", turns, sedan, left_turn, right_turn);
  check_mirror("turns, much bump steer", turns, saloon, left_turn, right_turn);
  check_mirror("turns, points of travel", turns, points, left_turn, right_turn);
  check_mirror("turns, a table of both travels", turns, compact, left_turn, right_turn);
  check_mirror("turns, with compliance", turns, "run.compliance=linear", left_turn, right_turn);
  check_without_linkage();
  check_range();

  judge_joint_order("L2, smooth", run_for_order(smooth, "run.level=L2", 0.004, NULL), 10);
  check_ledger("L2 on tables, in a weave", turns, "run.level=L2", "steer.amplitude=0.06", 8.0, 1e-6);
  check_plane_mirror("L2 on tables", "run.level=L2", "run.compliance=none");
  check_plane_mirror("L1 on tables", "run.level=L1", "run.compliance=none");

  judge_joint_order("L2, smooth, with compliance", run_for_order(plane, "run.compliance=linear", 0.004, NULL), 10);
  check_ledger("L2 braking, with compliance", braking, "run.level=L2", "run.compliance=linear", 4.0, 1e-6);
  check_ledger("L1 in a weave, with compliance", turns, "run.level=L1", "run.compliance=linear", 8.0, 1e-6);
  check_plane_mirror("L2, with compliance", "run.level=L2", "run.compliance=linear");
  check_plane_mirror("L1, with compliance", "run.level=L1", "run.compliance=linear");
  return tap_done();
}
