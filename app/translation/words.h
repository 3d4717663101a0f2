#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// The interface's own words, in the language of the window. The key of a text is the text in
// English, whole sentences with places for what goes into them; assets/languages holds one table
// for each language.
//
// Where one English text needs two translations, the key carries what tells them apart behind
// "##", which is never shown: "Open##the menu".

namespace lab {

/// The languages that the window speaks.
enum class Language { kEnglish, kGerman };
inline constexpr std::array kLanguages{Language::kEnglish, Language::kGerman};

/// "en", "de": as settings and the command line have it, and as its table is called.
std::string_view language_name(Language language);
/// The language of that name, or nothing.
std::optional<Language> language_from_name(std::string_view name);
/// What its speakers call it: "English", "Deutsch".
std::string_view own_name(Language language);

/// The language of the whole process, as a locale is; English until it is set.
Language language();

/// Makes `to` the language of the whole process, with the table languages/de.json in the folder
/// `assets`. Returns why that table cannot be used, after which every text is English; empty when
/// it can. Any thread may ask for words meanwhile.
std::string set_language(Language to, const std::string& assets);

/// `english` in the language of the process; itself where that lacks it.
std::string tr(std::string_view english);
/// The same with `arguments` in its places: "{}" takes the next one, "{0}", "{1}" … that of the
/// number, so that a translation may turn them round. Arguments are taken as they are.
std::string tr(std::string_view english, std::initializer_list<std::string_view> arguments);
/// `one` where `count` is 1, else `many`, with the count as its first argument:
/// tr_count("{} head", "{} heads", 3) is "3 heads".
std::string tr_count(std::string_view one, std::string_view many, long count,
                     std::initializer_list<std::string_view> further = {});

/// Marks a text in a table, which tr is given where it is shown; returns it as it is.
constexpr const char* tr_later(const char* english) { return english; }

}  // namespace lab
