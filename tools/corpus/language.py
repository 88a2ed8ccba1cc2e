# SPDX-License-Identifier: Apache-2.0
"""Generated text networks: a BERT-like encoder, and one step of a decoder with key/value cache and 4-bit weights."""
import numpy as np

import weights
from builder import FLOAT, INT64, Builder
from vision import gelu


def _save(model, target):
    target.write_bytes(model.SerializeToString(deterministic=True))


def _dimension(b, x, axis):
    """A dimension of x as a scalar."""
    return b.node("Gather", [b.node("Shape", [x]), b.constant(axis)], axis=0)


def _vector(b, scalar):
    return b.node("Unsqueeze", [scalar, b.constant([0])])


# ---- BERT-like encoder, 21 M parameters -----------------------------------------------------------

VOCABULARY, POSITIONS, WIDTH, LAYERS, HEADS = 8192, 512, 384, 10, 6


def _layer_norm(b, x):
    """Layer normalisation in nine nodes, as exported below opset 17."""
    scale, bias = b.parameter_name("weight"), b.parameter_name("bias")
    b.parameter(scale, weights.between(scale, (WIDTH,), 0.8, 1.2))
    b.parameter(bias, weights.symmetric(bias, (WIDTH,), 0.05))
    centred = b.node("Sub", [x, b.node("ReduceMean", [x], axes=[-1])])
    variance = b.node("ReduceMean", [b.node("Pow", [centred, b.constant(2, np.float32)])], axes=[-1])
    deviation = b.node("Sqrt", [b.node("Add", [variance, b.constant(1e-12, np.float32)])])
    return b.node("Add", [b.node("Mul", [b.node("Div", [centred, deviation]), scale]), bias])


def _dense(b, x, sizes):
    w, bias = b.parameter_name("weight_t"), b.parameter_name("bias")
    b.parameter(w, weights.symmetric(w, sizes, 1 / np.sqrt(float(sizes[0]))))
    b.parameter(bias, weights.symmetric(bias, sizes[1:], 0.02))
    return b.node("Add", [bias, b.node("MatMul", [x, w])])


def _table(b, indices, rows):
    w = b.parameter_name("weight")
    b.parameter(w, weights.symmetric(w, (rows, WIDTH), 0.5))
    return b.node("Gather", [w, indices])


def _embeddings(b, ids, types):
    length = _dimension(b, ids, 1)
    table = b.parameter("embeddings.position_ids", np.arange(POSITIONS, dtype=np.int64)[None])
    positions = b.node("Slice", [table, b.constant([0]), _vector(b, length), b.constant([1]), b.constant([1])])
    with b.scope("word_embeddings"):
        words = _table(b, ids, VOCABULARY)
    with b.scope("token_type_embeddings"):
        kinds = _table(b, types, 2)
    with b.scope("position_embeddings"):
        places = _table(b, positions, POSITIONS)
    x = b.node("Add", [b.node("Add", [words, kinds]), places])
    with b.scope("LayerNorm"):
        return _layer_norm(b, x)


