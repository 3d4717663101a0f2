#include "app/files/tokenizer_file.h"

#include <filesystem>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

constexpr const char* kFileName = "tokenizer.json";

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

}  // namespace

Expected<std::string> tokenizer_path(const std::string& name) {
  const std::string path = full_path(name);
  if (is_folder(path)) {
    const std::string inside = (std::filesystem::path(path) / kFileName).string();
    if (!is_missing(inside)) return inside;
    return fail(ErrorKind::kIo, "the folder " + path + " contains no " + kFileName);
  }
  if (!is_missing(path)) return path;
  const bool plain_name = name.find('/') == name.npos && !name.empty() && name != "..";
  const std::string built_in =
      (std::filesystem::path(assets_folder()) / "tokenizers" / name / kFileName).string();
  if (plain_name && !is_missing(built_in)) return built_in;
  return fail(ErrorKind::kIo, "there is no file, folder or built-in tokenizer " + in_quotes(name));
}

Expected<tokenizer::Tokenizer> open_tokenizer(const std::string& name) {
  const auto path = tokenizer_path(name);
  if (!path) return tl::make_unexpected(path.error());
  const auto bytes = read_bytes(*path, tokenizer::kLargestTokenizer);
  if (!bytes) return tl::make_unexpected(bytes.error());
  auto opened = tokenizer::read_tokenizer(*bytes);
  if (!opened) return fail(opened.error().kind, *path + ": " + opened.error().message);
  return opened;
}

}  // namespace lab::files
