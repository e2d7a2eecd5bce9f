/* Pictures of findings as inline SVG, in the colours of the page's style. */
#ifndef VD_PLOT_H
#define VD_PLOT_H

#include "validation/finding.h"

void vd_plot_picture(const vd_picture *p, vd_buf *out);
/* One that may take the width of a screen. */
void vd_plot_broad(const vd_picture *p, vd_buf *out);

/* A bar for the used share of the tolerance, with a mark at the whole tolerance. */
void vd_plot_residual(double share, enum vd_finding_verdict verdict, vd_buf *out);

#endif
