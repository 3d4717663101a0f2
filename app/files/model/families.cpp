#include "app/files/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {
namespace {

constexpr std::array kFamilies = {
    Family{"bert", "BERT", describe_bert, kBertNames},
    Family{"roberta", "RoBERTa", describe_roberta, kRobertaNames},
    Family{"distilbert", "DistilBERT", describe_distilbert, kDistilBertNames},
    Family{"gpt2", "GPT-2", describe_gpt2, kGpt2Names},
    Family{"gpt_neo", "GPT-Neo", describe_gpt_neo, kGptNeoNames},
    Family{"gpt_neox", "GPT-NeoX", describe_gpt_neox, kGptNeoxNames},
    Family{"opt", "OPT", describe_opt, kOptNames},
    Family{"llama", "Llama", describe_llama, kLlamaNames},
    Family{"mistral", "Mistral", describe_mistral, kLlamaNames},
    Family{"qwen2", "Qwen2", describe_qwen2, kLlamaNames},
    Family{"qwen3", "Qwen3", describe_qwen3, kLlamaNames},
    Family{"gemma2", "Gemma 2", describe_gemma2, kGemmaNames},
    Family{"gemma3_text", "Gemma 3", describe_gemma3, kGemmaNames},
    Family{"bart", "BART", describe_bart, kBartNames},
    Family{"marian", "Marian", describe_marian, kBartNames},
    Family{"t5", "T5", describe_t5, kT5Names},
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

}  // namespace

std::span<const Family> families() { return kFamilies; }

Description read_description(const nlohmann::json& file) {
  const ConfigReader config(file);
  Description d;
  d.family = config.text_or("model_type", "");
  if (d.family.empty()) config.refuse("model_type", "is missing");
  const Family* const family = find_family(d.family);
  if (family == nullptr)
    config.refuse("model_type",
                  in_quotes(d.family) + " is not supported; supported are " + supported_types());
  if (config.has("quantization_config"))
    config.refuse("quantization_config", "quantised weights are not supported");
  const std::vector<std::string> architectures = config.texts("architectures");
  if (!architectures.empty()) d.architecture = architectures.front();
  d.vocabulary = config.size("vocab_size");
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.has("decoder_start_token_id"))
    d.decoder_start = static_cast<std::uint32_t>(config.count_or("decoder_start_token_id", 0));
  family->describe(config, d);
  if (d.d_embedding == 0) d.d_embedding = d.d_model;
  check_sizes(config, d);
  return d;
}

const Family& family_of(const Description& description) { return *find_family(description.family); }

}  // namespace lab::files
