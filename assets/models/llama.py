"""Llama in PyTorch, with the names that transformers gives its tensors; reads and writes GGUF files."""

import math
from dataclasses import dataclass

import gguf
import numpy as np
import torch
from gguf.quants import dequantize, quantize
from torch import nn
from torch.nn import functional


@dataclass
class Shape:
    """The sizes of a model; d_mlp is the width inside an MLP, theta the base of the rotary frequencies."""
    vocabulary: int
    positions: int
    d_model: int
    layers: int
    heads: int
    key_heads: int
    d_mlp: int
    theta: float = 10000.0
    epsilon: float = 1e-5


def rotations(shape, n):
    """Cosines and sines of each position's angles: [n × d_head / 2] each."""
    d_head = shape.d_model // shape.heads
    angles = torch.arange(n)[:, None] / shape.theta ** (torch.arange(0, d_head, 2) / d_head)
    return angles.cos(), angles.sin()


def rotate(x, cosines, sines):
    """Rotates the pairs (i, i + d_head / 2) of each head, as transformers does."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * cosines - b * sines, b * cosines + a * sines), -1)


class Norm(nn.Module):
    def __init__(self, size, epsilon):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(size)), epsilon

    def forward(self, x):
        return functional.rms_norm(x, self.weight.shape, self.weight.to(x.dtype), self.epsilon)


class Attention(nn.Module):
    """Causal attention. `watched` are heads whose weights `seen` keeps: [texts × watched × n × n]."""

    def __init__(self, shape):
        super().__init__()
        self.shape, self.d_head = shape, shape.d_model // shape.heads
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.q_proj = linear(shape.d_model, shape.heads * self.d_head)
        self.k_proj = linear(shape.d_model, shape.key_heads * self.d_head)
        self.v_proj = linear(shape.d_model, shape.key_heads * self.d_head)
        self.o_proj = linear(shape.heads * self.d_head, shape.d_model)
        self.watched, self.seen = [], None

    def forward(self, x, cosines, sines, mask=None, cache=None):
        texts, n, _ = x.shape
        split = lambda y, heads: y.view(texts, n, heads, self.d_head).transpose(1, 2)
        q = rotate(split(self.q_proj(x), self.shape.heads), cosines, sines)
        k = rotate(split(self.k_proj(x), self.shape.key_heads), cosines, sines)
        v = split(self.v_proj(x), self.shape.key_heads)
        if self.watched:
            self.seen = self.weights(q[:, self.watched], k[:, self.watched])
        mixed = self.from_cache(q, *cache(k, v), mask) if cache is not None else \
            functional.scaled_dot_product_attention(q, k, v, is_causal=True,
                                                    enable_gqa=self.shape.heads != self.shape.key_heads)
        return self.o_proj(mixed.transpose(1, 2).reshape(texts, n, -1))

    def weights(self, q, k):
        """Each head's own keys: only for models whose heads do not share them."""
        n = q.shape[-2]
        scores = (q @ k.transpose(-1, -2)).float() / math.sqrt(self.d_head)
        return scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -math.inf).softmax(-1)

    def from_cache(self, q, k, v, mask):
        """Heads with the same keys are rows of one product."""
        texts, heads, n, d_head = q.shape
        q = q.reshape(texts, self.shape.key_heads, -1, d_head)
        mask = mask.repeat(1, 1, q.shape[2] // n, 1)
        return (((q @ k.transpose(-1, -2)) / math.sqrt(d_head) + mask).softmax(-1) @ v).view(texts, heads, n, d_head)


class Mlp(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.gate_proj = nn.Linear(shape.d_model, shape.d_mlp, bias=False)
        self.up_proj = nn.Linear(shape.d_model, shape.d_mlp, bias=False)
        self.down_proj = nn.Linear(shape.d_mlp, shape.d_model, bias=False)

    def forward(self, x):
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.input_layernorm = Norm(shape.d_model, shape.epsilon)
        self.post_attention_layernorm = Norm(shape.d_model, shape.epsilon)
        self.self_attn, self.mlp = Attention(shape), Mlp(shape)

    def forward(self, x, cosines, sines, mask=None, cache=None):
        x = x + self.self_attn(self.input_layernorm(x), cosines, sines, mask, cache)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    """Gives the logits of the token after each; input and output embeddings are one matrix."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.d_model)
        self.layers = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.d_model, shape.epsilon)
        cosines, sines = rotations(shape, shape.positions)
        self.register_buffer("cosines", cosines, persistent=False)
        self.register_buffer("sines", sines, persistent=False)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                last = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * shape.layers) if last else 0.02)

    def hidden(self, ids):
        """What the logits are read from: [texts × n × d_model]."""
        x, n = self.embed_tokens(ids), ids.shape[1]
        for layer in self.layers:
            x = layer(x, self.cosines[:n].to(x.dtype), self.sines[:n].to(x.dtype))
        return self.norm(x)

    def forward(self, ids):
        return functional.linear(self.hidden(ids), self.embed_tokens.weight)

    def attention(self, ids):
        """The weights of all heads, a tensor [texts × heads × n × n] a layer."""
        attentions = [layer.self_attn for layer in self.layers]
        before = [one.watched for one in attentions]
        for one in attentions:
            one.watched = list(range(self.shape.heads))
        self(ids)
        for one, watched in zip(attentions, before):
            one.watched = watched
        return [one.seen for one in attentions]


# Names of tensors in GGUF, and in transformers; {} stands for the layer.
NAMES = [("token_embd", "embed_tokens"), ("output_norm", "norm"),
         *((f"blk.{{}}.{ours}", f"layers.{{}}.{theirs}") for ours, theirs in (
             ("attn_q", "self_attn.q_proj"), ("attn_k", "self_attn.k_proj"), ("attn_v", "self_attn.v_proj"),
             ("attn_output", "self_attn.o_proj"), ("ffn_gate", "mlp.gate_proj"), ("ffn_up", "mlp.up_proj"),
             ("ffn_down", "mlp.down_proj"), ("attn_norm", "input_layernorm"),
             ("ffn_norm", "post_attention_layernorm")))]


def names_of(shape):
    """Each tensor's name in GGUF, its name in transformers, and its number of rotated heads, or none."""
    rotated = {"attn_q": shape.heads, "attn_k": shape.key_heads}
    for ours, theirs in NAMES:
        for layer in range(shape.layers if "{}" in ours else 1):
            yield f"{ours.format(layer)}.weight", f"{theirs.format(layer)}.weight", rotated.get(ours.split(".")[-1])


def adjacent(weight, heads):
    """The rows of a rotated map, as GGUF has them: the two features of a pair side by side."""
    d_head = weight.shape[0] // heads
    return weight.view(heads, 2, d_head // 2, -1).transpose(1, 2).reshape(weight.shape)


def apart(weight, heads):
    """The reverse of adjacent()."""
    d_head = weight.shape[0] // heads
    return weight.view(heads, d_head // 2, 2, -1).transpose(1, 2).reshape(weight.shape)


def load(path, positions=None):
    """The model in a GGUF file, in float32."""
    reader = gguf.GGUFReader(path)
    key = lambda name: reader.fields[f"llama.{name}"].contents()
    tensors = {one.name: torch.from_numpy(dequantize(one.data, one.tensor_type).copy()) for one in reader.tensors}
    shape = Shape(tensors["token_embd.weight"].shape[0], positions or key("context_length"), key("embedding_length"),
                  key("block_count"), key("attention.head_count"), key("attention.head_count_kv"),
                  key("feed_forward_length"), key("rope.freq_base"), key("attention.layer_norm_rms_epsilon"))
    model = Llama(shape)
    model.load_state_dict({theirs: apart(tensors[ours], heads) if heads else tensors[ours]
                           for ours, theirs, heads in names_of(shape)})
    return model.eval()


def save(model, path, name, tokenizer, pre, end, about):
    """Writes a GGUF file with weights of 8 bits. `tokenizer` is what tokenizer.json says, a BPE of bytes whose texts are
    first cut as llama.cpp's `pre` does; `end` is the id of the token that ends a text."""
    shape, writer = model.shape, gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    for key, text in about.items():
        getattr(writer, f"add_{key}")(text)
    writer.add_context_length(shape.positions)
    writer.add_embedding_length(shape.d_model)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.d_mlp)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.key_heads)
    writer.add_rope_freq_base(shape.theta)
    writer.add_rope_dimension_count(shape.d_model // shape.heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_vocab_size(shape.vocabulary)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    pieces = sorted(tokenizer["model"]["vocab"].items(), key=lambda one: one[1])
    writer.add_token_list([piece for piece, _ in pieces])
    writer.add_token_types([gguf.TokenType.CONTROL if i == end else gguf.TokenType.NORMAL for _, i in pieces])
    writer.add_token_merges([" ".join(merge) for merge in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(end)
    writer.add_add_bos_token(False)
    weights = model.state_dict()
    for ours, theirs, heads in names_of(shape):
        numbers = (adjacent(weights[theirs], heads) if heads else weights[theirs]).float().numpy()
        if numbers.ndim == 1:
            writer.add_tensor(ours, numbers)
        else:
            packed = quantize(np.ascontiguousarray(numbers), gguf.GGMLQuantizationType.Q8_0)
            writer.add_tensor(ours, packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
