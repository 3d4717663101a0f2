"""How older versions spelt a config.json and the names of tensors."""

OLD_NORM_NAMES = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


def with_old_norm_names(tensors):
    renamed = {}
    for name, tensor in tensors.items():
        for new, old in OLD_NORM_NAMES.items():
            name = name.replace(new, old)
        renamed[name] = tensor
    return renamed


def spelt_as_version_4(config):
    """rope_theta and rope_scaling instead of rope_parameters, torch_dtype, no layer_types, and what GPT-NeoX and Gemma
    had of their own."""
    old = {key: value for key, value in config.items()
           if key not in ("dtype", "layer_types", "rope_parameters", "_sliding_window_pattern")}
    old["torch_dtype"] = config.get("dtype", "float32")
    old["transformers_version"] = "4.44.0"
    kind, rope = config["model_type"], config.get("rope_parameters") or {}
    if kind == "t5":  # version 5 calls every T5 tied, and says in another member whether its logits are scaled
        old["tie_word_embeddings"] = old.pop("scale_decoder_outputs")
    if kind == "cohere2":
        old["sliding_window_pattern"] = config["layer_types"].index("full_attention") + 1
    if kind == "gemma3_text":
        old["sliding_window_pattern"] = config["layer_types"].index("full_attention") + 1
        old["rope_local_base_freq"] = rope["sliding_attention"]["rope_theta"]
        rope = rope["full_attention"]
    if kind == "olmo3":  # its sliding layers have the default base
        rope = rope["full_attention"]
    if kind == "llama" and config["head_dim"] * config["num_attention_heads"] == config["hidden_size"]:
        del old["head_dim"]  # it followed from the others
    if rope:
        old["rotary_emb_base" if kind == "gpt_neox" else "rope_theta"] = rope["rope_theta"]
    if "partial_rotary_factor" in rope:
        old["rotary_pct" if kind == "gpt_neox" else "partial_rotary_factor"] = rope["partial_rotary_factor"]
    scaling = {key: value for key, value in rope.items()
               if key not in ("rope_theta", "partial_rotary_factor", "rope_type")}
    if rope.get("rope_type", "default") != "default":
        type_key = "type" if kind == "llama" and rope["rope_type"] != "llama3" else "rope_type"
        old["rope_scaling"] = {type_key: rope["rope_type"], **scaling}
    return old
