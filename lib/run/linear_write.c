/* The files of a linear analysis, and its text for readers. */
#include "run/linear.h"

#include "base/num.h"

#include <stdio.h>
#include <string.h>

typedef struct name {
  char text[64];
} name;

static name state_name(int state) {
  name n;
  vd_linear_state_name(state, n.text, sizeof n.text);
  return n;
}

static name number(double value, enum vd_digits digits) {
  name n;
  (digits == VD_DIGITS_EXACT ? vd_num_print_shortest : vd_num_print9)(value + 0.0, n.text);
  return n;
}

typedef struct matrix {
  const char *name;
  bool by_output, of_inputs;
  const double *value;
  size_t stride;
} matrix;

enum { MATRICES = 4 };

static void matrices(const vd_linear *l, matrix *m) {
  m[0] = (matrix){"A", false, false, l->a[0], VD_LINEAR_STATES};
  m[1] = (matrix){"B", false, true, l->b[0], VD_LINEAR_INPUTS};
  m[2] = (matrix){"C", true, false, l->c[0], VD_LINEAR_STATES};
  m[3] = (matrix){"D", true, true, l->d[0], VD_LINEAR_INPUTS};
}

static int rows_of(const vd_linear *l, const matrix *m) {
  return m->by_output ? l->outputs : l->count;
}

static int columns_of(const vd_linear *l, const matrix *m) {
  return m->of_inputs ? l->inputs : l->count;
}

/* --- CSV --- */

static void row(vd_output *o, const char *part, const char *of, const char *column, double value,
                enum vd_digits digits) {
  const char *const word[] = {part, of, column};
  const double number = value + 0.0;
  for (size_t i = 0; i < VD_COUNT(word); i++) {
    vd_output_field(o, word[i]);
    vd_output_puts(o, ",");
  }
  vd_output_row(o, &number, 1, digits);
}

static void eigen_rows(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o) {
  for (int k = 0; k < a->eigens; k++) {
    const vd_eigen *e = &a->eigen[k];
    char which[16];
    snprintf(which, sizeof which, "%d", k + 1);
    row(o, "eigenvalue", which, "real_1ps", e->real, digits);
    row(o, "eigenvalue", which, "imaginary_1ps", e->imaginary, digits);
    row(o, "eigenvalue", which, "frequency_Hz", e->frequency, digits);
    row(o, "eigenvalue", which, "damping", e->damping, digits);
    for (int i = 0; i < VD_MOTIONS; i++)
      row(o, "eigenvalue", which, vd_motion_names[i], e->share[i], digits);
  }
}

void vd_linear_write_csv(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o) {
  const vd_linear *l = &a->system;
  matrix m[MATRICES];
  matrices(l, m);
  vd_output_puts(o, "part,row,column,value\n");
  row(o, "instant", "t_s", "value", a->t, digits);
  for (int i = 0; i < l->count; i++) {
    row(o, "state", state_name(l->state[i]).text, "value", l->now[i], digits);
    row(o, "state", state_name(l->state[i]).text, "rate", l->rate[i], digits);
  }
  for (int k = 0; k < MATRICES; k++)
    for (int i = 0; i < rows_of(l, &m[k]); i++)
      for (int j = 0; j < columns_of(l, &m[k]); j++)
        row(o, m[k].name, m[k].by_output ? l->output[i]->name : state_name(l->state[i]).text,
            m[k].of_inputs ? l->input[j].name : state_name(l->state[j]).text,
            m[k].value[(size_t)i * m[k].stride + (size_t)j], digits);
  eigen_rows(a, digits, o);
}

/* --- YAML --- */

static void write_states(const vd_linear_analysis *a, enum vd_digits digits, vd_buf *out) {
  const vd_linear *l = &a->system;
  vd_buf_puts(out, "states:\n");
  for (int i = 0; i < l->count; i++)
    vd_buf_printf(out, "  - {name: %s, unit: \"%s\", value: %s, rate: %s}\n", state_name(l->state[i]).text,
                  vd_state_table[l->state[i]].unit, number(l->now[i], digits).text, number(l->rate[i], digits).text);
  vd_buf_puts(out, "left_out: [");
  for (int i = 0, count = 0; i < VD_STATES; i++)
    if (a->left[i])
      vd_buf_printf(out, count++ ? ", %s" : "%s", state_name(i).text);
  vd_buf_puts(out, "]\n");
}

static void write_matrix(const vd_linear *l, const matrix *m, enum vd_digits digits, vd_buf *out) {
  vd_buf_printf(out, rows_of(l, m) > 0 ? "%s:\n" : "%s: []\n", m->name);
  for (int i = 0; i < rows_of(l, m); i++) {
    vd_buf_puts(out, "  - [");
    for (int j = 0; j < columns_of(l, m); j++)
      vd_buf_printf(out, j ? ", %s" : "%s", number(m->value[(size_t)i * m->stride + (size_t)j], digits).text);
    vd_buf_puts(out, "]\n");
  }
}

static void write_eigen(const vd_eigen *e, enum vd_digits digits, vd_buf *out) {
  vd_buf_printf(out, "  - {real: %s, imaginary: %s, frequency_Hz: %s, damping: %s,\n     motion: %s, shares: {",
                number(e->real, digits).text, number(e->imaginary, digits).text, number(e->frequency, digits).text,
                number(e->damping, digits).text, vd_motion_names[vd_eigen_motion(e)]);
  for (int i = 0; i < VD_MOTIONS; i++)
    vd_buf_printf(out, "%s%s: %s", i ? ", " : "", vd_motion_names[i], number(e->share[i], digits).text);
  vd_buf_puts(out, "}}\n");
}

