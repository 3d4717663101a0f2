#include <algorithm>
#include <numeric>

#include "core/training/task_types.h"

namespace attention::training {
namespace {

using Ids = std::vector<std::uint32_t>;

class RepeatTask : public Task {
 public:
  explicit RepeatTask(const TaskOptions& options)
      : Task(letters(options.vocabulary), options.length, true),
        shortest_(options.shortest_period),
        longest_(options.longest_period) {}

  // What came one period ago, for the shortest period that fits all ids so far and has begun again.
  Ids answers(const Ids& ids) const override {
    Ids result(ids.size(), kNoTarget);
    std::vector<Index> periods(static_cast<std::size_t>(longest_ - shortest_ + 1));
    std::iota(periods.begin(), periods.end(), shortest_);
    for (Index i = 0; i < std::ssize(ids); ++i) {
      const auto at = [&](Index place) { return ids[static_cast<std::size_t>(place)]; };
      std::erase_if(periods, [&](Index p) { return i >= p && at(i) != at(i - p); });
      if (!periods.empty() && periods.front() <= i)
        result[static_cast<std::size_t>(i)] = at(i + 1 - periods.front());
    }
    return result;
  }

 protected:
  Ids draw(std::uint64_t seed) const override {
    PortableRandom random(seed);
    const auto period =
        static_cast<std::size_t>(shortest_ + random_id(longest_ - shortest_ + 1, random));
    Ids ids(static_cast<std::size_t>(length()) + 1);
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = i < period ? random_id(vocabulary(), random) : ids[i - period];
    return ids;
  }

 private:
  Index shortest_, longest_;
};

class CopyTask : public Task {
 public:
  CopyTask(const TaskOptions& options, Index distance)
      : Task(letters(options.vocabulary), options.length, false),
        distance_(static_cast<std::size_t>(distance)) {}

  Ids answers(const Ids& ids) const override {
    Ids result(ids.size(), kNoTarget);
    for (std::size_t i = distance_; i < ids.size(); ++i) result[i] = ids[i - distance_];
    return result;
  }

 protected:
  Ids draw(std::uint64_t seed) const override {
    PortableRandom random(seed);
    Ids ids(static_cast<std::size_t>(length()));
    for (std::uint32_t& id : ids) id = random_id(vocabulary(), random);
    return ids;
  }

 private:
  std::size_t distance_;
};

std::vector<std::string> letters_and_bar(Index count) {
  std::vector<std::string> tokens = letters(count);
  tokens.emplace_back("|");
  return tokens;
}

class SortTask : public Task {
 public:
  explicit SortTask(const TaskOptions& options)
      : Task(letters_and_bar(options.vocabulary), options.length, true) {}

  Ids answers(const Ids& ids) const override {
    Ids result(ids.size(), kNoTarget);
    const auto bar = std::ranges::find(ids, bar_id());
    Ids sorted(ids.begin(), bar);
    std::ranges::sort(sorted);
    for (std::size_t i = sorted.size(); i < std::min(ids.size(), 2 * sorted.size()); ++i)
      result[i] = sorted[i - sorted.size()];
    return result;
  }

 protected:
  // An odd length leaves one token, which begins the next sequence.
  Ids draw(std::uint64_t seed) const override {
    PortableRandom random(seed);
    const auto count = static_cast<std::size_t>(length() / 2);
    Ids ids(count);
    for (std::uint32_t& id : ids) id = random_id(vocabulary() - 1, random);
    Ids sorted = ids;
    std::ranges::sort(sorted);
    ids.push_back(bar_id());
    ids.insert(ids.end(), sorted.begin(), sorted.end());
    if (length() % 2 != 0) ids.push_back(random_id(vocabulary() - 1, random));
    return ids;
  }

 private:
  std::uint32_t bar_id() const { return static_cast<std::uint32_t>(vocabulary() - 1); }
};

}  // namespace

std::vector<std::string> letters(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i)
    result.emplace_back(1, static_cast<char>(i < 26 ? 'a' + i : 'A' + (i - 26)));
  return result;
}

std::shared_ptr<const Task> make_repeat_task(const TaskOptions& options) {
  return std::make_shared<RepeatTask>(options);
}

std::shared_ptr<const Task> make_copy_task(const TaskOptions& options, Index distance) {
  return std::make_shared<CopyTask>(options, distance);
}

std::shared_ptr<const Task> make_sort_task(const TaskOptions& options) {
  return std::make_shared<SortTask>(options);
}

}  // namespace attention::training