def _split_heads(b, x, perm):
    """[batch, length, width] to [batch, heads, ...] by a Reshape whose first two sizes are computed."""
    shape = b.node("Concat", [_vector(b, _dimension(b, x, 0)), _vector(b, _dimension(b, x, 1)), b.constant([HEADS]),
                              b.constant([WIDTH // HEADS])], axis=0)
    return b.node("Transpose", [b.node("Reshape", [x, shape])], perm=perm)


def _self_attention(b, x, mask):
    with b.scope("query"):
        q = _dense(b, x, (WIDTH, WIDTH))
    with b.scope("key"):
        k = _dense(b, x, (WIDTH, WIDTH))
    with b.scope("value"):
        v = _dense(b, x, (WIDTH, WIDTH))
    scores = b.node("MatMul", [_split_heads(b, q, [0, 2, 1, 3]), _split_heads(b, k, [0, 2, 3, 1])])
    scores = b.node("Div", [scores, b.constant(np.sqrt(WIDTH / HEADS), np.float32)])
    share = b.node("Softmax", [b.node("Add", [scores, mask])], axis=-1)
    mixed = b.node("Transpose", [b.node("MatMul", [share, _split_heads(b, v, [0, 2, 1, 3])])], perm=[0, 2, 1, 3])
    shape = b.node("Concat", [_vector(b, _dimension(b, mixed, 0)), _vector(b, _dimension(b, mixed, 1)),
                              b.constant([WIDTH])], axis=0)
    return b.node("Reshape", [mixed, shape])


def _encoder_layer(b, x, mask):
    with b.scope("attention"):
        with b.scope("self"):
            y = _self_attention(b, x, mask)
        with b.scope("output"):
            with b.scope("dense"):
                y = _dense(b, y, (WIDTH, WIDTH))
            y = b.node("Add", [y, x])
            with b.scope("LayerNorm"):
                x = _layer_norm(b, y)
    with b.scope("intermediate"), b.scope("dense"):
        y = _dense(b, x, (WIDTH, 4 * WIDTH))
    with b.scope("intermediate"), b.scope("intermediate_act_fn"):
        y = gelu(b, y)
    with b.scope("output"):
        with b.scope("dense"):
            y = _dense(b, y, (4 * WIDTH, WIDTH))
        y = b.node("Add", [y, x])
        with b.scope("LayerNorm"):
            return _layer_norm(b, y)


def _additive_mask(b, mask):
    """0 where the mask is 1, a large negative number where it is 0, as [batch, 1, 1, length]."""
    wide = b.node("Unsqueeze", [b.node("Unsqueeze", [mask, b.constant([1])]), b.constant([2])])
    off = b.node("Sub", [b.constant(1, np.float32), b.node("Cast", [wide], to=FLOAT)])
    return b.node("Mul", [off, b.constant(-10000, np.float32)])


def bert_encoder(target):
    b = Builder("bert_encoder")
    shape = ["batch_size", "sequence_length"]
    ids, mask, types = (b.input(name, INT64, shape) for name in ("input_ids", "attention_mask", "token_type_ids"))
    additive = _additive_mask(b, mask)
    with b.scope("embeddings"):
        x = _embeddings(b, ids, types)
    with b.scope("encoder"):
        for index in range(LAYERS):
            with b.scope(f"layer.{index}"):
                x = _encoder_layer(b, x, additive)
    b.node("Identity", [x], into="last_hidden_state")
    with b.scope("pooler"):
        first = b.node("Gather", [x, b.constant(0)], axis=1)
        w = b.parameter("pooler.dense.weight", weights.symmetric("pooler.dense.weight", (WIDTH, WIDTH), 0.05))
        bias = b.parameter("pooler.dense.bias", weights.symmetric("pooler.dense.bias", (WIDTH,), 0.05))
        b.node("Tanh", [b.node("Gemm", [first, w, bias], alpha=1.0, beta=1.0, transB=1)], into="pooler_output")
    b.output("last_hidden_state", FLOAT, [*shape, WIDTH])
    b.output("pooler_output", FLOAT, ["batch_size", WIDTH])
    _save(b.model(opset=14), target)


# ---- Decoder step: 48 M parameters, most of them in 4 bits ----------------------------------------

D_VOCABULARY, D_WIDTH, D_LAYERS, D_HEADS, D_CACHED_HEADS, D_HEAD, D_INNER = 8192, 640, 8, 10, 5, 64, 1792
BLOCK = 32


def _matmul_4bit(b, x, sizes, gain=1.0):
    """com.microsoft MatMulNBits: blocks of 32 inputs share a scale, the zero point is the default 8."""
    k, n = sizes
    name, blocks = b.parameter_name("weight"), k // BLOCK
    deviation = gain / np.sqrt(float(k)) / 4.61  # the deviation of an evenly distributed 4-bit integer
    q = b.parameter(f"{name}_Q4", weights.packed_nibbles(name, (n, blocks, BLOCK // 2)))
    scales = weights.between(f"{name}_scales", (n * blocks,), 0.8 * deviation, 1.2 * deviation)
    return b.node("MatMulNBits", [x, q, b.parameter(f"{name}_scales", scales)], domain="com.microsoft", K=k, N=n,
                  bits=4, block_size=BLOCK)


def _rms_norm(b, x):
    w = b.parameter_name("weight")
    b.parameter(w, weights.between(w, (D_WIDTH,), 0.8, 1.2))
    mean = b.node("ReduceMean", [b.node("Pow", [x, b.constant(2, np.float32)])], axes=[-1])
    root = b.node("Sqrt", [b.node("Add", [mean, b.constant(1e-5, np.float32)])])
    return b.node("Mul", [w, b.node("Mul", [x, b.node("Div", [b.constant(1, np.float32), root])])])


def _rotary_tables(b, past, ids):
    """cos and sin for the positions past .. past + length - 1, as [1, length, head]."""
    start = _dimension(b, past, 2)
    end = b.node("Add", [start, _dimension(b, ids, 1)])
    positions = b.node("Cast", [b.node("Range", [start, end, b.constant(1)])], to=FLOAT)
    positions = b.node("Unsqueeze", [b.node("Unsqueeze", [positions, b.constant([0])]), b.constant([2])])
    halves = np.array([_inverse_frequency(i) for i in range(D_HEAD // 2)], np.float32)
    angles = b.node("MatMul", [positions, b.parameter("rotary_emb.inv_freq", halves[None, None])])
    both = b.node("Concat", [angles, angles], axis=-1)
    return [b.node("Unsqueeze", [b.node(op, [both]), b.constant([1])]) for op in ("Cos", "Sin")]


def _inverse_frequency(index):
    """10000^(-2 index / head), rounded so far that no machine's power function can change the stored bits."""
    return float(f"{10000 ** (-2 * index / D_HEAD):.6e}")


def _rotate(b, x, cos, sin):
    half, axis, step = b.constant([D_HEAD // 2]), b.constant([3]), b.constant([1])
    low = b.node("Slice", [x, b.constant([0]), half, axis, step])
    high = b.node("Slice", [x, half, b.constant([2 ** 63 - 1]), axis, step])
    turned = b.node("Concat", [b.node("Neg", [high]), low], axis=-1)
    return b.node("Add", [b.node("Mul", [x, cos]), b.node("Mul", [turned, sin])])


def _heads(b, x, count):
    shape = b.node("Concat", [_vector(b, _dimension(b, x, 0)), _vector(b, _dimension(b, x, 1)), b.constant([count]),
                              b.constant([D_HEAD])], axis=0)
    return b.node("Transpose", [b.node("Reshape", [x, shape])], perm=[0, 2, 1, 3])


def _repeated(b, x):
    """Each cached head serves several query heads: Unsqueeze, Expand, Reshape."""
    groups = D_HEADS // D_CACHED_HEADS
    batch, length = _vector(b, _dimension(b, x, 0)), _vector(b, _dimension(b, x, 2))
    wide = b.node("Concat", [batch, b.constant([D_CACHED_HEADS]), b.constant([groups]), length,
                             b.constant([D_HEAD])], axis=0)
    flat = b.node("Concat", [batch, b.constant([D_HEADS]), length, b.constant([D_HEAD])], axis=0)
    return b.node("Reshape", [b.node("Expand", [b.node("Unsqueeze", [x, b.constant([2])]), wide]), flat])


def _cached_attention(b, x, cache, tables):
    """cache is (past key, past value, present key's name, present value's name)."""
    with b.scope("q_proj"):
        q = _matmul_4bit(b, x, (D_WIDTH, D_HEADS * D_HEAD))
    with b.scope("k_proj"):
        k = _matmul_4bit(b, x, (D_WIDTH, D_CACHED_HEADS * D_HEAD))
    with b.scope("v_proj"):
        v = _matmul_4bit(b, x, (D_WIDTH, D_CACHED_HEADS * D_HEAD))
    q = _rotate(b, _heads(b, q, D_HEADS), *tables)
    k = _rotate(b, _heads(b, k, D_CACHED_HEADS), *tables)
    k = b.node("Concat", [cache[0], k], into=cache[2], axis=2)
    v = b.node("Concat", [cache[1], _heads(b, v, D_CACHED_HEADS)], into=cache[3], axis=2)
    scores = b.node("MatMul", [q, b.node("Transpose", [_repeated(b, k)], perm=[0, 1, 3, 2])])
    scores = b.node("Mul", [scores, b.constant(D_HEAD ** -0.5, np.float32)])
    mixed = b.node("MatMul", [b.node("Softmax", [scores], axis=-1), _repeated(b, v)])
    mixed = b.node("Transpose", [mixed], perm=[0, 2, 1, 3])
    shape = b.node("Concat", [_vector(b, _dimension(b, mixed, 0)), _vector(b, _dimension(b, mixed, 1)),
                              b.constant([D_HEADS * D_HEAD])], axis=0)
    with b.scope("o_proj"):
        return _matmul_4bit(b, b.node("Reshape", [mixed, shape]), (D_HEADS * D_HEAD, D_WIDTH))


def _decoder_layer(b, x, cache, tables):
    with b.scope("input_layernorm"):
        y = _rms_norm(b, x)
    with b.scope("self_attn"):
        y = _cached_attention(b, y, cache, tables)
    x = b.node("Add", [x, y])
    with b.scope("post_attention_layernorm"):
        y = _rms_norm(b, x)
    with b.scope("mlp"):
        with b.scope("gate_proj"):
            gate = _matmul_4bit(b, y, (D_WIDTH, D_INNER))
        with b.scope("act_fn"):
            gate = b.node("Mul", [gate, b.node("Sigmoid", [gate])])
        with b.scope("up_proj"):
            up = _matmul_4bit(b, y, (D_WIDTH, D_INNER))
        with b.scope("down_proj"):
            y = _matmul_4bit(b, b.node("Mul", [gate, up]), (D_INNER, D_WIDTH))
    return b.node("Add", [x, y])


def decoder_step(target):
    b = Builder("decoder_step")
    ids = b.input("input_ids", INT64, ["batch_size", 1])
    past = ["batch_size", D_CACHED_HEADS, "past_sequence_length", D_HEAD]
    present = ["batch_size", D_CACHED_HEADS, "total_sequence_length", D_HEAD]
    caches = []
    for index in range(D_LAYERS):
        names = [f"past_key_values.{index}.{kind}" for kind in ("key", "value")]
        caches.append([b.input(name, FLOAT, past) for name in names]
                      + [f"present.{index}.{kind}" for kind in ("key", "value")])
    b.output("logits", FLOAT, ["batch_size", 1, D_VOCABULARY])
    with b.scope("model"):
        with b.scope("embed_tokens"):
            table = weights.symmetric("model.embed_tokens.weight", (D_VOCABULARY, D_WIDTH), 0.5)
            x = b.node("Gather", [b.parameter("model.embed_tokens.weight", table), ids])
        with b.scope("rotary_emb"):
            tables = _rotary_tables(b, caches[0][0], ids)
        for index, cache in enumerate(caches):
            with b.scope(f"layers.{index}"):
                x = _decoder_layer(b, x, cache, tables)
            for name in cache[2:]:
                b.output(name, FLOAT, present)
        with b.scope("norm"):
            x = _rms_norm(b, x)
    with b.scope("lm_head"):
        y = _matmul_4bit(b, x, (D_WIDTH, D_VOCABULARY), gain=1.5)
    b.node("Identity", [y], into="logits")
    _save(b.model(opset=14, domains=("com.microsoft",)), target)
