#include "app/handout/session_link.h"

#include <algorithm>
#include <optional>

#include "app/base/byte_text.h"
#include "app/handout/packed.h"

namespace lab::handout {
namespace {

constexpr std::string_view kMember = "session=";

// What follows "session=" in the fragment; nullopt without one.
std::optional<std::string_view> member_of(std::string_view link) {
  const std::size_t hash = link.find('#');
  if (hash == link.npos) return std::nullopt;
  for (std::string_view rest = link.substr(hash + 1); !rest.empty();) {
    const std::string_view member = rest.substr(0, rest.find('&'));
    if (member.starts_with(kMember)) return member.substr(kMember.size());
    rest.remove_prefix(std::min(member.size() + 1, rest.size()));
  }
  return std::nullopt;
}

}  // namespace

std::string session_fragment(std::string_view session) {
  std::string text = base64(packed(session, Packing::kRawDeflate));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return "#" + std::string(kMember) + text;
}

bool is_session_link(std::string_view text) { return member_of(text).has_value(); }

Expected<std::string> session_of_link(std::string_view link) {
  const Error damaged{ErrorType::kBadInput,
                      "the session in this link is damaged: the link may have been cut"};
  std::string text(member_of(link).value_or(std::string_view()));
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  while (text.size() % 4 != 0) text += '=';
  const auto bytes = from_base64(text);
  if (!bytes) return tl::make_unexpected(damaged);
  auto session = unpacked(*bytes, Packing::kRawDeflate, kLargestLinkedSession);
  if (!session) return tl::make_unexpected(damaged);
  return session;
}

}  // namespace lab::handout
