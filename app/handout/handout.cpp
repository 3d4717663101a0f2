#include "app/handout/handout.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/base/unicode_text.h"
#include "app/base/wording.h"
#include "app/embedded_session/session_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_folder.h"
#include "app/files/model/model_list.h"
#include "app/files/model/weights/adapter.h"
#include "app/files/open.h"
#include "app/handout/packed.h"
#include "app/handout/page_file.h"

namespace lab::handout {
namespace {

namespace fs = std::filesystem;

// What the folder of a model holds and no reader of models asks for.
bool is_beside_the_model(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with('.') || name == "scores.json" || file.extension() == ".md";
}

std::vector<fs::path> files_of_model(const fs::path& model) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::is_directory(model, error)) return {model};
  fs::directory_iterator at(model, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code none;
    if (at->is_regular_file(none) && !is_beside_the_model(at->path())) files.push_back(at->path());
  }
  return files;
}

std::string megabytes(std::uintmax_t bytes) {
  return grouped(static_cast<attention::Index>((bytes + 999'999) / 1'000'000)) + " MB";
}

Expected<void> check_size(const std::string& name, const std::vector<fs::path>& files) {
  std::uintmax_t size = 0;
  for (const fs::path& file : files) {
    std::error_code error;
    const std::uintmax_t one = fs::file_size(file, error);
    if (!error) size += one;
  }
  if (size <= kMostGiven) return {};
  return fail(ErrorType::kBadInput, "the model " + in_quotes(name) + " has " + megabytes(size) +
                                        "; a page brings along models of up to " +
                                        megabytes(kMostGiven));
}

// Without a slash at its end.
fs::path whole_path(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// What a session of the page is called there.
const std::string kSessionPath = std::string(kGivenFolder) + "/session.json";

// Text that is read at once rather than unpacked.
bool is_short_text(std::string_view bytes) { return bytes.size() <= 100'000 && is_utf8(bytes); }

bool carries_models(std::string_view page) {
  return page.find(R"(<script type="text/plain" id="models-data">)") != page.npos;
}

nlohmann::ordered_json given_json(const Handout& given) {
  nlohmann::ordered_json texts = nlohmann::ordered_json::object(), packs = texts;
  for (const auto& [path, bytes] : given.files) {
    if (is_short_text(bytes)) {
      texts[path] = bytes;
    } else {
      packs[path] = base64(packed(bytes, Packing::kGzip));
    }
  }
  nlohmann::ordered_json json;
  if (!given.lesson.empty()) json["path"] = given.lesson;
  if (!given.session.empty()) json["path"] = kSessionPath;
  if (given.language) json["language"] = language_name(*given.language);
  json["texts"] = std::move(texts);
  if (!packs.empty()) json["packed"] = std::move(packs);
  return json;
}

std::string given_element(const Handout& given) {
  // A name of a file may be no UTF-8.
  const std::string json =
      given_json(given).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return R"(<script type="application/json" id="given-data">)" +
         embedded_session::json_in_html(json) + "</script>\n";
}

fs::path folder_of_built_in() { return whole_path(files::assets_folder()) / "models"; }

// The path of `model` among the built-in ones; empty for others.
std::string built_in_path(const fs::path& model) {
  const fs::path inside = model.lexically_relative(folder_of_built_in());
  return inside.empty() || *inside.begin() == ".." ? std::string() : inside.generic_string();
}

// Reads the files of a model into the folder `place` of the page.
Expected<void> add_files(Handout& given, const std::vector<fs::path>& files,
                         const std::string& place) {
  for (const fs::path& file : files) {
    auto bytes = files::read_bytes(file.string(), kMostGiven);
    if (!bytes) return tl::make_unexpected(bytes.error());
    given.files[place + "/" + file.filename().string()] = std::move(*bytes);
  }
  return {};
}

std::string place_named(const std::string& name) { return std::string(kModelsFolder) + "/" + name; }

Expected<void> add_built_in_models(Handout& given) {
  for (const std::string& name : given.built_in_models) {
    auto added = add_files(given, files_of_model(folder_of_built_in() / name), place_named(name));
    if (!added) return added;
  }
  return {};
}

Expected<void> check_size(const Handout& given) {
  std::size_t size = 0;
  for (const auto& [path, bytes] : given.files) size += bytes.size();
  if (size <= kMostGiven) return {};
  return fail(ErrorType::kBadInput, "the files of the page have " + megabytes(size) +
                                        "; it can bring along up to " + megabytes(kMostGiven));
}

}  // namespace

Expected<std::string> page_with(std::string_view page, const Handout& given) {
  const std::size_t at = page.find(kPageAssets);
  if (at == std::string_view::npos)
    return fail(ErrorType::kBadInput, "this is not the page that computes");
  Handout whole = given;
  if (!carries_models(page)) {
    if (auto added = add_built_in_models(whole); !added) return tl::make_unexpected(added.error());
  }
  if (auto fits = check_size(whole); !fits) return tl::make_unexpected(fits.error());
  std::string result(page.substr(0, at));
  result += embedded_session::html_session(whole.session);
  if (!whole.is_empty()) result += given_element(whole);
  return result += page.substr(at);
}

Expected<std::string> add_model(Handout& given, const std::string& name) {
  auto found = files::model_folder(name);
  if (!found) return found;
  if (files::is_adapter_folder(*found))
    return fail(ErrorType::kBadInput,
                in_quotes(name) +
                    " is an adapter, which changes another model; a page brings along whole ones");
  const fs::path model = whole_path(*found);
  std::error_code none;
  const bool is_folder = fs::is_directory(model, none);
  const std::string inside = built_in_path(model);
  if (!inside.empty() && is_folder) {  // Pages have no GGUF files of their own.
    given.built_in_models.insert(fs::path(inside).begin()->string());
    return std::string(kModelsFolder) + "/" + inside;
  }
  const fs::path called = fs::path(files::name_of_model(model.string())).filename();
  const std::string own_name = (is_folder ? called : called.stem()).string();
  if (inside.empty() && fs::exists(folder_of_built_in() / own_name, none))
    return fail(ErrorType::kBadInput, "the model " + in_quotes(name) +
                                          " is named like a built-in one; rename its folder");
  const std::vector<fs::path> files = files_of_model(model);
  if (auto fits = check_size(name, files); !fits) return tl::make_unexpected(fits.error());
  const std::string place = place_named(own_name);
  if (auto added = add_files(given, files, place); !added)
    return tl::make_unexpected(added.error());
  return is_folder ? place : place + "/" + model.filename().string();
}

}  // namespace lab::handout
