#include "app/files/io/paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace lab::files {
namespace {

// Endings of files that are read or written here but are not sessions.
bool is_of_another_type(std::string_view ending) {
  constexpr std::array<std::string_view, 12> kOthers{".png",  ".svg",  ".pdf",         ".tex",
                                                     ".html", ".webp", ".gif",         ".csv",
                                                     ".npy",  ".npz",  ".safetensors", ".jsonl"};
  return std::ranges::find(kOthers, ending) != kOthers.end();
}

// Empty when it is not set.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

bool is_missing(const std::string& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() ==
         std::filesystem::file_type::not_found;
}

std::string full_path(const std::string& typed) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || !typed.starts_with("~/")) return typed;
  return home + typed.substr(1);
}

std::string user_path(const char* variable, const char* default_value, const char* name) {
  std::filesystem::path folder = environment(variable);
  if (!folder.is_absolute()) folder = std::filesystem::path(environment("HOME")) / default_value;
  return folder.is_absolute() ? (folder / "attention-lab" / name).string() : std::string();
}

std::string with_ending(const std::string& path, std::string_view ending) {
  const std::string own = ending_of(path);
  const bool has_one = own == ".json" || is_of_another_type(own);
  return has_one ? path : path + std::string(ending);
}

std::string numbered_path(const std::string& path, std::size_t number) {
  const std::filesystem::path whole(path);
  const std::string name = whole.stem().string() + "-" + std::to_string(number);
  return (whole.parent_path() / (name + whole.extension().string())).string();
}

Expected<void> check_session_path(const std::string& path) {
  const std::string ending = ending_of(path);
  if (!is_of_another_type(ending)) return {};
  return fail(ErrorType::kUsage,
              "a session is a .json, but this name ends in " + ending + "; choose another");
}

bool is_problem_ending(std::string_view ending) {
  return ending == ".safetensors" || ending == ".npz";
}

Expected<void> check_document_path(const std::string& path) {
  return is_problem_ending(ending_of(path)) ? Expected<void>() : check_session_path(path);
}

}  // namespace lab::files
