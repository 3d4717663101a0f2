#include "app/handout/desk.h"

#include <glib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/figure/html/html_parts.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_folder.h"
#include "app/handout/page_file.h"
#include "app/handout/session_handout.h"
#include "app/lessons/reading/lesson_reader.h"

namespace lab::handout {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kListAddress = "/files/";
constexpr std::size_t kBeginningOfFile = 4096;  // bytes by which files are recognised
constexpr std::size_t kLargestCompanion = 4'000'000;

// Files that are built beside the page, and their types.
struct Companion {
  std::string_view name, type;
};
constexpr std::array kCompanions = std::to_array<Companion>({
    {"manifest.webmanifest", "application/manifest+json"},
    {"service-worker.js", "text/javascript; charset=utf-8"},
    {"icon.svg", "image/svg+xml"},
    {"icon-192.png", "image/png"},
    {"icon-512.png", "image/png"},
});

constexpr std::string_view kListStyle =
    ":root{color-scheme:light dark}body{margin:2rem auto;max-width:44rem;padding:0 1rem;"
    "font:16px/1.5 system-ui,sans-serif}li{margin:.3rem 0}a{display:inline-block;padding:.4rem 0;"
    "overflow-wrap:anywhere}small{opacity:.75}";

constexpr std::string_view kToThePage = "<p><a href=\"/\">To the page</a></p>\n";

// "session" and so on; empty for what a page cannot open.
std::string_view kind_of(const fs::directory_entry& entry) {
  std::error_code error;
  const std::string path = entry.path().string();
  if (entry.is_directory(error)) return files::is_model_path(path) ? "model" : "";
  const auto start = files::read_beginning(path, kBeginningOfFile);
  if (!start) return {};
  if (lessons::looks_like_lesson(*start)) return "lesson";
  switch (files::file_type(*start)) {
    case files::FileType::kSession:
    case files::FileType::kModelSession:
      return "session";
    case files::FileType::kFigure:
      return "figure";
    case files::FileType::kGguf:
      return "model";
    default:
      return {};
  }
}

std::string in_address(const std::string& name) {
  const std::unique_ptr<char, decltype(&g_free)> text(
      g_uri_escape_string(name.c_str(), nullptr, FALSE), &g_free);
  return text.get();
}

Reply page_of_text(unsigned status, const std::string& title, const std::string& body) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>" +
      figure::escaped_html(title) + "</title>\n<style>" + std::string(kListStyle) +
      "</style>\n</head>\n<body>\n<h1>" + figure::escaped_html(title) + "</h1>\n" + body +
      "</body>\n</html>\n";
  return {status, std::string(kHtml), std::move(html),
          "default-src 'none'; style-src '" + figure::policy_hash(kListStyle) +
              "'; base-uri 'none'; form-action 'none'"};
}

Reply sentence(unsigned status, const std::string& text) {
  return page_of_text(status, "Attention Lab",
                      "<p>" + figure::escaped_html(text) + "</p>\n" + std::string(kToThePage));
}

Reply companion(const Companion& one) {
  const auto page = page_file();
  if (!page) return sentence(404, page.error().message);
  const fs::path path = fs::path(*page).parent_path() / one.name;
  auto bytes = files::read_bytes(path.string(), kLargestCompanion);
  if (!bytes) return sentence(404, "There is nothing at this address.");
  return {200, std::string(one.type), std::move(*bytes)};
}

}  // namespace

Expected<Desk> Desk::open(std::string page, const Handout& given, std::string folder) {
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    return fail(ErrorType::kIo, "there is no folder " + in_quotes(folder));
  auto first = page_with(page, given);
  if (!first) return tl::make_unexpected(first.error());
  return Desk(std::move(page), std::move(*first), std::move(folder));
}

std::vector<Openable> Desk::openables() const {
  std::vector<Openable> found;
  if (folder_.empty()) return found;
  std::error_code error;
  fs::directory_iterator at(folder_, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.starts_with('.') || !is_utf8(name)) continue;
    if (const std::string_view kind = kind_of(*at); !kind.empty())
      found.push_back({std::move(name), kind});
  }
  std::ranges::sort(found, {}, &Openable::name);
  return found;
}

Reply Desk::answer(std::string_view path) const {
  if (!path.starts_with('/')) return sentence(404, "There is nothing at this address.");
  if (path == "/") return {200, std::string(kHtml), first_};
  for (const Companion& one : kCompanions)
    if (path.substr(1) == one.name) return companion(one);
  if (folder_.empty() || !path.starts_with(kListAddress))
    return sentence(404, "There is nothing at this address.");
  const std::string_view name = path.substr(kListAddress.size());
  return name.empty() ? list() : page_of(name);
}

Reply Desk::list() const {
  std::string items;
  for (const auto& [name, kind] : openables())
    items += "<li><a href=\"" + in_address(name) + "\">" + figure::escaped_html(name) +
             "</a> <small>" + std::string(kind) + "</small></li>\n";
  const std::string nothing = "<p>There are no sessions, lessons or models in this folder.</p>\n";
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(folder_, error);
  return page_of_text(
      200, folder.filename().string(),
      (items.empty() ? nothing : "<ul>\n" + items + "</ul>\n") + std::string(kToThePage));
}

Reply Desk::page_of(std::string_view name) const {
  const std::vector<Openable> known = openables();
  const auto at = std::ranges::find(known, name, &Openable::name);
  if (at == known.end()) return sentence(404, "There is nothing at this address.");
  const std::string path = (fs::path(folder_) / at->name).string();
  auto page =
      handout_of(path).and_then([this](const Handout& given) { return page_with(page_, given); });
  if (!page) return sentence(422, page.error().message);
  return {200, std::string(kHtml), std::move(*page)};
}

}  // namespace lab::handout
