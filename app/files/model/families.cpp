#include "app/files/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {
namespace {

const std::array kFamilies = {
    Family{"bert", "BERT", describe_bert, kBertNames},
    Family{"roberta", "RoBERTa", describe_roberta, kRobertaNames},
    Family{"distilbert",
           "DistilBERT",
           describe_distilbert,
           kDistilBertNames,
           {{{"hidden_size", "dim"},
             {"num_attention_heads", "n_heads"},
             {"num_hidden_layers", "n_layers"}}}},
    Family{"gpt2",
           "GPT-2",
           describe_gpt2,
           kGpt2Names,
           {{{"hidden_size", "n_embd"},
             {"max_position_embeddings", "n_positions"},
             {"num_attention_heads", "n_head"},
             {"num_hidden_layers", "n_layer"}}}},
    Family{"gpt_neo",
           "GPT-Neo",
           describe_gpt_neo,
           kGptNeoNames,
           {{{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}}}},
    Family{"gpt_neox", "GPT-NeoX", describe_gpt_neox, kGptNeoxNames},
    Family{"opt", "OPT", describe_opt, kOptNames},
    Family{"llama", "Llama", describe_llama, kLlamaNames},
    Family{"mistral", "Mistral", describe_mistral, kLlamaNames},
    Family{"qwen2", "Qwen2", describe_qwen2, kLlamaNames},
    Family{"qwen3", "Qwen3", describe_qwen3, kLlamaNames},
    Family{"gemma2", "Gemma 2", describe_gemma2, kGemmaNames},
    Family{"gemma3_text", "Gemma 3", describe_gemma3, kGemmaNames},
    Family{"bart",
           "BART",
           describe_bart,
           kBartNames,
           {{{"num_attention_heads", "encoder_attention_heads"},
             {"hidden_size", "d_model"},
             {"num_hidden_layers", "encoder_layers"}}}},
    Family{"marian",
           "Marian",
           describe_marian,
           kMarianNames,
           {{{"num_attention_heads", "encoder_attention_heads"},
             {"hidden_size", "d_model"},
             {"num_hidden_layers", "encoder_layers"}}}},
    Family{"t5",
           "T5",
           describe_t5,
           kT5Names,
           {{{"num_layers", "num_decoder_layers", true},
             {"hidden_size", "d_model"},
             {"num_attention_heads", "num_heads"},
             {"num_hidden_layers", "num_layers"},
             {"head_dim", "d_kv"}}}},
};

const Family* find_family(const std::string& type) {
  const auto at =
      std::ranges::find(kFamilies, type, [](const Family& f) { return std::string(f.type); });
  return at == kFamilies.end() ? nullptr : &*at;
}

std::string supported_types() {
  std::string list;
  for (const Family& family : kFamilies)
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

}  // namespace

std::span<const Family> families() { return kFamilies; }

Description read_description(const nlohmann::json& file) {
  const ConfigReader config(file);
  Description d;
  if (!config.has("model_type")) config.refuse("model_type", "is missing");
  d.family = config.text_or("model_type", "");
  const Family* const family = find_family(d.family);
  if (family == nullptr)
    config.refuse("model_type",
                  in_quotes(d.family) + " is not supported; supported are " + supported_types());
  if (config.has("quantization_config"))
    config.refuse("quantization_config", "quantised weights are not supported");
  const std::vector<std::string> architectures = config.texts("architectures");
  if (!architectures.empty()) d.architecture = architectures.front();
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.has("decoder_start_token_id"))
    d.decoder_start = static_cast<std::uint32_t>(config.count_or("decoder_start_token_id", 0));
  const nlohmann::json members = with_aliases(*family, file, d.notes);
  family->describe(ConfigReader(members), d);
  if (d.causal && config.has("is_causal") && !config.flag_or("is_causal", true))
    config.refuse("is_causal", "only true is supported");
  if (d.d_embedding == 0) d.d_embedding = d.d_model;
  check_sizes(config, d);
  return d;
}

const Family& family_of(const Description& description) { return *find_family(description.family); }

}  // namespace lab::files
