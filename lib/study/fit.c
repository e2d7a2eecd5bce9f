#include "study/fit_impl.h"

#include "base/base.h"
#include "input/schema.h"

#include <string.h>

void *vd_fit_grown(vd_arena *arena, const void *old, size_t count, size_t more, size_t size) {
  void *all = vd_arena_alloc(arena, (count + more + 1) * size);
  if (count > 0)
    memcpy(all, old, count * size);
  return all;
}

static const vd_fit_functions *functions_of(const vd_fit *fit) {
  return fit->kind == VD_KIND_TYRE_FIT ? &vd_tyre_fit_functions : &vd_run_fit_functions;
}

bool vd_fit_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit *out) {
  out->kind = vd_kind_of(source, d);
  return functions_of(out)->read(source, settings, count, arena, d, out);
}

void vd_fit_resolve(const vd_fit *fit, vd_buf *out) {
  vd_schema_write(vd_kinds[fit->kind].schema, &fit->as, out); /* the keys come first in both */
}

bool vd_fit_solve(const vd_fit *fit, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  static const vd_fit_options none;
  const vd_fit_functions *does = functions_of(fit);
  *out = (vd_fit_result){.rows = 0};
  for (int i = 0; i < VD_FIT_TABLES; i++)
    out->tables |= does->write[i] ? VD_WHEN(i) : 0u;
  return does->solve(fit, options ? options : &none, arena, d, out);
}

void vd_fit_write(const vd_fit *fit, const vd_fit_result *r, enum vd_fit_table table, enum vd_digits digits,
                  vd_output *o) {
  functions_of(fit)->write[table](fit, r, digits, o);
}

void vd_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  out->count = 0;
  functions_of(fit)->metrics(fit, r, arena, out);
}

void vd_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out) {
  functions_of(fit)->remark(fit, r, name, out);
}
