/* Drives a car by libvdsim: PID controllers of this program control its speed and lateral offset.
 *
 * Usage: pid SCENARIO.yaml RECORD.csv LOG.csv [KEY=VALUE ...] Writes the inputs that it sets (t_s, throttle, brake,
 * steering_wheel: a row for each decision) and the channels of the log at the log's instants, so that vdsim-run can
 * drive the same car from the record. Build: cc pid.c $(pkg-config --cflags --libs vdsim) */
#include <vdsim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds between two decisions; not a whole number of steps, so that steps are split. */
static const double period = 0.0123;

typedef struct pid {
  double p, i, d, sum, last;
} pid;

static double control(pid *c, double error) {
  double rate = (error - c->last) / period;
  c->sum += error * period;
  c->last = error;
  return c->p * error + c->i * c->sum + c->d * rate;
}

static double limit(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

static size_t channel(const vd_case *c, const char *name) {
  size_t index = vd_channel_find(c, name);
  if (index == VD_NONE) {
    fprintf(stderr, "pid: there is no channel '%s'\n", name);
    exit(2);
  }
  return index;
}

/* Reads the car's channels and sets its pedals and its steering wheel. */
static void decide(vd_run *run, const vd_case *c, pid *speed, pid *offset, FILE *record) {
  static const char *const name[] = {"throttle", "brake", "steering_wheel"};
  double t = vd_time(run), value[3];
  double force = control(speed, 25.0 - vd_value(run, channel(c, "vx_mps")));
  double lane = t > 2.0 ? 3.0 : 0.0; /* m to the left */
  double turn = control(offset, lane - vd_value(run, channel(c, "y_m")));
  value[0] = limit(force, 0.0, 1.0);
  value[1] = limit(-force, 0.0, 1.0);
  value[2] = limit(turn, -1.0, 1.0);
  fprintf(record, "%.17g", t);
  for (int i = 0; i < 3; i++) {
    if (vd_set(run, vd_input_find(name[i]), value[i]) != VD_OK) {
      fprintf(stderr, "pid: '%s' cannot be %g\n", name[i], value[i]);
      exit(2);
    }
    fprintf(record, ",%.17g", value[i]);
  }
  fputs("\n", record);
}

static void write_row(vd_run *run, const vd_case *c, FILE *log) {
  const char *comma = "";
  for (size_t i = 0; i < vd_channel_count(c); i++)
    if (vd_channel_logged(c, i)) {
      fprintf(log, "%s%.17g", comma, vd_value(run, i));
      comma = ",";
    }
  fputs("\n", log);
}

static void write_header(const vd_case *c, FILE *log) {
  const char *comma = "";
  for (size_t i = 0; i < vd_channel_count(c); i++)
    if (vd_channel_logged(c, i)) {
      fprintf(log, "%s%s", comma, vd_channel_name(c, i));
      comma = ",";
    }
  fputs("\n", log);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fputs("usage: pid SCENARIO.yaml RECORD.csv LOG.csv [KEY=VALUE ...]\n", stderr);
    return 2;
  }
  vd_case *c;
  vd_run *run;
  if (vd_load_file(argv[1], (const char *const *)argv + 4, (size_t)argc - 4, &c) != VD_OK) {
    fputs(c ? vd_messages_text(c) : "pid: out of memory\n", stderr);
    vd_case_free(c);
    return 2;
  }
  FILE *record = fopen(argv[2], "w"), *log = fopen(argv[3], "w");
  if (!record || !log || vd_build(c, 0, &run) != VD_OK) {
    fputs("pid: cannot write, or cannot start\n", stderr);
    return 2;
  }
  pid speed = {.p = 0.3, .i = 0.05}, offset = {.p = 0.12, .d = 0.10};
  long decisions = 0;
  size_t rows = 0;
  vd_status status = VD_OK;
  fputs("t_s,throttle,brake,steering_wheel\n", record);
  write_header(c, log);
  while (status == VD_OK) {
    double next_row = vd_log_time(c, rows), next_decision = (double)decisions * period;
    double next = next_row < next_decision ? next_row : next_decision;
    status = vd_advance(run, next);
    if (status == VD_FAILED) {
      fprintf(stderr, "pid: %s\n", vd_run_failure(run));
      break;
    }
    if (next_decision <= next && status == VD_OK) {
      decide(run, c, &speed, &offset, record);
      decisions++;
    }
    if (next_row <= vd_time(run)) { /* after the decision: the log has the inputs that act from this instant on */
      write_row(run, c, log);
      rows++;
    }
  }
  vd_run_free(run);
  vd_case_free(c);
  return fclose(record) != 0 || fclose(log) != 0 || status == VD_FAILED;
}
