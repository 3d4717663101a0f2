#include "app/document/recent_steps.h"

#include <atomic>

namespace lab {
namespace {

// Written by the thread of the window, and read in the handler of a signal, which sees a step that
// is being written with the length 0.
struct Step {
  std::atomic<const char*> text = nullptr;
  std::atomic<std::size_t> length = 0;
};

std::array<Step, kRecentSteps> steps_kept;
std::atomic<std::size_t> steps_noted = 0;

}  // namespace

void note_step(std::string_view name) {
  if (name.empty()) return;
  const std::size_t count = steps_noted.load();
  if (count > 0 && steps_kept[(count - 1) % kRecentSteps].text.load() == name.data()) return;
  Step& step = steps_kept[count % kRecentSteps];
  step.length = 0;
  step.text = name.data();
  step.length = name.size();
  steps_noted = count + 1;
}

std::array<std::string_view, kRecentSteps> recent_steps() {
  std::array<std::string_view, kRecentSteps> steps{};
  const std::size_t count = steps_noted.load();
  const std::size_t first = count < kRecentSteps ? 0 : count - kRecentSteps;
  for (std::size_t i = first; i < count; ++i) {
    const Step& step = steps_kept[i % kRecentSteps];
    steps[i - first] = {step.text.load(), step.length.load()};
  }
  return steps;
}

}  // namespace lab
