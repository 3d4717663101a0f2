#include "app/cli/batch/write_sentences.h"

#include <algorithm>
#include <filesystem>

#include "app/files/io/paths.h"

namespace lab::cli {
namespace {

std::string output_of_sentence(const std::string& output, bool folder, std::size_t number) {
  if (!folder) return files::numbered_path(output, number);
  return (std::filesystem::path(output) / ("sentence-" + std::to_string(number))).string();
}

}  // namespace

Expected<void> write_sentences(const std::vector<std::string>& outputs, bool folders,
                               std::size_t count, const WriteSentence& write) {
  if (std::ranges::find(outputs, "-") != outputs.end())
    return fail(ErrorKind::kUsage, "--sentence all writes a file for each sentence; -o - is one");
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    std::vector<std::string> own;
    own.reserve(outputs.size());
    for (const std::string& output : outputs) own.push_back(output_of_sentence(output, folders, i));
    if (auto written = write(number, std::move(own)); !written)
      return fail(written.error().kind, "sentence " + number + ": " + written.error().message);
  }
  return {};
}

}  // namespace lab::cli
