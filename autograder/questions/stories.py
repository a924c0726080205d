"""Questions on the transformer block of today's models."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "10 is added to every number of the token. Which of the two norms returns the same result as before?",
        exercise="LlamaBlock",
        given=(
            "x = torch.tensor([1.0, 2.0, 3.0, 6.0])\n"
            "layer, rms = nn.LayerNorm(4), nn.RMSNorm(4, eps=1e-5)\n"
            "same_layer = torch.allclose(layer(x), layer(x + 10), atol=1e-4)\n"
            "same_rms = torch.allclose(rms(x), rms(x + 10), atol=1e-4)"
        ),
        options={
            "LayerNorm alone": ("same_layer and not same_rms", ""),
            "RMSNorm alone": (
                "same_rms and not same_layer",
                "RMSNorm divides by the root mean square and subtracts nothing, so a shift changes it.",
            ),
            "both": ("same_layer and same_rms", "RMSNorm subtracts nothing, so a shift changes its root mean square."),
        },
        because="LayerNorm subtracts the mean, and the shift with it. RMSNorm only divides.",
    ),
    Question(
        "`gate` returns 0 for every token. What is the first number of the output?",
        given=(
            "block, x = LlamaBlock(4, 2, 1, 6), torch.tensor([[3.0, 1.0, 0.0, 8.0]])\n"
            "nn.init.zeros_(block.gate.weight), nn.init.zeros_(block.Wo.weight)\n"
            "output, weights = block(x)"
        ),
        right="round(output[0, 0].item(), 3)",
        slips={"0": "The gate blocks the feed-forward network, but the residual connection still adds x."},
        because="silu(0) is 0, so nothing from `up` passes, and attention adds nothing either. Only x is left.",
    ),
    Question(
        "Six query heads share three key heads. Which key head does query head 3 use?",
        exercise="LlamaBlock",
        given="num_heads, num_kv_heads = 6, 3",
        right="3 // (num_heads // num_kv_heads)",
        slips={
            "3 % 3": (
                "That alternates between the key heads: 0, 1, 2, 0, 1, 2. The heads of a group are adjacent: 0, "
                "0, 1, 1, 2, 2."
            ),
            "3": "There are only the key heads 0, 1 and 2.",
        },
        because="Heads are counted from 0, and each key head serves two adjacent query heads: 0, 0, 1, 1, 2, 2.",
    ),
    Question(
        "How many weights do `Wk` and `Wv` have together, with 96 numbers for each token, 4 query heads and 2 "
        "key heads?",
        given="block = LlamaBlock(d_model=96, num_heads=4, num_kv_heads=2, d_hidden=256)",
        right="block.Wk.weight.numel() + block.Wv.weight.numel()",
        misconceptions=("LlamaBlock.one_key_head_for_each_query_head",),
        slips={"96 * 48": "That is one of the two.", "2 * 96 * 24": "That is one key head. There are two."},
        because=(
            "The width of a head is 96 / 4 = 24, so two key heads need 48 rows of 96 numbers, once in Wk and once "
            "in Wv."
        ),
    ),
)
