#include "app/files/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/open.h"
#include "app/files/tokenizer/tokenizer_parts.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "tokenizer.json";

// What tokenizers were kept in before there was tokenizer.json.
constexpr std::array kOtherFiles = {
    "vocab.txt",  "vocab.json", "merges.txt", "tokenizer.model",         "spiece.model",
    "source.spm", "target.spm", "spm.model",  "sentencepiece.bpe.model", "sentencepiece.model"};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_plain_name(const std::string& name) {
  return name.find('/') == name.npos && !name.empty() && name != "." && name != "..";
}

fs::path built_in_folder() { return fs::path(assets_folder()) / "tokenizers"; }

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The name of the built-in tokenizer whose file that is, however the path is spelt; empty: none.
std::string built_in_name(const std::string& path) {
  std::error_code none;
  const fs::path folder = fs::weakly_canonical(path, none).parent_path();
  const bool built_in = !none && fs::equivalent(folder.parent_path(), built_in_folder(), none);
  return built_in && fs::path(path).filename() == kFileName ? folder.filename().string() : "";
}

// The name by which a document opens the tokenizer again: that of a built-in one, or a path.
std::string lasting_name(const std::string& name, const std::string& path) {
  if (std::string built_in = built_in_name(path); !built_in.empty()) return built_in;
  std::error_code none;  // the path that was opened is good enough
  const fs::path absolute = fs::absolute(full_path(name), none).lexically_normal();
  if (none) return path;
  return absolute.has_filename() ? absolute.string() : absolute.parent_path().string();
}

Expected<tokenizer::Tokenizer> tokenizer_in_gguf(const std::string& path,
                                                 attention::WorkWatch* watch) {
  std::vector<std::string> notes;
  const auto found = read_gguf_tokenizer(path, notes);
  if (!found) return fail(found.error().type, path + ": " + found.error().message);
  if (found->is_null()) return fail(ErrorType::kBadInput, path + " has no tokenizer");
  auto opened = tokenizer::read_tokenizer(found->dump(), watch);
  if (!opened) return fail(opened.error().type, path + ": " + opened.error().message);
  return opened;
}

// The tokenizer of older files in a folder; nothing when there are none.
Expected<std::optional<tokenizer::Tokenizer>> tokenizer_of_older_files(const std::string& folder,
                                                                       attention::WorkWatch* watch,
                                                                       bool of_target = false) {
  const auto found = tokenizer_of_parts(folder, of_target);
  if (!found) return fail(found.error().type, in_quotes(folder) + ": " + found.error().message);
  if (found->is_null()) return std::nullopt;
  auto opened = tokenizer::read_tokenizer(found->dump(), watch);
  if (!opened) return fail(opened.error().type, in_quotes(folder) + ": " + opened.error().message);
  return std::optional(std::move(*opened));
}

}  // namespace

Expected<std::shared_ptr<const tokenizer::Tokenizer>> tokenizer_in(const std::string& folder,
                                                                   attention::WorkWatch* watch) {
  const auto shared = [](tokenizer::Tokenizer&& opened) {
    return std::make_shared<const tokenizer::Tokenizer>(std::move(opened));
  };
  if (!is_missing((fs::path(folder) / kFileName).string()))
    return open_tokenizer(folder, watch).map(shared);
  auto older = tokenizer_of_older_files(folder, watch);
  if (!older) return tl::make_unexpected(older.error());
  return *older ? shared(std::move(**older)) : nullptr;
}

Expected<std::shared_ptr<const tokenizer::Tokenizer>> target_tokenizer_in(
    const std::string& folder, attention::WorkWatch* watch) {
  std::shared_ptr<const tokenizer::Tokenizer> none;
  if (!is_missing((fs::path(folder) / kFileName).string())) return none;
  auto older = tokenizer_of_older_files(folder, watch, true);
  if (!older) return tl::make_unexpected(older.error());
  if (!*older) return none;
  return std::make_shared<const tokenizer::Tokenizer>(std::move(**older));
}

std::string no_tokenizer_in(const std::string& folder) {
  std::string found;
  for (const char* name : kOtherFiles)
    if (!is_missing((fs::path(folder) / name).string()))
      found += (found.empty() ? "" : ", ") + std::string(name);
  std::string none = "there is no tokenizer.json in " + in_quotes(folder);
  if (found.empty()) return none;
  const std::string quoted = nlohmann::json(folder).dump();
  return none + ", but " + found +
         ", of which transformers makes one, in Python: "
         "transformers.AutoTokenizer.from_pretrained(" +
         quoted + ").save_pretrained(" + quoted + ")";
}

Expected<std::string> tokenizer_path(const std::string& name) {
  const std::string path = full_path(name);
  if (is_folder(path)) {
    const std::string inside = (fs::path(path) / kFileName).string();
    if (!is_missing(inside)) return inside;
    return fail(ErrorType::kIo, no_tokenizer_in(path));
  }
  if (!is_missing(path)) return path;
  const std::string built_in = (built_in_folder() / name / kFileName).string();
  if (is_plain_name(name) && !is_missing(built_in)) return built_in;
  return fail(ErrorType::kIo, "there is no file, folder or built-in tokenizer " + in_quotes(name));
}

Expected<tokenizer::Tokenizer> open_tokenizer(const std::string& name,
                                              attention::WorkWatch* watch) {
  const std::string folder = full_path(name);
  if (is_folder(folder) && is_missing((fs::path(folder) / kFileName).string())) {
    auto older = tokenizer_of_older_files(folder, watch);
    if (!older) return tl::make_unexpected(older.error());
    if (*older) return std::move(**older);
  }
  const auto path = tokenizer_path(name);
  if (!path) return tl::make_unexpected(path.error());
  if (is_gguf_file(*path)) return tokenizer_in_gguf(*path, watch);
  const auto bytes = read_bytes(*path, tokenizer::kLargestTokenizer, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (const FileType type = file_type(*bytes); file_format(type).weights)
    return fail(ErrorType::kBadInput, *path + ": " + refusal(type).message);
  auto opened = tokenizer::read_tokenizer(*bytes, watch);
  if (!opened) return fail(opened.error().type, *path + ": " + opened.error().message);
  return opened;
}

Expected<NamedTokenizer> open_named_tokenizer(const std::string& name) {
  const auto path = tokenizer_path(name);
  if (!path) return tl::make_unexpected(path.error());
  if (!is_regular_file(*path)) return fail(ErrorType::kBadInput, *path + " is not a file");
  auto opened = open_tokenizer(*path);
  if (!opened) return tl::make_unexpected(opened.error());
  return NamedTokenizer{lasting_name(name, *path),
                        std::make_shared<const tokenizer::Tokenizer>(*std::move(opened))};
}

Expected<Command> read_command(std::string_view line) {
  auto command = command_from_json_line(line);
  auto* split = command ? std::get_if<SetTokenMode>(&*command) : nullptr;
  if (split == nullptr || split->tokenizer.name.empty()) return command;
  auto opened = open_named_tokenizer(split->tokenizer.name);
  if (!opened) return tl::make_unexpected(opened.error());
  split->tokenizer = *std::move(opened);
  return command;
}

std::vector<std::string> built_in_tokenizers() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(built_in_folder(), ignored))
    if (!is_missing((entry.path() / kFileName).string()))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace lab::files
