#include "app/files/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {
namespace {

// Second spellings that several families have.
constexpr ConfigAliases kGptAliases = {{{"hidden_size", "n_embd"},
                                        {"max_position_embeddings", "n_positions"},
                                        {"num_attention_heads", "n_head"},
                                        {"num_hidden_layers", "n_layer"}}};
constexpr ConfigAliases kTwoStackAliases = {{{"num_attention_heads", "encoder_attention_heads"},
                                             {"hidden_size", "d_model"},
                                             {"num_hidden_layers", "encoder_layers"}}};
constexpr ConfigAliases kT5Aliases = {{{"num_layers", "num_decoder_layers", true},
                                       {"hidden_size", "d_model"},
                                       {"num_attention_heads", "num_heads"},
                                       {"num_hidden_layers", "num_layers"},
                                       {"head_dim", "d_kv"}}};

const std::array kFamilies = {
    Family{"bert", "BERT", describe_bert, kBertNames},
    Family{"roberta", "RoBERTa", describe_roberta, kRobertaNames},
    Family{"xlm-roberta", "XLM-RoBERTa", describe_xlm_roberta, kRobertaNames},
    Family{"camembert", "CamemBERT", describe_xlm_roberta, kRobertaNames},
    Family{"electra", "ELECTRA", describe_electra, kElectraNames},
    Family{"roformer", "RoFormer", describe_roformer, kRoformerNames},
    Family{"albert", "ALBERT", describe_albert, kAlbertNames},
    Family{"mpnet", "MPNet", describe_mpnet, kMpnetNames},
    Family{"deberta", "DeBERTa", describe_deberta, kDebertaNames},
    Family{"deberta-v2", "DeBERTa-v2", describe_deberta_v2, kDebertaV2Names},
    Family{"modernbert", "ModernBERT", describe_modernbert, kModernBertNames},
    Family{"distilbert",
           "DistilBERT",
           describe_distilbert,
           kDistilBertNames,
           {{{"hidden_size", "dim"},
             {"num_attention_heads", "n_heads"},
             {"num_hidden_layers", "n_layers"}}}},
    Family{"gpt2", "GPT-2", describe_gpt2, kGpt2Names, kGptAliases},
    Family{"gpt_neo",
           "GPT-Neo",
           describe_gpt_neo,
           kGptNeoNames,
           {{{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}}}},
    Family{"gpt_neox", "GPT-NeoX", describe_gpt_neox, kGptNeoxNames},
    Family{"gptj", "GPT-J", describe_gptj, kGptjNames, kGptAliases},
    Family{"codegen", "CodeGen", describe_codegen, kCodegenNames, kGptAliases},
    Family{"bloom",
           "BLOOM",
           describe_bloom,
           kBloomNames,
           {{{"num_hidden_layers", "n_layer"}, {"num_attention_heads", "n_head"}}}},
    Family{"falcon", "Falcon", describe_falcon, kFalconNames},
    Family{"biogpt", "BioGPT", describe_biogpt, kBioGptNames},
    Family{"opt", "OPT", describe_opt, kOptNames},
    Family{"llama", "Llama", describe_llama, kLlamaNames},
    Family{"mistral", "Mistral", describe_mistral, kLlamaNames},
    Family{"ministral", "Ministral", describe_ministral, kLlamaNames},
    Family{"ministral3", "Ministral 3", describe_ministral3, kLlamaNames},
    Family{"exaone4", "EXAONE 4", describe_exaone4, kExaone4Names},
    Family{"olmo2", "OLMo 2", describe_olmo2, kExaone4Names},
    Family{"olmo3", "OLMo 3", describe_olmo3, kExaone4Names},
    Family{
        "olmoe", "OLMoE", describe_olmoe, kQwenMoeNames, {{{"num_local_experts", "num_experts"}}}},
    Family{"nemotron", "Nemotron", describe_nemotron, kNemotronNames},
    Family{"nanochat", "nanochat", describe_nanochat, kNanochatNames},
    Family{"qwen2", "Qwen2", describe_qwen2, kLlamaNames},
    Family{"qwen3", "Qwen3", describe_qwen3, kLlamaNames},
    Family{"mixtral",
           "Mixtral",
           describe_mixtral,
           kMixtralNames,
           {{{"num_experts", "num_local_experts"}}}},
    Family{"qwen2_moe", "Qwen2 MoE", describe_qwen2_moe, kQwenMoeNames},
    Family{"qwen3_moe",
           "Qwen3 MoE",
           describe_qwen3_moe,
           kQwenMoeNames,
           {{{"num_local_experts", "num_experts"}}}},
    Family{"glm4_moe",
           "GLM-4 MoE",
           describe_glm4_moe,
           kGlm4MoeNames,
           {{{"num_local_experts", "n_routed_experts"}}}},
    Family{"gpt_oss",
           "gpt-oss",
           describe_gpt_oss,
           kGptOssNames,
           {{{"num_experts", "num_local_experts"}}}},
    Family{"deepseek_v2",
           "DeepSeek-V2",
           describe_deepseek_v2,
           kDeepseekNames,
           {{{"num_experts", "n_routed_experts"}}}},
    Family{"deepseek_v3",
           "DeepSeek-V3",
           describe_deepseek_v3,
           kDeepseekNames,
           {{{"num_local_experts", "n_routed_experts"}}}},
    Family{"smollm3", "SmolLM3", describe_smollm3, kLlamaNames},
    Family{"granite", "Granite", describe_granite, kLlamaNames},
    Family{"helium", "Helium", describe_helium, kLlamaNames},
    Family{"glm4", "GLM-4", describe_glm4, kGlm4Names},
    Family{"cohere", "Command R", describe_cohere, kLlamaNames},
    Family{"cohere2", "Command R7B", describe_cohere2, kLlamaNames},
    Family{"phi", "Phi", describe_phi, kPhiNames},
    Family{"phi3", "Phi-3", describe_phi3, kPhi3Names},
    Family{"stablelm", "StableLM", describe_stablelm, kLlamaNames},
    Family{"starcoder2", "StarCoder2", describe_starcoder2, kStarcoder2Names},
    Family{"gemma", "Gemma", describe_gemma, kLlamaNames},
    Family{"gemma2", "Gemma 2", describe_gemma2, kGemmaNames},
    Family{"gemma3_text", "Gemma 3", describe_gemma3, kGemmaNames},
    Family{"bart", "BART", describe_bart, kBartNames, kTwoStackAliases},
    Family{"mbart", "mBART", describe_mbart, kBartNames, kTwoStackAliases},
    Family{"m2m_100", "M2M-100", describe_m2m_100, kMarianNames, kTwoStackAliases},
    Family{"pegasus", "Pegasus", describe_pegasus, kBartNames, kTwoStackAliases},
    Family{"marian", "Marian", describe_marian, kMarianNames, kTwoStackAliases},
    Family{"t5", "T5", describe_t5, kT5Names, kT5Aliases},
    Family{"mt5", "mT5", describe_mt5, kT5Names, kT5Aliases},
    Family{"umt5", "UMT5", describe_umt5, kT5Names, kT5Aliases},
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
  const std::vector<std::string> architectures = config.texts("architectures");
  if (!architectures.empty()) d.architecture = architectures.front();
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.has("decoder_start_token_id"))
    d.decoder_start = static_cast<std::uint32_t>(config.count_or("decoder_start_token_id", 0));
  d.ends = ends_of_texts(file);
  const nlohmann::json members = with_aliases(*family, file, d.notes);
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
