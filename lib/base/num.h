/* Numbers from and to text: strict, locale-free, exact. */
#ifndef VD_NUM_H
#define VD_NUM_H

#include <stdbool.h>
#include <stddef.h>

enum { VD_NUM_MAX = 32 }; /* bytes that any of the printers may write, NUL included */

/* Reads a decimal number at the start of text[0..length): sign, digits, point, exponent. Hexadecimal numbers, inf, nan
 * and blanks before the number are not accepted. *used: number of bytes read, 0 if there is no number. *value: the
 * nearest double. Returns false if there is no number, or if it overflows to infinity (then *used > 0). */
bool vd_num_parse(const char *text, size_t length, double *value, size_t *used);

/* Reads one to three numbers with ':' between them. Returns their count, or 0 if the text has another form. */
int vd_num_parse_range(const char *text, double number[3]);

/* Writes the bytes of printf("%.9g") and a NUL, several times faster than printf. Returns the length. */
int vd_num_print9(double value, char *out);

/* Writes the bytes of printf("%.1f"), up to 1e6 several times faster than printf, for coordinates of pictures. */
int vd_num_print_tenths(double value, char *out);

/* Writes the shortest decimal that reads back to the same double, in the style of %g, with a precision of 15, 16 or 17
 * digits. */
int vd_num_print_shortest(double value, char *out);

#endif
