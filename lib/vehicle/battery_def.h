/* The keys of a battery. */
#ifndef VD_BATTERY_DEF_H
#define VD_BATTERY_DEF_H

#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "vehicle/battery.h"

enum vd_battery_type { VD_BATTERY_NONE, VD_BATTERY_RESISTANCE };

typedef struct vd_battery_def {
  int type;                           /* enum vd_battery_type */
  double capacity, charge;            /* A s, - */
  vd_points open_voltage, resistance; /* V, ohm over the state of charge */
  double max_discharge, max_charge;   /* A; auto: not limited */
  double min_voltage, max_voltage;    /* V; auto: not limited */
  double auxiliaries;                 /* W */
} vd_battery_def;

extern const struct vd_schema vd_battery_schema;

/* Checks rules across keys; path: the battery's key in root. */
void vd_battery_check(const vd_battery_def *b, const vd_node *root, const char *path, vd_diag *d);

/* Checks points over the charge, which reach from 0 to 1; rises: values must not fall. */
void vd_charge_curve_check(const vd_points *p, const char *key, bool rises, const vd_node *root, const char *path,
                           vd_diag *d);

void vd_battery_build(const vd_battery_def *def, vd_battery *b);

#endif
