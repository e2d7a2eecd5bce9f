/* Text, numbers and pages of HTML. */
#ifndef VD_HTML_H
#define VD_HTML_H

#include "base/text.h"

#include <stdbool.h>

/* Escapes text for content and attributes; control characters, also line ends, become blanks, bytes that are not UTF-8
 * the replacement character. */
void vd_html_text(vd_buf *out, const char *text);

/* Escapes text as vd_html_text does, but keeps the ends of lines. */
void vd_html_lines(vd_buf *out, const char *text);

/* Writes a number with as many digits as the resolution needs (resolution 0: four digits), at least three and at most
 * nine: "−1.25×10⁻⁸". Pictures in SVG use it, too. */
void vd_html_number(vd_buf *out, double value, double resolution);
/* Whether the text is a unit to be shown: not "1", and not "SI", which means an unknown unit. */
bool vd_html_has_unit(const char *unit);
/* Writes a unit like "m/s²"; writes nothing if the unit is not to be shown. */
void vd_html_unit(vd_buf *out, const char *unit);
/* Returns a value in the unit that engineers commonly use instead of an SI unit, and this unit. */
double vd_html_customary(double value, const char **unit);
/* Writes a number, a narrow blank and the unit. */
void vd_html_quantity(vd_buf *out, double value, double resolution, const char *unit);
/* Writes the exponent of a power of ten in superscript digits: "⁻⁸". */
void vd_html_superscript(vd_buf *out, int exponent);

/* The first lines of every page, by which a file is recognised as a page of these programs. */
#define VD_HTML_START                                                                                                  \
  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"vdsim-"

/* Write the head of a page with the style, and the end of the page. tool: name of the program without "vdsim-". */
void vd_html_begin(vd_buf *out, const char *tool, const char *title);
void vd_html_end(vd_buf *out);
/* Writes the part of the style that applies to pictures, in light colours, for a picture in a file of its own. */
void vd_html_picture_style(vd_buf *out);

#endif
