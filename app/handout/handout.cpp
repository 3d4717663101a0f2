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

// A built-in model keeps its place, where its name finds it.
std::string place_of_model(const fs::path& model) {
  std::error_code error;
  const fs::path built_in = fs::absolute(fs::path(files::assets_folder()) / "models", error);
  const fs::path inside = model.lexically_relative(built_in.lexically_normal());
  if (!inside.empty() && *inside.begin() != "..") return "/assets/models/" + inside.string();
  return std::string(kGivenFolder) + "/models/" + files::name_of_model(model.string());
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

nlohmann::ordered_json given_json(const Handout& given, bool with_built_in) {
  nlohmann::ordered_json texts = nlohmann::ordered_json::object(), packs = texts;
  for (const auto& [path, bytes] : given.files) {
    if (!with_built_in && path.starts_with("/assets/")) continue;
    if (is_short_text(bytes)) {
      texts[path] = bytes;
    } else {
      packs[path] = base64(packed(bytes, Packing::kGzip));
    }
  }
  nlohmann::ordered_json json;
  json["path"] = given.lesson.empty() ? kSessionPath : given.lesson;
  if (given.language) json["language"] = language_name(*given.language);
  json["texts"] = std::move(texts);
  if (!packs.empty()) json["packed"] = std::move(packs);
  return json;
}

std::string given_element(const Handout& given, bool with_built_in) {
  // A name of a file may be no UTF-8.
  const std::string json =
      given_json(given, with_built_in)
          .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return R"(<script type="application/json" id="given-data">)" +
         embedded_session::json_in_html(json) + "</script>\n";
}

}  // namespace

Expected<std::string> page_with(std::string_view page, const Handout& given) {
  std::size_t size = 0;
  for (const auto& [path, bytes] : given.files) size += bytes.size();
  if (size > kMostGiven)
    return fail(ErrorType::kBadInput, "the files of the page have " + megabytes(size) +
                                          "; it can bring along up to " + megabytes(kMostGiven));
  const std::size_t at = page.find(kPageAssets);
  if (at == std::string_view::npos)
    return fail(ErrorType::kBadInput, "this is not the page that computes");
  std::string result(page.substr(0, at));
  result += embedded_session::html_session(given.session);
  if (!given.is_empty()) result += given_element(given, !carries_models(page));
  result += page.substr(at);
  return result;
}

Expected<std::string> add_model(Handout& given, const std::string& name) {
  const auto found = files::model_folder(name);
  if (!found) return found;
  if (files::is_adapter_folder(*found))
    return fail(ErrorType::kBadInput,
                in_quotes(name) +
                    " is an adapter, which changes another model; a page brings along whole ones");
  const fs::path model = whole_path(*found);
  const std::vector<fs::path> files = files_of_model(model);
  if (auto fits = check_size(name, files); !fits) return tl::make_unexpected(fits.error());
  const std::string place = place_of_model(model);
  std::error_code none;
  const bool is_folder = fs::is_directory(model, none);
  for (const fs::path& file : files) {
    auto bytes = files::read_bytes(file.string(), kMostGiven);
    if (!bytes) return bytes;
    given.files[is_folder ? place + "/" + file.filename().string() : place] = std::move(*bytes);
  }
  return place;
}

}  // namespace lab::handout
