#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Members of requests. Each throws BadInput with a sentence when the member has another type; null
// is the same as a member that is missing.

namespace lab::connection {

/// The object that the JSON of a frame is. Throws BadInput when it is something else.
nlohmann::json read_object(std::string_view json);

/// A text that must be there, and one that is `otherwise` when it is missing.
std::string text_member(const nlohmann::json& request, const char* name);
/// The text of that name, `otherwise` when it is missing. Throws BadInput when it is no text.
std::string text_member(const nlohmann::json& request, const char* name,
                        const std::string& otherwise);
/// An integer, `otherwise` when it is missing.
std::int64_t integer_member(const nlohmann::json& request, const char* name,
                            std::int64_t otherwise);
/// True or false; false when it is missing.
bool flag_member(const nlohmann::json& request, const char* name);
/// Texts of all sentences, or lists of them, one for each sentence.
using TextLists = std::vector<std::vector<std::string>>;
/// A list of texts, which is returned as the only list, or a list of such lists, of at most `most`
/// texts each; nothing when it is missing.
std::optional<TextLists> text_lists_member(const nlohmann::json& request, const char* name,
                                           std::size_t most);

}  // namespace lab::connection
