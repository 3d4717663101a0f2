#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lab {

/// The sizes of a model of GPT-2's type.
struct Gpt2Sizes {
  std::int64_t layers = 12, d_model = 768, heads = 12, vocabulary = 50257, positions = 1024;

  /// "12x768x12": layers, d_model and heads.
  std::string name() const;
};

/// A folder with a model of these sizes and random weights, for benchmarks; it is removed at the
/// end.
class RandomGpt2 {
 public:
  explicit RandomGpt2(const Gpt2Sizes& sizes);
  ~RandomGpt2() { std::filesystem::remove_all(path_); }
  RandomGpt2(const RandomGpt2&) = delete;
  RandomGpt2& operator=(const RandomGpt2&) = delete;

  std::string path() const { return path_.string(); }
  /// The path of `name` in the folder.
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Memory of the process that is no part of a file, in MB.
double own_megabytes();

}  // namespace lab
