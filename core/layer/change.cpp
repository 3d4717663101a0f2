#include "core/layer/change.h"

#include <algorithm>
#include <cstring>

namespace attention {
namespace {

bool same_row(const Matrix& a, const Matrix& b, Index row) {
  const size_t bytes = static_cast<size_t>(a.cols()) * sizeof(float);
  return std::memcmp(a.data() + row * a.cols(), b.data() + row * a.cols(), bytes) == 0;
}

Change span(const Change& a, const Change& b) {
  const Index first = std::min(a.first, b.first);
  return {a.type, first, std::max(a.first + a.count, b.first + b.count) - first};
}

}  // namespace

CellBlock cells_of(const Change& change, Shape shape) {
  if (change.is_rows()) return {change.first, 0, change.count, shape.cols};
  if (change.is_columns()) return {0, change.first, shape.rows, change.count};
  return {0, 0, shape.rows, shape.cols};
}

Change either(const Change& a, const Change& b) {
  if (a.is_none()) return b;
  if (b.is_none()) return a;
  return a.type == b.type && !a.is_whole() ? span(a, b) : Change::whole();
}

Change simplified(const Change& change, Shape shape) {
  const Index all = change.is_rows() ? shape.rows : shape.cols;
  const bool most = !change.is_none() && 2 * change.count > all;
  return most ? Change::whole() : change;
}

Change changed_rows(const SharedMatrix& before, const SharedMatrix& now) {
  if (before.same_as(now)) return {};
  if (before.shape() != now.shape()) return Change::whole();
  const Matrix &a = *before, &b = *now;
  Index first = 0, end = a.rows();
  while (first < end && same_row(a, b, first)) ++first;
  while (end > first && same_row(a, b, end - 1)) --end;
  return first == end ? Change{} : Change::rows(first, end - first);
}

Change changed_columns(const SharedMatrix& before, const SharedMatrix& now) {
  const Change rows = changed_rows(before, now);
  if (!rows.is_rows()) return rows;
  const Matrix &a = *before, &b = *now;
  Index first = a.cols(), end = 0;
  for (Index i = rows.first; i < rows.first + rows.count; ++i) {
    for (Index j = 0; j < first; ++j) {
      if (!same_bits(a(i, j), b(i, j))) first = j;
    }
    for (Index j = a.cols() - 1; j >= end; --j) {
      if (!same_bits(a(i, j), b(i, j))) end = j + 1;
    }
  }
  return Change::columns(first, end - first);
}

}  // namespace attention
