#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// The texts of the interface in the language of the window. The key of a text is its English form:
// a whole sentence with placeholders for what is inserted into it. assets/languages holds one table
// per language.
//
// Where one English text needs two translations, the key ends in "##" and a word that tells them
// apart, which is never shown: "Open##the menu".

namespace lab {

/// The languages of the window.
enum class Language { kEnglish, kGerman };
inline constexpr std::array kLanguages{Language::kEnglish, Language::kGerman};

/// The code of the language, "en" or "de", as in settings, on the command line and in the name of
/// its table.
std::string_view language_name(Language language);
/// The language with that code, or nothing.
std::optional<Language> language_from_name(std::string_view name);
/// The name of the language in the language itself: "English", "Deutsch".
std::string_view native_name(Language language);

/// The language of the whole process, as with a locale; English until it is set.
Language language();

/// Sets the language of the whole process and loads its table, such as languages/de.json in the
/// folder `assets`. Returns an empty text or, when the table cannot be used, the reason; every text
/// is English then. Other threads may look up texts at the same time.
std::string set_language(Language to, const std::string& assets);

/// The translation of `english` into the language of the process; `english` itself where the table
/// lacks it.
std::string tr(std::string_view english);
/// The same with `arguments` inserted: "{}" takes the next one, "{0}", "{1}" … the one with that
/// number, so that a translation may reorder them. Arguments are not translated.
std::string tr(std::string_view english, std::initializer_list<std::string_view> arguments);
/// Translates `one` if `count` is 1, else `many`, with the count as the first argument:
/// tr_count("{} head", "{} heads", 3) is "3 heads".
std::string tr_count(std::string_view one, std::string_view many, long count,
                     std::initializer_list<std::string_view> further = {});

/// True if `english` is the key of a text of the window, as listed by languages/en.json in the
/// folder `assets`. False for all when there is no such table.
bool is_text_of_window(std::string_view english, const std::string& assets);

/// Marks a text in a table for translation; it is passed to tr() where it is shown. Returns it
/// unchanged.
constexpr const char* tr_later(const char* english) { return english; }

}  // namespace lab
