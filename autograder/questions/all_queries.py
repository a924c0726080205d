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
            "(3, 5)": (
                "That is the score matrix of one sentence. The batch axis comes first: each sentence has its own "
                "matrix."
            )
        },
        because=(
            "There is a matrix for each sentence, with a row for each query and a column for each key. The width "
            "4 is summed."
        ),
    ),
    Question(
        "What does the second row of these weights sum to?",
        given="scores = [[5.0, 5.0, 5.0],\n          [0.0, 1.0, 2.0]]\nweights = batched_softmax(scores)",
        right="weights[1].sum()",
        misconceptions=(
            "batched_softmax.one_sum_for_everything",
            "batched_softmax.softmax_over_the_queries",
            "batched_softmax.not_divided_by_the_sum",
        ),
        because="Each query has a total weight of 1 to distribute, however small its scores are.",
    ),
    Question(
        "The tokens attend to each other as they are. Which one does the first token look at most?",
        given=(
            "tokens = np.array([[1, 0],\n                   [3, 3],\n                   [0, 1]])\n"
            "context, weights = simple_self_attention(tokens)"
        ),
        options={
            "At itself: nothing is more similar to it.": (
                "weights[0].argmax() == 0",
                "A dot product depends on similarity and on length: a long vector can score higher than the "
                "token itself.",
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
            "causal_mask.mask_all_true",
            "causal_mask.only_itself",
            "causal_mask.one_too_far",
        ),
        because="1 + 2 + 3 + 4: each token sees itself and all tokens before it.",
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
            "scaled_dot_product_attention.divided_by_the_dimension",
        ),
        because="Divided by 8, the square root of 64, the scores are 2 and 0, and e squared is 7.4.",
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
        because="Two keys are left, and their weights sum to 1: a hidden key must not take any weight with it.",
    ),
)

# Asked at the end of the unit.
TRANSFER = (
    Question(
        "A weather service measures 10, 20 and 20 degrees at three stations. They are 0, 0.7 and 0.7 km from "
        "your house. As weights, it uses the softmax of the negative distances. What temperature does it "
        "report?"
        "(e to the -0.7 is about 0.5.)",
        given=(
            "distances = np.array([[0, 0.7, 0.7]])\n"
            "weights = batched_softmax(-distances)\n"
            "told = context_vectors(weights, np.array([[10], [20], [20]]))"
        ),
        right="told[0, 0]",
        slips={
            "50 / 3": "That is the plain average: all stations count equally, as if they were equally far away.",
            "10": "The nearest station counts most, but not exclusively: softmax leaves some weight for the others.",
        },
        because=(
            "The weights are 1/2, 1/4 and 1/4. Attention is a weighted average, and any measure of closeness "
            "can be the score."
        ),
    ),
    Question(
        "A friend's model looks at nothing but the first word, in every row. Which of these would do that?",
        given=(
            "x = np.random.default_rng(0).normal(size=(1, 5, 4))\n"
            "look = lambda queries, keys, mask: scaled_dot_product_attention(queries, keys, x, mask)[1]\n"
            "upside_down = look(x, x, causal_mask(5).T)\n"
            "too_short = look(x, x, padding_mask(np.array([1]), 5))\n"
            "same_queries = look(np.ones((1, 5, 4)), x, None)\n"
            "first = np.array([1, 0, 0, 0, 0])"
        ),
        options={
            "The causal mask is transposed.": (
                "np.allclose(upside_down, first)",
                "Then each word sees itself and those after it: the last row looks at the last word.",
            ),
            "The lengths given to the padding mask are all 1.": ("np.allclose(too_short, first)", ""),
            "All queries are the same vector.": (
                "np.allclose(same_queries, first)",
                "Then all rows are the same, but each of them spreads over all words.",
            ),
        },
        because="With a length of 1, all words but the first count as padding, and softmax has one score left.",
    ),
    Question(
        "A shop shows a customer three products, all with the score 2. A fourth one is added, also with the score 2. "
        "What is the weight of the first one now?",
        given="weights = batched_softmax(np.array([2.0, 2.0, 2.0, 2.0]))",
        right="weights[0]",
        slips={
            "1 / 3": (
                "That was its weight before. The weights sum to 1, so a new product takes some weight from all "
                "the others."
            ),
            "2": "That is the score. Only differences of scores count, and here there are none.",
        },
        because="Equal scores get equal weights, whatever they are. In long sentences, attention is spread thin.",
    ),
)
