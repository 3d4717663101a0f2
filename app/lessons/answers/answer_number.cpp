#include "app/lessons/answers/answer_number.h"

#include "app/lessons/answers/answer.h"

namespace lab::lessons {

std::string answer_number(const Question& question, double value) {
  constexpr int kLeast = 4, kMost = 12;
  const double apart = tolerance_of(question, value) / 2;
  int decimals = kLeast;
  for (double step = 1e-4; step > apart && decimals < kMost; step /= 10) ++decimals;
  return plain_number(value, decimals);
}

}  // namespace lab::lessons
