/* Templates: files of a car, a tyre, a suspension or a scenario, made from few numbers by stated rules of thumb. */
#ifndef VD_TEMPLATE_H
#define VD_TEMPLATE_H

#include "input/diag.h"

enum vd_template { VD_TEMPLATE_CAR, VD_TEMPLATE_TYRE, VD_TEMPLATE_SUSPENSION, VD_TEMPLATE_SCENARIO, VD_TEMPLATES };

struct vd_setting;

struct vd_template_page;

typedef struct vd_template_info {
  const char *key;
  /* schemas of the template's numbers and of the file that the template makes */
  const struct vd_schema *numbers, *file;
  bool (*make)(const void *numbers, struct vd_template_page *page); /* false after errors */
  const char *use;                                                  /* how the file is used */
} vd_template_info;

extern const vd_template_info vd_templates[VD_TEMPLATES];

/* Writes the file that is made from the numbers, as YAML with comments. The lists `estimates` of the file name the
 * estimated values. settings: numbers that replace the defaults. False after errors, which are all in d. */
bool vd_template_write(enum vd_template kind, const struct vd_setting *settings, size_t count, vd_diag *d, vd_buf *out);

#endif
