/* Pictures of findings as inline SVG; their colours are those of the page's style. */
#ifndef VD_PLOT_H
#define VD_PLOT_H

#include "validation/finding.h"

void vd_plot_picture(const vd_picture *p, vd_buf *out);

/* A bar for the share of the tolerance that is used up, with a mark where all of it is. */
void vd_plot_residual(double share, enum vd_finding_verdict verdict, vd_buf *out);

#endif
