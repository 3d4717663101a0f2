#include "app/hub/repository.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/base/strings.h"

namespace lab::hub {
namespace {

bool is_plain(std::string_view part) {
  const auto allowed = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !part.empty() && std::ranges::all_of(part, allowed) && part.find("..") == part.npos &&
         part.front() != '.' && part.front() != '-';
}

// A path inside a repository that stays there.
bool is_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != path.npos) return false;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

bool is_checksum(std::string_view digits) {
  return (digits.size() == 40 || digits.size() == 64) &&
         digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

// The size in bytes; −1 when it is none that files have.
std::int64_t size_in(const nlohmann::json& object) {
  constexpr std::uint64_t kLargest = std::uint64_t{1}
                                     << 44U;  // so that sums of them are numbers too
  const nlohmann::json& size = object.at("size");
  const bool known = size.is_number_unsigned() && size.get<std::uint64_t>() <= kLargest;
  return known ? size.get<std::int64_t>() : -1;
}

HubFile file_of(const nlohmann::json& item) {
  HubFile file;
  file.path = item.at("rfilename").get<std::string>();
  const auto lfs = item.find("lfs");
  const bool large = lfs != item.end() && lfs->is_object();
  file.size = size_in(large ? *lfs : item);
  file.checksum =
      large ? lfs->at("sha256").get<std::string>() : item.at("blobId").get<std::string>();
  if (!is_inside(file.path)) throw BadInput("a file is called " + in_quotes(file.path));
  if (file.size < 0 || !is_checksum(file.checksum))
    throw BadInput(in_quotes(file.path) + " has no size or checksum");
  return file;
}

using Files = std::vector<HubFile>;

// The name of a GGUF file without the number of its part: the same for all its parts.
std::string without_part(const std::string& path) {
  constexpr std::size_t kPart = std::string_view("-00001-of-00003.gguf").size();
  const bool part = path.size() > kPart && path.substr(path.size() - 14, 4) == "-of-" &&
                    path[path.size() - kPart] == '-';
  return part ? path.substr(0, path.size() - kPart) : path;
}

tl::unexpected<Error> choose_one(const std::set<std::string>& names) {
  constexpr std::size_t kMostNamed = 24;
  std::string list;
  std::size_t named = 0;
  for (const std::string& name : names) {
    if (named++ == kMostNamed) {
      list += " and " + std::to_string(names.size() - kMostNamed) + " more";
      break;
    }
    list += (list.empty() ? "" : ", ") + in_quotes(name);
  }
  return fail(
      ErrorType::kBadInput,
      "the repository holds several models; name one after a colon, or a part of its name: " +
          list);
}

Expected<Files> gguf_files(const Files& all, const std::string& part_of_name) {
  std::set<std::string> names;
  for (const HubFile& file : all) {
    const bool fits = lower_ascii(file.path).find(lower_ascii(part_of_name)) != std::string::npos;
    if (file.path.ends_with(".gguf") && fits) names.insert(without_part(file.path));
  }
  if (names.size() > 1) return choose_one(names);
  Files files;
  for (const HubFile& file : all)
    if (!names.empty() && file.path.ends_with(".gguf") && without_part(file.path) == *names.begin())
      files.push_back(file);
  return files;
}

// Configuration, tokenizer and weights in the repository's own folder.
Files transformers_files(const Files& all) {
  constexpr std::array kNames = {"config.json",
                                 "generation_config.json",
                                 "tokenizer.json",
                                 "tokenizer_config.json",
                                 "special_tokens_map.json",
                                 "added_tokens.json",
                                 "vocab.json",
                                 "vocab.txt",
                                 "merges.txt",
                                 "tokenizer.model",
                                 "spiece.model",
                                 "spm.model",
                                 "sentencepiece.model",
                                 "sentencepiece.bpe.model",
                                 "source.spm",
                                 "target.spm",
                                 "chat_template.jinja",
                                 "model.safetensors",
                                 "model.safetensors.index.json"};
  Files files;
  const bool sharded = std::ranges::none_of(
      all, [](const HubFile& file) { return file.path == "model.safetensors"; });
  const bool safetensors = std::ranges::any_of(all, [](const HubFile& file) {
    return file.path.starts_with("model") && file.path.ends_with(".safetensors") &&
           file.path.find('/') == std::string::npos;
  });
  for (const HubFile& file : all) {
    const bool named = std::ranges::find(kNames, file.path) != kNames.end();
    const bool shard = sharded && file.path.starts_with("model-") &&
                       file.path.ends_with(".safetensors") && file.path.find('/') == file.path.npos;
    const bool pickled = !safetensors && file.path.starts_with("pytorch_model") &&
                         (file.path.ends_with(".bin") || file.path.ends_with(".bin.index.json"));
    if (named || shard || pickled) files.push_back(file);
  }
  return files;
}

bool has(const Files& files, const std::string& ending) {
  return std::ranges::any_of(files,
                             [&](const HubFile& file) { return file.path.ends_with(ending); });
}

// A LoRA adapter in the repository's own folder; its base is another repository.
Files adapter_files(const Files& all) {
  constexpr std::array kNames = {"adapter_config.json", "adapter_model.safetensors",
                                 "adapter_model.bin"};
  Files files;
  for (const HubFile& file : all)
    if (std::ranges::find(kNames, file.path) != kNames.end()) files.push_back(file);
  if (has(files, ".safetensors"))
    std::erase_if(files, [](const HubFile& file) { return file.path.ends_with(".bin"); });
  return files;
}

}  // namespace

Expected<RepositoryName> parse_repository(std::string_view typed) {
  RepositoryName name;
  const std::size_t colon = std::min(typed.find(':'), typed.size());
  if (colon < typed.size()) name.file = typed.substr(colon + 1);
  std::string_view rest = typed.substr(0, colon);
  const std::size_t at = std::min(rest.find('@'), rest.size());
  if (at < rest.size()) name.revision = rest.substr(at + 1);
  rest = rest.substr(0, at);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const bool revision = is_inside(name.revision) && name.revision.find('%') == std::string::npos;
  const bool file = colon == typed.size() || is_inside(name.file);
  if (slash == rest.size() || !is_plain(rest.substr(0, slash)) ||
      !is_plain(rest.substr(slash + 1)) || !revision || !file)
    return fail(ErrorType::kUsage,
                in_quotes(typed) +
                    " is neither in the catalogue nor the name of a repository; such a name is "
                    "org/name, org/name@revision or org/name:file");
  name.name = rest;
  return name;
}

Expected<Repository> parse_repository_answer(std::string_view text) {
  return guarded([&] {
    Repository repository;
    try {
      const nlohmann::json answer = parse_json(text);
      repository.commit = answer.at("sha").get<std::string>();
      if (const auto card = answer.find("cardData"); card != answer.end() && card->is_object())
        if (const auto licence = card->find("license");
            licence != card->end() && licence->is_string())
          repository.licence = *licence;
      for (const nlohmann::json& item : answer.at("siblings"))
        repository.files.push_back(file_of(item));
    } catch (const nlohmann::json::exception&) {
      throw BadInput("the hub's answer is not that of a repository");
    }
    if (repository.commit.size() != 40 || !is_checksum(repository.commit))
      throw BadInput("the hub's answer names no commit");
    return repository;
  });
}

Expected<std::vector<HubFile>> files_of_model(const Repository& repository,
                                              const std::string& part_of_name) {
  const Files& all = repository.files;
  const Files folder = transformers_files(all);
  const bool opens =
      has(folder, "config.json") && (has(folder, ".safetensors") || has(folder, ".bin"));
  if (part_of_name.empty() && opens) return folder;
  const Files adapter = adapter_files(all);
  if (part_of_name.empty() && has(adapter, ".json") && adapter.size() > 1) return adapter;
  auto files = gguf_files(all, part_of_name);
  if (!files || !files->empty()) return files;
  if (!part_of_name.empty())
    return fail(ErrorType::kBadInput, "the repository has no GGUF file whose name has " +
                                          in_quotes(part_of_name) + " in it");
  return fail(ErrorType::kBadInput,
              "the repository has neither a config.json with weights, nor an adapter, nor a GGUF "
              "file");
}

}  // namespace lab::hub
