"""Questions on all queries at once."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Two sentences, three queries and five keys in each. What is the shape of the scores?",
        given="queries, keys = np.ones((2, 3, 4)), np.ones((2, 5, 4))\nscores = attention_scores(queries, keys)",
        right="scores.shape",
        misconceptions=(
            "attention_scores.queries_and_keys_swapped",
            "attention_scores.queries_scored_against_themselves",
        ),
        slips={
            "(3, 5)": "That is the table of one sentence. The batch axis stays in front: each sentence has its own."
        },
        because="A row for each query, a column for each key, a table for each sentence. The width 4 is added up.",
    ),
    Question(
        "What does the second row of these weights sum to?",
        given="scores = [[5.0, 5.0, 5.0],\n          [0.0, 1.0, 2.0]]\nweights = batched_softmax(scores)",
        right="weights[1].sum()",
        misconceptions=(
            "batched_softmax.one_sum_for_everything",
            "batched_softmax.over_the_queries",
            "batched_softmax.not_divided_by_the_sum",
        ),
        because="Each query has one unit of attention to share out, however small its scores are.",
    ),
    Question(
        "The tokens attend to each other as they are. Which one does the first token look at most?",
        given=(
            "tokens = np.array([[1, 0],\n                   [3, 3],\n                   [0, 1]])\n"
            "context, weights = simple_self_attention(tokens)"
        ),
        options={
            "At itself: nothing is more like it.": (
                "weights[0].argmax() == 0",
                "A dot product measures likeness times length: a long vector can win against the token itself.",
            ),
            "At the second token.": ("weights[0].argmax() == 1", ""),
            "At the third token.": (
                "weights[0].argmax() == 2",
                "The two are at a right angle: their dot product is 0, the lowest of the three.",
            ),
        },
        because="The scores of the first token are 1, 3 and 0. Dot products favour long vectors.",
    ),
    Question(
        "How many entries of this mask are True?",
        given="mask = causal_mask(4)",
        right="int(mask.sum())",
        misconceptions=(
            "causal_mask.without_itself",
            "causal_mask.everything_allowed",
            "causal_mask.only_itself",
            "causal_mask.one_too_far",
        ),
        because="1 + 2 + 3 + 4: each token sees itself and all before it.",
    ),
    Question(
        "The keys are 64 wide, and the two scores are 16 and 0 before scaling. How large is the first weight, about?",
        given=(
            "query = np.full((1, 64), 0.5)\nkey = np.stack([np.full(64, 0.5), np.zeros(64)])\nvalue = np.eye(2)\n"
            "output, weights = scaled_dot_product_attention(query, key, value)"
        ),
        right="weights[0, 0]",
        misconceptions=(
            "scaled_dot_product_attention.not_scaled",
            "scaled_dot_product_attention.divided_by_the_size",
        ),
        because="Divided by 8, the root of 64, the scores are 2 and 0, and e squared is 7.4.",
    ),
    Question(
        "All three scores are equal, and the third key is hidden. How large is the first weight?",
        given=(
            "query, key, value = np.ones((1, 2)), np.ones((3, 2)), np.eye(3)\nmask = np.array([[True, True, False]])\n"
            "output, weights = scaled_dot_product_attention(query, key, value, mask)"
        ),
        right="weights[0, 0]",
        misconceptions=(
            "scaled_dot_product_attention.masked_after_softmax",
            "scaled_dot_product_attention.mask_inverted",
            "scaled_dot_product_attention.hidden_scores_set_to_zero",
        ),
        because="Two keys are left, and they share the whole: what is hidden must not take anything with it.",
    ),
)
