#include "core/training/task_types.h"

namespace attention::training {
namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::string_view kPairs[] = {"()", "[]", "{}", "<>"};
constexpr std::size_t kDeepest = 8;

std::vector<std::string> bracket_tokens(Index types) {
  std::vector<std::string> tokens;
  for (Index type = 0; type < types; ++type)
    for (const char bracket : kPairs[type]) tokens.emplace_back(1, bracket);
  tokens.emplace_back("·");
  return tokens;
}

// Brackets of kind k have the ids 2k and 2k + 1; the last token says that none is open.
class BracketsTask : public Task {
 public:
  explicit BracketsTask(const TaskOptions& options)
      : Task(bracket_tokens(options.vocabulary), options.length, false) {}

  // A bracket that closes none is passed over.
  Ids answers(const Ids& ids) const override {
    Ids result, open;
    for (const std::uint32_t id : ids) {
      const bool opens = id % 2 == 0 && id != none_open();
      if (opens) open.push_back(id + 1);
      if (!open.empty() && !opens && id == open.back()) open.pop_back();
      result.push_back(open.empty() ? none_open() : open.back());
    }
    return result;
  }

 protected:
  Ids draw(std::uint64_t seed) const override {
    PortableRandom random(seed);
    Ids ids, open;
    while (std::ssize(ids) < length()) {
      const bool opens = open.empty() || (open.size() < kDeepest && random_id(2, random) == 0);
      if (opens) {
        ids.push_back(2 * random_id(vocabulary() / 2, random));
        open.push_back(ids.back() + 1);
      } else {
        ids.push_back(open.back());
        open.pop_back();
      }
    }
    return ids;
  }

 private:
  std::uint32_t none_open() const { return static_cast<std::uint32_t>(vocabulary() - 1); }
};

}  // namespace

std::shared_ptr<const Task> make_brackets_task(const TaskOptions& options) {
  return std::make_shared<BracketsTask>(options);
}

}  // namespace attention::training
