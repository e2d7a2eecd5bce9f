/* The list of templates: the numbers from which each is made, and the file that it makes. */
#include "run/template_impl.h"

#include "run/scenario.h"

#include "input/schema.h"
#include "linkage/corner_def.h"

const vd_template_info vd_templates[VD_TEMPLATES] = {
    [VD_TEMPLATE_CAR] = {"car", &vd_car_numbers_schema, &vd_vehicle_schema, vd_template_of_car,
                         "Save this file as car.yaml and drive it by: vdsim-run --set vehicle=car.yaml "
                         "scenarios/handling/step_steer.yaml"},
    [VD_TEMPLATE_TYRE] =
        {"tyre", &vd_tyre_numbers_schema, &vd_tyre_schema, vd_template_of_tyre,
         "Save this file as tyre.yaml and run it by: vdsim-run --set tyre=tyre.yaml scenarios/rig/fy_alpha.yaml"},
    [VD_TEMPLATE_SUSPENSION] =
        {"suspension", &vd_suspension_numbers_schema, &vd_corner_schema, vd_template_of_suspension,
         "Save this file as suspension.yaml and sweep it by: vdsim-kc-sweep --metrics - suspension.yaml"},
    [VD_TEMPLATE_SCENARIO] = {"scenario", &vd_scenario_numbers_schema, &vd_scenario_schema, vd_template_of_scenario,
                              "Save this file as scenario.yaml and run it by: vdsim-run --metrics - scenario.yaml"},
};

/* Writes the head of the file. remark: vd_template_page.remark */
static void write_head(enum vd_template kind, const vd_setting *settings, size_t count, const char *remark,
                       vd_buf *out) {
  vd_buf made_by = {0};
  vd_buf_printf(&made_by, "vdsim-run --template %s", vd_templates[kind].key);
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(&made_by, " --set '%s'", settings[i].text);
  vd_page_comment("Made by: ", made_by.text, 0, out);
  vd_buf_finish(&made_by);
  vd_page_comment("", vd_templates[kind].use, 0, out);
  for (const char *line = remark; line && *line;) {
    size_t length = strcspn(line, "\n");
    vd_buf one = {0};
    vd_buf_add(&one, line, length);
    vd_page_comment("", one.text, 0, out);
    vd_buf_finish(&one);
    line += length + (line[length] == '\n');
  }
  if (kind != VD_TEMPLATE_SCENARIO)
    vd_page_comment("",
                    "The lists 'estimates' name the estimated values, which --check counts. Replace an estimate by a "
                    "measured value, and remove its key from the list.",
                    0, out);
}

bool vd_template_write(enum vd_template kind, const vd_setting *settings, size_t count, vd_diag *d, vd_buf *out) {
  vd_arena *arena = vd_arena_create();
  const vd_schema *numbers = vd_templates[kind].numbers;
  void *given = vd_arena_alloc(arena, numbers->size);
  vd_template_page *page = vd_arena_alloc(arena, sizeof *page);
  vd_node *root;
  int source = vd_diag_add_source(d, "--template", "{}", 2);
  bool good = vd_schema_read_source(numbers, source, settings, count, arena, d, given, &root);
  page->arena = arena;
  page->d = d;
  page->given = good ? root : NULL;
  vd_buf lines = {0};
  good = good && vd_templates[kind].make(given, page) && vd_page_write(page, vd_templates[kind].file, &lines);
  if (good) {
    write_head(kind, settings, count, page->remark, out);
    vd_buf_add(out, lines.text, lines.length);
  }
  vd_buf_finish(&lines);
  vd_arena_destroy(arena);
  return good;
}
