"""Questions on attention in a trained model."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "All weights and biases of `Wo` are 0, so attention finds nothing. What does the block return?",
        given=(
            "block, x = SelfAttentionBlock(d_model=4, num_heads=2), torch.tensor([[2.0, 0.0, 0.0, 1.0]])\n"
            "for parameter in block.attention.Wo.parameters():\n"
            "    nn.init.zeros_(parameter)\n"
            "output, weights = block(x, torch.tensor([True]))"
        ),
        options={
            "Zeros.": (
                "torch.allclose(output, torch.zeros(1, 4))",
                "SelfAttentionBlock.token_not_added",
            ),
            "The token, unchanged.": (
                "torch.allclose(output, x)",
                "SelfAttentionBlock.normalised_before_attention",
            ),
            "The token, normalised.": ("torch.allclose(output, nn.functional.layer_norm(x, (4,)), atol=1e-4)", ""),
        },
        because=(
            "The result is norm(x + 0): the residual connection keeps the token, and the norm brings it to a "
            "common scale."
        ),
    ),
    Question(
        "Three tokens, the last of them padding, and one head. What do all nine weights sum to?",
        given=(
            "block, x = SelfAttentionBlock(d_model=4, num_heads=1), torch.ones(3, 4)\n"
            "output, weights = block(x, torch.tensor([True, True, False]))"
        ),
        right="weights.sum().item()",
        misconceptions=("SelfAttentionBlock.zero_weights_in_padding_rows",),
        slips={
            "1": "That is the sum of each row. There is one for each token.",
            "9": "A single weight is not 1. The three weights of a row sum to 1.",
        },
        because=(
            "There are three rows, and each sums to 1. The column of the padding is 0, so the others get all the "
            "weight."
        ),
    ),
    Question(
        "How many tensors does a checkpoint need for one such block?",
        exercise="SelfAttentionBlock",
        given="state = SelfAttentionBlock(d_model=8, num_heads=2).state_dict()",
        right="len(state)",
        slips={
            "5": "block_state.biases_forgotten",
            "8": "block_state.norm_forgotten",
            "2 * 8 + 2": "The heads have no separate tensors: they are columns of the same projections.",
        },
        because="`Wq`, `Wk`, `Wv`, `Wo` and `norm`, each with a weight and a bias.",
    ),
    Question(
        "The matrices of `Wq` and `Wk` are swapped by mistake. What does `load_state_dict` do?",
        given=(
            "block = SelfAttentionBlock(d_model=4, num_heads=2)\n"
            "state = {name: weight.clone() for name, weight in block.state_dict().items()}\n"
            "q, k = 'attention.Wq.weight', 'attention.Wk.weight'\n"
            "state[q], state[k] = state[k], state[q]\n"
            "unused_or_missing = sum(map(len, block.load_state_dict(state)))"
        ),
        options={
            "It refuses: the shapes do not fit.": (
                "state[q].shape != state[k].shape",
                "Both are square and as wide as the model, so each fits into the other's place.",
            ),
            "It refuses: the names do not fit.": (
                "unused_or_missing > 0",
                "All the names it looks for are there. It cannot check the values.",
            ),
            "It loads them, and the model runs.": (
                "state[q].shape == state[k].shape and unused_or_missing == 0",
                "",
            ),
        },
        because=(
            "The vectors are then meaningless, but there is no error. Only a comparison with the original model "
            "shows it."
        ),
    ),
    Question(
        "What is the cosine of the sentence to the query?",
        given=(
            "query, sentences = torch.tensor([2.0, 0.0]), torch.tensor([[3.0, 4.0]])\n"
            "order, similarities = rank_by_similarity(query, sentences)"
        ),
        right="similarities[0].item()",
        misconceptions=(
            "rank_by_similarity.dot_products",
            "rank_by_similarity.only_the_sentence_norms",
            "rank_by_similarity.only_the_query_norm",
        ),
        because=(
            "The dot product is 6 and the lengths are 2 and 5, so the cosine is 6 / 10. It depends only on the "
            "directions."
        ),
    ),
    Question(
        "The cosines of the sentences 0, 1 and 2 are 0.6, 0 and 0.8. Which order is returned?",
        given=(
            "sentences = torch.tensor([[0.6, 0.8], [0.0, 1.0], [0.8, 0.6]])\n"
            "order, similarities = rank_by_similarity(torch.tensor([1.0, 0.0]), sentences)"
        ),
        options={
            "2, 0, 1": ("order.tolist() == [2, 0, 1]", ""),
            "1, 2, 0": (
                "order.tolist() == [1, 2, 0]",
                "rank_by_similarity.ranks_instead_of_the_order",
            ),
            "1, 0, 2": ("order.tolist() == [1, 0, 2]", "rank_by_similarity.least_similar_first"),
            "0, 2, 1": (
                "order.tolist() == [0, 2, 1]",
                "Sentence 2 is the most similar, with 0.8, so its index comes first.",
            ),
        },
        because="Sentence 2 is the most similar, then sentence 0, then sentence 1.",
    ),
)

# Asked at the end of the unit.
TRANSFER = (
    Question(
        "A model has 24 layers with 8 key heads of width 64, and uses 2 bytes for each number. By how many "
        "bytes does its cache grow with each token?",
        given=(
            "keys = torch.zeros(24, 8, 1, 64, dtype=torch.float16)  # of one token, in all layers\n"
            "values = torch.zeros(24, 8, 1, 64, dtype=torch.float16)"
        ),
        right="(keys.numel() + values.numel()) * 2",
        slips={
            "24 * 8 * 64 * 2": "That is only the keys. The values are stored as well.",
            "2 * 8 * 64 * 2": "That is one layer. Each of the 24 layers stores its own keys and values.",
            "2 * 24 * 8 * 64": "That is the number of numbers. Each of them takes 2 bytes.",
        },
        because=(
            "Keys and values, 24 layers, 8 heads, 64 numbers, 2 bytes: 49 kilobytes for each token, 49 megabytes for a "
            "thousand."
        ),
    ),
    Question(
        "An untrained language model gives all 26 letters the same probability. How large is its loss?",
        given="loss = nn.functional.cross_entropy(torch.zeros(1, 26), torch.tensor([4])).item()",
        right="loss",
        slips={
            "1 / 26": "That is the probability of the correct letter. The loss is minus its logarithm.",
            "math.log2(26)": "That is in bits. PyTorch uses the natural logarithm.",
            "26": "A loss of 26 would mean a probability of e to the -26: a model that is confident and wrong.",
        },
        because=(
            "It is minus the logarithm of 1/26. If training starts far above that, there is a bug before the "
            "model has learned"
            "anything."
        ),
    ),
    Question(
        "You switch off an attention block: Wo and its bias are 0. What does the block of `pretrained` "
        "return, which adds its input and normalises?",
        given=(
            "torch.manual_seed(0)\n"
            "block, x = SelfAttentionBlock(8, 2), 3 * torch.randn(1, 5, 8)\n"
            "torch.nn.init.zeros_(block.attention.Wo.weight)\n"
            "torch.nn.init.zeros_(block.attention.Wo.bias)\n"
            "out = block(x, torch.ones(1, 5, dtype=torch.bool))[0]"
        ),
        options={
            "Zeros.": (
                "torch.allclose(out, 0 * x)",
                "The residual connection adds the input, so nothing is lost.",
            ),
            "The input, unchanged.": (
                "torch.allclose(out, x, atol=1e-5)",
                "Nearly: attention adds nothing to it, but then it is normalised.",
            ),
            "The input, normalised.": ("torch.allclose(out, nn.functional.layer_norm(x, (8,)), atol=1e-5)", ""),
        },
        because=(
            "The residual connection keeps the words, whatever a block does. That is why deep models can be "
            "trained, and heads"
            "switched off."
        ),
    ),
)
