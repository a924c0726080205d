"""Questions on queries, keys and values."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Two sentences of five tokens, three numbers each, are projected. What is the shape of the queries?",
        given=("inp, w = torch.ones(2, 5, 3), torch.ones(3, 4)\nq, k, v = project_qkv(inp, w, w, w)"),
        right="tuple(q.shape)",
        misconceptions=("project_qkv.first_sentence_only", "project_qkv.batch_flattened"),
        slips={
            "(2, 5, 3)": "That is the input shape. What does a matrix with 3 rows and 4 columns turn 3 numbers into?"
        },
        because="The 3 numbers of each token become 4. The number of tokens and sentences stays the same.",
    ),
    Question(
        "The queries are all zero. How large is the first weight?",
        given=(
            "inp = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])\n"
            "wq, wk, wv = torch.zeros(2, 2), torch.eye(2), torch.eye(2)\n"
            "output, weights = dot_attention(inp, wq, wk, wv)"
        ),
        right="weights[0, 0].item()",
        slips={
            "0": "The scores are 0, but the weights are not: e to the 0 is 1, for every key.",
            "1": "e to the 0 is 1, and it is divided by the sum of the row.",
        },
        because=(
            "A query of zeros gives all three keys the same score. Equal scores give equal weights, which sum to 1."
        ),
    ),
    Question(
        "How many tensors does `parameters()` of this module list?",
        given="layer = SelfAttention(4, 2)",
        right="len(list(layer.parameters()))",
        misconceptions=(
            "SelfAttention.weights_as_plain_tensors",
            "SelfAttention.one_matrix_for_all",
            "SelfAttention.extra_parameter",
        ),
        because="`wq`, `wk` and `wv`, each an `nn.Parameter`. What is not listed is never trained.",
    ),
    Question(
        "How many numbers can be trained in this module?",
        given="layer = TrainableAttention(num_in_features=5, num_out_features=4)",
        right="sum(part.numel() for part in layer.parameters())",
        misconceptions=(
            "TrainableAttention.without_bias",
            "TrainableAttention.one_layer_for_all",
            "TrainableAttention.extra_layer",
        ),
        because="Three layers, each with 5 times 4 weights and 4 biases.",
    ),
    Question(
        "After one backward pass, which parameters have a gradient?",
        given=(
            "layer = SelfAttention(3, 2)\n"
            "layer(torch.eye(3))[0].sum().backward()\n"
            "learns = [part.grad is not None for part in (layer.wq, layer.wk, layer.wv)]"
        ),
        options={
            "All three.": ("learns == [True, True, True]", ""),
            "Only wv: the weights are fixed by softmax.": (
                "learns == [False, False, True]",
                "SelfAttention.attention_weights_detached",
            ),
            "Only wq and wk: values are passed on as they are.": (
                "learns == [True, True, False]",
                "The values are computed from the tokens with `wv`, so `wv` is part of the graph.",
            ),
        },
        because="The output depends on `wv` directly, and on `wq` and `wk` through softmax, which passes gradients on.",
    ),
)
