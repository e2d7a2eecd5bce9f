/* Numbers from and to text: strict, locale-free, exact. */
#ifndef VD_NUM_H
#define VD_NUM_H

#include <stdbool.h>
#include <stddef.h>

enum { VD_NUM_MAX = 32 }; /* bytes that any of the printers may write, NUL included */

/* Reads a decimal number at the start of text[0..length): sign, digits, point, exponent. No hex, no
 * inf, no nan, no blanks before it. Sets *used to the bytes read (0: no number there) and *value to
 * the nearest double; false if there is none or if it overflows to infinity (*used is then > 0). */
bool vd_num_parse(const char *text, size_t length, double *value, size_t *used);

/* Reads up to three numbers with ':' between them; returns how many, or 0 if the text has another form. */
int vd_num_parse_range(const char *text, double number[3]);

/* Writes the bytes of printf("%.9g") and a NUL, several times faster than printf. Returns the length. */
int vd_num_print9(double value, char *out);

/* The bytes of printf("%.1f"), several times faster up to 1e6: coordinates of pictures. */
int vd_num_print_tenths(double value, char *out);

/* The shortest decimal that reads back to the same double, in the style of %g with as many digits, 15 at least. */
int vd_num_print_shortest(double value, char *out);

#endif
