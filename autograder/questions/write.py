"""Questions on the language model."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "All weights of `Wo` and `down` are 0. What is the first number of the output?",
        given=(
            "block, x = TransformerBlock(d_model=4, num_heads=2), torch.tensor([[3.0, 1.0, 0.0, 8.0]])\n"
            "for linear in (block.Wo, block.down):\n"
            "    nn.init.zeros_(linear.weight), nn.init.zeros_(linear.bias)\n"
            "output, weights = block(x)"
        ),
        right="output[0, 0].item()",
        misconceptions=("TransformerBlock.no_residual", "TransformerBlock.post_norm"),
        slips={"1": "The first number of x is 3, and both residual connections pass it on."},
        because="Attention and the feed-forward network add nothing, so the residual connections return x unchanged.",
    ),
    Question(
        "Two tokens are in the cache, and three more are read. What is the shape of the weights?",
        given=(
            "class Cache:\n"
            "    k = v = torch.zeros(2, 2, 4)\n"
            "    def append(self, k, v):\n"
            "        self.k, self.v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)\n"
            "        return self.k, self.v\n\n"
            "block = TransformerBlock(d_model=8, num_heads=2)\n"
            "output, weights = block(torch.ones(3, 8), cache=Cache(), start=2)"
        ),
        right="tuple(weights.shape)",
        misconceptions=("TransformerBlock.cache_ignored",),
        slips={
            "(2, 5, 5)": "Only the three new tokens are queries. The queries of old tokens are not needed again.",
            "(3, 5)": "Each head has its own weight matrix.",
        },
        because="There are two heads, three queries, and five keys: two from the cache and three new ones.",
    ),
    Question(
        "Every token is equally likely. How large is the loss, about? (The logarithm of 8 is 2.08.)",
        given="logits, tokens = torch.zeros(2, 5, 8), torch.arange(10).reshape(2, 5) % 8",
        right="next_token_loss(logits, tokens).item()",
        misconceptions=("next_token_loss.loss_summed", "next_token_loss.in_bits"),
        slips={
            "1 / 8": "That is the probability of the correct token. The loss is minus its logarithm.",
            "0": "A loss of 0 means that every prediction is certain and correct.",
        },
        because="Each of the 8 tokens has probability 1/8, and -log(1/8) is log(8). The average is the same.",
    ),
    Question(
        "Two texts of six tokens; the last three of the second are padding. How many predictions count in the loss?",
        exercise="next_token_loss",
        given="mask = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])",
        right="mask[:, 1:].sum().item()",
        slips={
            "9": "There are 9 real tokens. But the first one of each text is never predicted.",
            "8": "The last real token of the second text is followed by padding, which is not predicted.",
            "10": "Without the mask, that would be five predictions for each text.",
        },
        because="Five in the first text, two in the second: the number of real tokens after the first one.",
    ),
    Question(
        "The gradients of a model's two parameters are 3 and 4, and `max_norm` is 1. What does 3 become?",
        exercise="train_step",
        given=(
            "a, b = torch.nn.Parameter(torch.zeros(1)), torch.nn.Parameter(torch.zeros(1))\n"
            "a.grad, b.grad = torch.tensor([3.0]), torch.tensor([4.0])\n"
            "nn.utils.clip_grad_norm_([a, b], 1.0)"
        ),
        right="round(a.grad.item(), 3)",
        slips={
            "1": "That would clip it separately. Together, the two gradients have length 5, so both are divided by 5.",
            "3 / 7": "The length of both together is not their sum but the square root of the sum of their squares.",
            "3": "Together they are longer than 1, so both are scaled down.",
        },
        because=(
            "Together they have length 5, the square root of 9 + 16. Divided by 5, they become 0.6 and 0.8, with "
            "length 1."
        ),
    ),
    Question(
        "Two tokens have the logits 0 and 2. The temperature rises from 1 to 2. What happens to the second "
        "probability?",
        exercise="sample",
        given="logits = torch.tensor([0.0, 2.0])\nchances = [torch.softmax(logits / t, dim=-1)[1] for t in (1, 2)]",
        options={
            "It falls but stays above one half.": ("0.5 < chances[1] < chances[0]", ""),
            "It falls below one half.": (
                "chances[1] < 0.5",
                "At any temperature, the larger logit stays the larger one: the probabilities only get closer "
                "to each other.",
            ),
            "It rises.": (
                "chances[1] > chances[0]",
                "The logits are divided by the temperature: a higher one makes their difference smaller.",
            ),
            "It stays.": ("chances[1] == chances[0]", "Divided by 2, the logits are only 1 apart."),
        },
        because="Divided by 2, the logits are 1 apart instead of 2: 0.73 instead of 0.88.",
    ),
)
