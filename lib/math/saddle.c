#include "math/saddle.h"

#include "math/lu.h"

#include <assert.h>

/* In scaled equations coordinates have stiffnesses near 1, and constraints the length 1: the weight suffices for bodies
 * that constraints alone support, and costs three of sixteen digits. */
static const double weight = 1e3;

/* The first column of the block of four that contains column i. Numbers of a row left of its diagonal are not used. */
VD_INLINE size_t block_of(size_t i) {
  return i & ~(size_t)3;
}

/* to -= factor from, from the block of column i on. */
VD_INLINE void less_from(double factor, const double *from, size_t i, size_t width, double *to) {
  for (size_t j = block_of(i); j < width; j += 4)
    vd_wide_store(vd_wide_load(to + j) - factor * vd_wide_load(from + j), to + j);
}

VD_INLINE bool factorise(const double *matrix, size_t pitch, size_t coordinates, size_t size, size_t width,
                         const double *scale, double singular, double *factors) {
  double largest = 0.0, smallest = INFINITY, zero = 0.0;
  for (size_t i = 0; i < size; i++) {
    double *row = factors + i * width;
    vd_wide_store((vd_wide){0.0}, row + width - 4); /* the numbers from `size' on are zeros */
    zero += vd_scaled_row(matrix + i * pitch, i < coordinates ? block_of(i) : 0, size, scale[i], scale, row);
  }
  if (zero != 0.0)
    return false;
  for (size_t r = coordinates; r < size; r++) {
    const double *slope = factors + r * width;
    for (size_t i = 0; i < coordinates; i++)
      if (slope[i] != 0.0)
        less_from(-weight * slope[i], slope, i, VD_SADDLE_PITCH(coordinates), factors + i * width);
  }
  for (size_t k = 0; k < size; k++) {
    const double *row = factors + k * width, pivot = k < coordinates ? row[k] : -row[k], share = 1.0 / row[k];
    if (!(pivot > 0.0))
      return false;
    largest = pivot > largest ? pivot : largest;
    smallest = pivot < smallest ? pivot : smallest;
    for (size_t i = k + 1; i < size; i++)
      if (row[i] != 0.0)
        less_from(share * row[i], row, i, width, factors + i * width);
  }
  return smallest > singular * largest;
}

/* Rows of the usual lengths are constants for the compiler, which then unrolls the loops over them. */
VD_WIDE bool vd_saddle_factorise(const double *matrix, size_t pitch, size_t coordinates, size_t size,
                                 const double *scale, double singular, double *factors) {
  const size_t width = VD_SADDLE_PITCH(size);
  switch (width) {
  case 12: return factorise(matrix, pitch, coordinates, size, 12, scale, singular, factors);
  case 16: return factorise(matrix, pitch, coordinates, size, 16, scale, singular, factors);
  case 20: return factorise(matrix, pitch, coordinates, size, 20, scale, singular, factors);
  default: return factorise(matrix, pitch, coordinates, size, width, scale, singular, factors);
  }
}

VD_WIDE void vd_saddle_solve(const double *factors, size_t coordinates, size_t size, double *x) {
  const size_t width = VD_SADDLE_PITCH(size);
  double value[VD_SADDLE_CONSTRAINTS]; /* of the constraints */
  assert(size - coordinates <= VD_SADDLE_CONSTRAINTS);
  for (size_t r = coordinates; r < size; r++)
    value[r - coordinates] = x[r];
  for (size_t k = 0; k < size; k++) {
    const double *row = factors + k * width;
    vd_row_less(x[k] / row[k], row + k + 1, size - k - 1, x + k + 1);
  }
  for (size_t k = size; k-- > 0;) {
    const double *row = factors + k * width;
    x[k] = (x[k] - vd_inner(row + k + 1, x + k + 1, size - k - 1)) / row[k];
  }
  for (size_t r = coordinates; r < size; r++)
    x[r] += weight * value[r - coordinates];
}

/* With A = L D L' the product is Y' D^-1 Y, Y = L^-1 X. */
VD_INLINE void find_product(const double *factors, size_t size, size_t count, double *x, double *product) {
  const size_t width = VD_SADDLE_PITCH(size);
  memset(product, 0, count * count * sizeof *product);
  for (size_t k = 0; k < size; k++) {
    const double *row = factors + k * width, *own = x + k * count, share = 1.0 / row[k];
    for (size_t i = k + 1; i < size; i++)
      if (row[i] != 0.0)
        less_from(share * row[i], own, 0, count, x + i * count);
    for (size_t i = 0; i < count; i++)
      less_from(-share * own[i], own, i, count, product + i * count);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      product[i * count + j] = product[j * count + i];
}

VD_WIDE void vd_saddle_product(const double *factors, size_t size, size_t count, double *x, double *product) {
  if (count == 8)
    find_product(factors, size, 8, x, product);
  else
    find_product(factors, size, count, x, product);
}
