#include "app/files/import/csv.h"

#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// A table that is accepted reads back as it is written.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const auto table = read_csv(input);
  if (!table) return must(!table.error().message.empty());
  must(table->size() > 0);
  const auto again = read_csv(write_csv(*table, {}, {}));
  must(again.has_value() && again->rows() == table->rows() && again->cols() == table->cols());
  const auto numbers = [](const attention::Matrix& matrix) {
    return std::vector<float>(matrix.data(), matrix.data() + matrix.size());
  };
  must(same_numbers(numbers(*again), numbers(*table)));
}

}  // namespace lab::fuzz