void vd_linear_write_yaml(const vd_linear_analysis *a, enum vd_digits digits, vd_output *o) {
  const vd_linear *l = &a->system;
  matrix m[MATRICES];
  vd_buf text = {0}, *out = &text;
  matrices(l, m);
  vd_buf_printf(out, "level: %s\nt: %s\n", vd_level_names[a->level], number(a->t, digits).text);
  write_states(a, digits, out);
  vd_buf_puts(out, l->inputs > 0 ? "inputs:\n" : "inputs: []\n");
  for (int k = 0; k < l->inputs; k++) {
    vd_buf_printf(out, "  - {name: %s, unit: \"%s\"", l->input[k].name, l->input[k].unit);
    if (l->input[k].rate_of >= 0)
      vd_buf_printf(out, ", rate_of: %s", l->input[l->input[k].rate_of].name);
    vd_buf_puts(out, "}\n");
  }
  vd_buf_puts(out, l->outputs > 0 ? "outputs:\n" : "outputs: []\n");
  for (int i = 0; i < l->outputs; i++)
    vd_buf_printf(out, "  - {name: %s, unit: \"%s\"}\n", l->output[i]->name, l->output[i]->unit);
  for (int k = 0; k < MATRICES; k++)
    write_matrix(l, &m[k], digits, out);
  vd_buf_puts(out, "eigenvalues:\n");
  for (int k = 0; k < a->eigens; k++)
    write_eigen(&a->eigen[k], digits, out);
  vd_buf_printf(out, "difference_error: %s\n", number(l->error, digits).text);
  vd_output_bytes(o, text.text, text.length);
  vd_buf_finish(&text);
}

/* --- for readers --- */

static void list(vd_buf *out, const char *what, const char *text, int *count) {
  if (*count == 0)
    vd_buf_printf(out, "  %-10s", what);
  else if (*count % 6 == 0)
    vd_buf_printf(out, ",\n%12s", "");
  else
    vd_buf_puts(out, ",");
  vd_buf_printf(out, " %s", text);
  ++*count;
}

static void print_lists(const vd_linear_analysis *a, vd_buf *out) {
  const vd_linear *l = &a->system;
  int states = 0, left = 0, inputs = 0, kinks = 0;
  for (int i = 0; i < l->count; i++)
    list(out, "states", state_name(l->state[i]).text, &states);
  vd_buf_puts(out, "\n");
  for (int i = 0; i < VD_STATES; i++)
    if (a->left[i])
      list(out, "left out", state_name(i).text, &left);
  vd_buf_puts(out, left ? ": nothing depends on them\n" : "");
  for (int k = 0; k < l->inputs; k++)
    list(out, "inputs", l->input[k].name, &inputs);
  vd_buf_puts(out, inputs ? "\n" : "");
  vd_buf_printf(out, "  outputs    %d channels of the log\n", l->outputs);
  for (int i = 0; i < l->count; i++)
    if (l->kink[i])
      list(out, "kinks", state_name(l->state[i]).text, &kinks);
  for (int k = 0; k < l->inputs; k++)
    if (l->input_kink[k])
      list(out, "kinks", l->input[k].name, &kinks);
  vd_buf_puts(out, kinks ? ": there is a corner near; derivatives are means over both sides\n" : "");
}

static void print_eigen(const vd_eigen *e, int number_of, vd_buf *out) {
  double part[VD_MOTIONS];
  if (e->imaginary > 0.0)
    vd_buf_printf(out, "  %4d %11.5g +- %-9.5g j %10.5g %9.4f", number_of, e->real, e->imaginary, e->frequency,
                  e->damping);
  else
    vd_buf_printf(out, "  %4d %11.5g %27s %9s", number_of, e->real, "", "");
  if (e->real != 0.0)
    vd_buf_printf(out, " %10.4g ", -1.0 / e->real);
  else
    vd_buf_printf(out, " %10s ", "inf");
  memcpy(part, e->share, sizeof part);
  for (int k = 0; k < 3; k++) {
    int best = 0;
    for (int i = 1; i < VD_MOTIONS; i++)
      if (part[i] > part[best])
        best = i;
    if (k == 0 || part[best] >= 0.05)
      vd_buf_printf(out, "%s %s %.0f %%", k ? "," : "", vd_motion_names[best], 100.0 * part[best]);
    part[best] = 0.0;
  }
  vd_buf_puts(out, "\n");
}

void vd_linear_print(const vd_linear_analysis *a, vd_buf *out) {
  const double steady = 1e-3; /* 1/s */
  vd_buf_printf(out, "linear model, %s, t = %.9g s: x' = A x + B u, y = C x + D u\n", vd_level_names[a->level], a->t);
  print_lists(a, out);
  if (!(a->change <= steady))
    vd_buf_printf(out, "  no steady state: %s changes by %.3g of its scale a second\n",
                  a->changing >= 0 ? state_name(a->changing).text : "", a->change);
  else
    vd_buf_printf(out, "  a steady state: no rate is above %.1g of its state's scale a second\n",
                  vd_max(a->change, 1e-12));
  if (a->driver)
    vd_buf_puts(out, "  the driver is not in the loop: the steering wheel is an input\n");
  if (a->closed_loop)
    vd_buf_puts(out, "  the controller of speed or acceleration is in the loop\n");
  if (a->delay > 0.0)
    vd_buf_printf(out, "  not in the system: the dead time of the steering, %g s\n", a->delay);
  vd_buf_printf(out, "  derivatives are differences; with twice the steps they change by %.1g (kinks left out)\n\n",
                a->system.error);
  vd_buf_printf(out, "  %4s %26s  %10s %9s %10s  %s\n", "", "s, 1/s", "|s|/2pi,Hz", "damping", "-1/Re s, s", "motion");
  for (int k = 0; k < a->eigens; k++)
    print_eigen(&a->eigen[k], k + 1, out);
}
