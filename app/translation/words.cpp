#include "app/translation/words.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

namespace lab {
namespace {

struct Hash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming)
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using Table = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;

constexpr std::array<std::string_view, kLanguages.size()> kNames{"en", "de"};
constexpr std::array<std::string_view, kLanguages.size()> kNativeNames{"English", "Deutsch"};

std::size_t index_of(Language language) { return static_cast<std::size_t>(language); }

// Tables are never freed, because any thread may be reading one.
std::vector<std::unique_ptr<const Table>> tables;
std::mutex reading;
std::atomic<const Table*> words{nullptr};  // null: English
std::atomic<Language> current{Language::kEnglish};

std::filesystem::path table_path(Language language, const std::string& assets) {
  return std::filesystem::path(assets) / "languages" /
         (std::string(kNames[index_of(language)]) + ".json");
}

std::unique_ptr<const Table> read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  const auto object = nlohmann::json::parse(file, nullptr, false);
  if (!object.is_object()) return nullptr;
  Table table;
  for (const auto& [english, own] : object.items()) {
    if (!own.is_string()) return nullptr;
    table.emplace(english, own.get<std::string>());
  }
  return std::make_unique<const Table>(std::move(table));
}

std::string_view shown(std::string_view key) { return key.substr(0, key.find("##")); }

std::string_view words_of(std::string_view english) {
  if (const Table* table = words.load(std::memory_order_acquire)) {
    const auto found = table->find(english);
    if (found != table->end()) return found->second;
  }
  return shown(english);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

using Arguments = std::vector<std::string_view>;

// Inserts the arguments into `text`. A placeholder without an argument is left as it is.
std::string filled(std::string_view text, const Arguments& arguments) {
  std::string result;
  std::size_t next = 0;
  while (!text.empty()) {
    const bool plain = text.starts_with("{}");
    const bool numbered =
        !plain && text.size() > 2 && text[0] == '{' && is_digit(text[1]) && text[2] == '}';
    const std::size_t which = plain      ? next++
                              : numbered ? static_cast<std::size_t>(text[1] - '0')
                                         : arguments.size();
    const bool place = which < arguments.size();
    const std::size_t used = !place ? 1 : plain ? 2 : 3;
    result += place ? arguments[which] : text.substr(0, 1);
    text.remove_prefix(used);
  }
  return result;
}

}  // namespace

std::string_view language_name(Language language) { return kNames[index_of(language)]; }

std::optional<Language> language_from_name(std::string_view name) {
  for (const Language language : kLanguages)
    if (language_name(language) == name) return language;
  return std::nullopt;
}

std::string_view native_name(Language language) { return kNativeNames[index_of(language)]; }

Language language() { return current; }

std::string set_language(Language to, const std::string& assets) {
  const std::lock_guard lock(reading);
  current = to;
  words = nullptr;
  if (to == Language::kEnglish) return {};
  const std::filesystem::path path = table_path(to, assets);
  auto table = read_table(path);
  if (!table) return path.string() + " is missing or is no table of words: the window is English";
  words = tables.emplace_back(std::move(table)).get();
  return {};
}

bool is_text_of_window(std::string_view english, const std::string& assets) {
  const auto table = read_table(table_path(Language::kEnglish, assets));
  return table && table->contains(std::string(english));
}

std::string tr(std::string_view english) { return std::string(words_of(english)); }

std::string tr(std::string_view english, std::initializer_list<std::string_view> arguments) {
  return filled(words_of(english), arguments);
}

std::string tr_count(std::string_view one, std::string_view many, long count,
                     std::initializer_list<std::string_view> further) {
  const std::string number = std::to_string(count);
  Arguments arguments{number};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return filled(words_of(count == 1 ? one : many), arguments);
}

}  // namespace lab
