#include "app/tokenizer/model/vocabulary.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace lab::tokenizer {

void Vocabulary::reserve(std::size_t count) {
  ids_.reserve(count);
  by_id_.reserve(count);
}

bool Vocabulary::add(std::string_view text, std::uint32_t id) {
  if (id >= by_id_.size()) by_id_.resize(id + std::size_t{1});
  const auto known = ids_.find(text);
  if (known != ids_.end()) {
    known->second = id;
    by_id_[id] = known->first;
    return false;
  }
  // One byte more, so that the text of an empty piece is not null.
  auto* const bytes = static_cast<char*>(texts_->allocate(text.size() + 1, 1));
  if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
  by_id_[id] = {bytes, text.size()};
  ids_.emplace(by_id_[id], id);
  return true;
}

std::optional<std::uint32_t> Vocabulary::id_of(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> Vocabulary::text_of(std::uint32_t id) const {
  if (id >= by_id_.size() || by_id_[id].data() == nullptr) return std::nullopt;
  return by_id_[id];
}

std::vector<std::optional<std::uint32_t>> byte_ids(const Vocabulary& vocabulary) {
  std::vector<std::optional<std::uint32_t>> ids;
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::array<char, 8> name{};
    std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
    ids.push_back(vocabulary.id_of(name.data()));
  }
  return ids;
}

}  // namespace lab::tokenizer
