"""Questions on additive attention."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Three queries and five keys in each of two sentences. What is the shape of the scores?",
        given=(
            "queries, keys, ws = torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(4)\n"
            "scores = additive_scores(queries, keys, ws)"
        ),
        right="tuple(scores.shape)",
        misconceptions=(
            "additive_scores.rows_belong_to_keys",
            "additive_scores.not_added_up",
            "additive_scores.first_query_only",
        ),
        slips={"(2, 3)": "additive_scores.query_i_with_key_i"},
        because=(
            "As with dot products, there is a row for each query and a column for each key. Only the comparison is new."
        ),
    ),
    Question(
        "How many scores are there?",
        given=(
            "queries, keys, ws = torch.ones(3, 4), torch.ones(5, 4), torch.ones(4)\n"
            "scores = additive_scores(queries, keys, ws)"
        ),
        right="scores.numel()",
        misconceptions=("additive_scores.first_query_only", "additive_scores.not_added_up"),
        slips={"3": "additive_scores.query_i_with_key_i"},
        because="Every query is compared with every key: 3 times 5.",
    ),
    Question(
        "One query, 0, and one key, 1, and the weight is 3. What is the score, about? (tanh of 1 is 0.76.)",
        given=(
            "queries, keys, ws = torch.tensor([[0.0]]), torch.tensor([[1.0]]), torch.tensor([3.0])\n"
            "score = additive_scores(queries, keys, ws)"
        ),
        right="score.item()",
        misconceptions=(
            "additive_scores.no_nonlinearity",
            "additive_scores.tanh_after_weighting",
            "additive_scores.subtracted",
            "additive_scores.multiplied_instead_of_added",
        ),
        because="Add, apply `tanh`, weight: 3 times tanh(0 + 1).",
    ),
    Question(
        "All numbers are huge. What is the score?",
        given=(
            "queries, keys, ws = torch.full((1, 4), 50.0), torch.full((1, 4), 50.0), torch.ones(4)\n"
            "score = additive_scores(queries, keys, ws)"
        ),
        right="score.item()",
        misconceptions=(
            "additive_scores.no_nonlinearity",
            "additive_scores.dot_products",
            "additive_scores.mean_instead_of_sum",
        ),
        because=(
            "`tanh` never exceeds 1, so four numbers with weight 1 add up to 4 at most. That is why nothing is "
            "scaled here."
        ),
    ),
    Question(
        "The values have a different width. What is the shape of the output?",
        given=(
            "layer = AdditiveAttention(num_in_features=4, num_out_features=6)\n"
            "queries, keys, values = torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(2, 5, 7)\n"
            "output, weights = layer(queries, keys, values)"
        ),
        right="tuple(output.shape)",
        misconceptions=("AdditiveAttention.first_query_only",),
        slips={
            "(2, 3, 6)": "AdditiveAttention.layer_for_the_values",
            "(2, 5, 7)": "There is a row for each query, not for each key: each query gets one weighted sum.",
        },
        because="One row for each query, as wide as the values, which are not projected.",
    ),
    Question(
        "How many numbers can be trained in this module?",
        given="layer = AdditiveAttention(num_in_features=5, num_out_features=4)",
        right="sum(part.numel() for part in layer.parameters())",
        misconceptions=(
            "AdditiveAttention.layer_for_the_values",
            "AdditiveAttention.concatenated",
            "AdditiveAttention.score_weights_not_registered",
        ),
        because="Two layers of 5 times 4 weights and 4 biases, and `Ws` with 4 weights and 1 bias.",
    ),
)
