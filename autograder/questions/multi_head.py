"""Questions on many heads."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Two sentences of five tokens, six numbers each, are split into three heads. What is the shape then?",
        given="heads = split_heads(torch.ones(2, 5, 6), 3)",
        right="tuple(heads.shape)",
        misconceptions=(
            "split_heads.not_swapped",
            "split_heads.num_heads_used_as_head_size",
            "split_heads.whole_token_for_every_head",
            "split_heads.stacked_before_the_batch",
        ),
        because=(
            "The heads become another batch axis, before the tokens. Each head sees every token, but only 2 of "
            "its numbers."
        ),
    ),
    Question(
        "There are two tokens and two heads. Of the first token, what is the first number that the second head sees?",
        given=(
            "x = torch.tensor([[0.0, 1.0, 2.0, 3.0],\n"
            "                  [4.0, 5.0, 6.0, 7.0]])\n"
            "heads = split_heads(x, 2)"
        ),
        right="heads[1, 0, 0].item()",
        misconceptions=("split_heads.reshaped_without_swapping", "split_heads.interleaved"),
        because="The first half of each token belongs to the first head; the second half, here 2 and 3, to the second.",
    ),
    Question(
        "The model is 64 wide and has four heads. By what are the scores divided?",
        exercise="MultiHeadAttention",
        given="d_model, num_heads = 64, 4",
        right="math.sqrt(split_heads(torch.ones(1, d_model), num_heads).shape[-1])",
        slips={
            "math.sqrt(d_model)": "MultiHeadAttention.scaled_by_d_model",
            "math.sqrt(num_heads)": "MultiHeadAttention.scaled_by_the_number_of_heads",
            "d_model / num_heads": "MultiHeadAttention.divided_by_the_dimension",
        },
        because=(
            "A score adds up the products of one head, 64 / 4 = 16 of them, so the divisor is the square root of 16."
        ),
    ),
    Question(
        "Five queries, seven keys, two heads. What is the shape of the weights?",
        given=(
            "layer = MultiHeadAttention(d_model=8, num_heads=2)\n"
            "queries, keys = torch.ones(3, 5, 8), torch.ones(3, 7, 8)\n"
            "output, weights = layer(queries, keys, keys)"
        ),
        right="tuple(weights.shape)",
        misconceptions=("MultiHeadAttention.weights_averaged", "MultiHeadAttention.all_from_the_queries"),
        slips={"(3, 2, 7, 5)": "MultiHeadAttention.queries_and_keys_swapped"},
        because="Each head has its own matrix, with a row for each query and a column for each key.",
    ),
    Question(
        "How many numbers can be trained in this module?",
        given="layer = MultiHeadAttention(d_model=8, num_heads=2)",
        right="sum(part.numel() for part in layer.parameters())",
        misconceptions=(
            "MultiHeadAttention.no_bias",
            "MultiHeadAttention.no_output_projection",
            "MultiHeadAttention.one_small_projection_for_all_heads",
            "MultiHeadAttention.one_projection_for_all_three",
        ),
        because="Four layers of 8 times 8 weights and 8 biases.",
    ),
    Question(
        "And with four heads instead of one: how many numbers can be trained?",
        given=(
            "one, four = MultiHeadAttention(8, 1), MultiHeadAttention(8, 4)\n"
            "counts = [sum(part.numel() for part in layer.parameters()) for layer in (one, four)]"
        ),
        options={
            "More: each head has its own projections.": (
                "counts[1] > counts[0]",
                "It does, but they are narrower: those columns of the large matrix that compute its numbers.",
            ),
            "As many: the width is shared.": ("counts[1] == counts[0]", ""),
            "Fewer: the heads are narrower.": (
                "counts[1] < counts[0]",
                "Each one is narrower, but there are more of them: together they have width d_model again.",
            ),
        },
        because="Heads only split the same projections differently. They need no additional weights.",
    ),
)

# Asked at the end of the unit.
TRANSFER = (
    Question(
        "A robot attends to five sensors. One day their keys and values arrive in another order, the same for "
        "both. What happens to its output?",
        given=(
            "torch.manual_seed(0)\n"
            "attention, query, sensors = MultiHeadAttention(8, 2), torch.randn(1, 8), torch.randn(5, 8)\n"
            "mixed_up = sensors[[3, 0, 4, 1, 2]]\n"
            "before, after = attention(query, sensors, sensors)[0], attention(query, mixed_up, mixed_up)[0]"
        ),
        options={
            "Nothing: it is the same.": ("torch.allclose(before, after, atol=1e-6)", ""),
            "It is another vector.": (
                "not torch.allclose(before, after, atol=1e-6)",
                "Each value still has the same key, so it gets the same weight as before, and the order of a "
                "sum does not matter.",
            ),
            "The same numbers in another order.": (
                "torch.allclose(before.sort()[0], after.sort()[0]) and not torch.allclose(before, after, atol=1e-6)",
                "The sensors are rows. The numbers within each row are still in the same order.",
            ),
        },
        because=(
            "Attention treats its input as a set, without an order. That suits sensors. For sentences, the "
            "next unit adds positions."
        ),
    ),
    Question(
        "A colleague starts training with all weights and biases of Wq and Wk at 0. What weight does each of "
        "five words get in the first step?",
        given=(
            "attention, x = MultiHeadAttention(8, 2), torch.randn(5, 8)\n"
            "for layer in (attention.Wq, attention.Wk):\n"
            "    torch.nn.init.zeros_(layer.weight)\n"
            "    torch.nn.init.zeros_(layer.bias)\n"
            "weights = attention(x, x, x)[1]"
        ),
        right="weights[0, 0, 0].item()",
        slips={
            "0": "The scores are 0. Softmax turns equal scores into equal weights.",
            "1": "The weights of a row sum to 1, and there are five.",
        },
        because=(
            "All scores are 0, so it is a plain average. Worse: neither Wq nor Wk gets a gradient, because "
            "each depends on"
            "the other one."
        ),
    ),
    Question(
        "You give a layer of width 32 eight heads instead of one. By what factor does the number of its weights grow?",
        given=(
            "count = lambda module: sum(weight.numel() for weight in module.parameters())\n"
            "one, eight = count(MultiHeadAttention(32, 1)), count(MultiHeadAttention(32, 8))"
        ),
        right="eight / one",
        slips={
            "8": "Each head is 32 / 8 = 4 wide: the projections are cut into eight parts, not made eight times.",
            "1 / 8": "The width is shared among the heads. Together they are as wide as one was.",
        },
        because="Heads share the width. With more heads, each has fewer numbers to compare.",
    ),
)
