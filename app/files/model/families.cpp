#include "app/files/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {

// Each is defined in its file in families/.
std::span<const Family> bert_families(), deberta_families(), modernbert_families(), gpt_families(),
    bloom_families(), opt_families(), llama_families(), mistral_families(), qwen_families(),
    glm_families(), gpt_oss_families(), lfm2_families(), deepseek_families(), olmo_families(),
    cohere_families(), phi_families(), stablelm_families(), gemma_families(), gemma4_families(),
    bart_families(), t5_families();

namespace {

std::vector<Family> all_families() {
  std::vector<Family> all;
  for (const auto list :
       {bert_families,    deberta_families,  modernbert_families, gpt_families,    bloom_families,
        opt_families,     llama_families,    mistral_families,    qwen_families,   glm_families,
        gpt_oss_families, lfm2_families,     deepseek_families,   olmo_families,   cohere_families,
        phi_families,     stablelm_families, gemma_families,      gemma4_families, bart_families,
        t5_families})
    for (const Family& family : list()) all.push_back(family);
  return all;
}

}  // namespace

std::span<const Family> families() {
  static const std::vector<Family> kAll = all_families();
  return kAll;
}

namespace {

const Family* find_family(const std::string& type) {
  const auto at =
      std::ranges::find(families(), type, [](const Family& f) { return std::string(f.type); });
  return at == families().end() ? nullptr : &*at;
}

std::string supported_types() {
  std::string list;
  for (const Family& family : families())
    list += (list.empty() ? "" : ", ") + std::string(family.type);
  return list;
}

void check_sizes(const ConfigReader& config, const Description& d) {
  if (d.head_dim < 1) config.refuse("num_attention_heads", "more heads than features");
  if (d.n_heads % d.n_kv_heads != 0)
    config.refuse("num_key_value_heads", std::to_string(d.n_kv_heads) + " does not divide " +
                                             std::to_string(d.n_heads) + " heads");
  if (!(std::abs(d.score_cap) < 1e30f) || !(std::abs(d.logit_cap) < 1e30f))
    config.refuse("final_logit_softcapping", "is no number");
}

// The members of the file with what their second spellings say, which the reference takes for
// assignments after the others.
nlohmann::json with_aliases(const Family& family, const nlohmann::json& file,
                            std::vector<std::string>& notes) {
  nlohmann::json members = file;
  for (const ConfigAlias& alias : family.aliases) {
    if (alias.spelling == nullptr) continue;
    const auto other = file.find(alias.spelling);
    const auto own = file.find(alias.member);
    if (other == file.end()) continue;
    if (alias.if_missing && own != file.end() && !own->is_null()) continue;
    if (!alias.if_missing && own != file.end() && *own != *other)
      notes.push_back(std::string(alias.spelling) + " and " + alias.member +
                      " differ: the first counts");
    members[alias.member] = *other;
  }
  return members;
}

// The members of text_config in the configuration of a model that also reads images or sound, of
// which only the part that reads text is opened. What is said outside it of the end of a text and
// of the read-out counts, as in the reference.
nlohmann::json text_part(const ConfigReader& config, std::vector<std::string>& notes) {
  const auto text = config.object("text_config");
  nlohmann::json members = text ? text->value() : nlohmann::json::object();
  for (const char* name : {"eos_token_id", "tie_word_embeddings"})
    if (const nlohmann::json* outside = config.find(name)) members[name] = *outside;
  if (!config.has("tie_word_embeddings")) members.erase("tie_word_embeddings");
  notes.emplace_back(
      "only the part that reads text (text_config) is opened; images and sound cannot be given");
  return members;
}

// eos_token_id: an id, a list of them, or nothing.
std::vector<std::uint32_t> ends_of_texts(const nlohmann::json& file) {
  std::vector<std::uint32_t> ends;
  const auto at = file.find("eos_token_id");
  if (at == file.end()) return ends;
  const auto add = [&](const nlohmann::json& id) {
    if (id.is_number_unsigned() && id.get<std::uint64_t>() <= UINT32_MAX)
      ends.push_back(id.get<std::uint32_t>());
  };
  if (!at->is_array()) add(*at);
  for (const nlohmann::json& id : at->is_array() ? *at : nlohmann::json::array()) add(id);
  return ends;
}

}  // namespace

Description read_description(const nlohmann::json& file) {
  const ConfigReader config(file);
  Description d;
  if (!config.has("model_type")) config.refuse("model_type", "is missing");
  d.family = config.text_or("model_type", "");
  const Family* const family = find_family(d.family);
  if (family == nullptr)
    config.refuse("model_type",
                  in_quotes(d.family) + " is not supported; supported are " + supported_types());
  const std::vector<std::string> architectures = config.texts("architectures");
  if (!architectures.empty()) d.architecture = architectures.front();
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.has("decoder_start_token_id"))
    d.decoder_start = static_cast<std::uint32_t>(config.count_or("decoder_start_token_id", 0));
  const nlohmann::json of_text = family->has_text_part ? text_part(config, d.notes) : file;
  d.ends = ends_of_texts(of_text);
  const nlohmann::json members = with_aliases(*family, of_text, d.notes);
  family->describe(ConfigReader(members), d);
  if (d.causal && config.has("is_causal") && !config.flag_or("is_causal", true))
    config.refuse("is_causal", "only true is supported");
  if (d.d_embedding == 0) d.d_embedding = d.d_model;
  check_sizes(config, d);
  return d;
}

const Family& family_of(const Description& description) { return *find_family(description.family); }

const ModelNames& names_of(const Description& description) {
  return description.names != nullptr ? *description.names : family_of(description).names;
}

}  // namespace lab::files
