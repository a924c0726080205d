"""Questions on one query."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "There are three hidden units and four annotations. What is the shape of the scores?",
        given=(
            "state = np.array([5, 1, 20])\n"
            "annotations = np.ones((3, 4))  # an annotation in each column\n"
            "scores = dot_attention_score(state, annotations)"
        ),
        right="np.shape(scores)",
        misconceptions=("dot_attention_score.row_matrix_instead_of_a_vector", "dot_attention_score.only_one_score"),
        slips={
            "(3,)": (
                "That is a number for each hidden unit. But a dot product sums over the hidden units, so their "
                "axis disappears."
            ),
            "(3, 4)": "dot_attention_score.element_by_element",
            "(4, 3)": (
                "The three hidden units still have an axis here. But each dot product sums over them, so their "
                "axis disappears."
            ),
            "(1, 4)": "That is one axis too many. The state is a vector, and so is the result.",
            "(4, 1)": "That is one axis too many. The state is a vector, and so is the result.",
        },
        because="Each annotation gets one number. The sum runs over the axis of the hidden units.",
    ),
    Question(
        "Dividing by the sum is the first attempt. What is the first of these weights?",
        given="shares = normalize_by_sum([2, -1, -2])",
        right="shares[0]",
        misconceptions=("normalize_by_sum.sum_of_absolute_values", "normalize_by_sum.softmax_instead_of_normalising"),
        because="The sum is -1, so the best score gets the weight -2. That is why softmax takes exponentials first.",
    ),
    Question(
        "Two scores, 3 and 1. How large is the first weight of softmax, about? (e squared is 7.4.)",
        given="weights = softmax([3, 1])",
        right="weights[0]",
        misconceptions=("softmax.no_exponential", "softmax.argmax", "softmax.sign_flipped"),
        because="Only the difference counts: the first weight is e squared times the second, 7.4 / (7.4 + 1).",
    ),
    Question(
        "All scores grow by 100. What happens to the softmax weights?",
        given="scores = np.array([1.0, 2.0, 4.0])\nbefore, after = softmax(scores), softmax(scores + 100)",
        options={
            "They stay the same.": ("np.allclose(before, after)", ""),
            "They get closer to each other.": (
                "after.max() < before.max() - 1e-6",
                "Dividing by the sum would do that. Softmax depends only on differences, and these are the same.",
            ),
            "The largest takes nearly everything.": (
                "after.max() > before.max() + 1e-6",
                "It would if the scores were multiplied. Adding a number leaves all differences unchanged.",
            ),
        },
        because=(
            "Numerator and denominator are both multiplied by e to the 100. For the same reason, you can subtract "
            "the maximum."
        ),
    ),
    Question(
        "All scores are doubled. Which of the softmax weights grow?",
        given="scores = np.array([1.0, 2.0, 4.0])\nbefore, after = softmax(scores), softmax(2 * scores)",
        options={
            "None: all weights stay the same.": (
                "np.allclose(before, after)",
                "That would be true of dividing by the sum. Softmax depends on differences, and they are "
                "doubled as well.",
            ),
            "Only that of the largest score.": ("(after > before).tolist() == [False, False, True]", ""),
            "Those of the two larger scores.": (
                "(after > before).tolist() == [False, True, True]",
                "The second score was 2 below the largest and is now 4 below it, so its weight falls as well.",
            ),
        },
        because="Larger differences make the weights sharper: the largest one grows, and all others shrink.",
    ),
    Question(
        "The weights are 0.25 and 0.75. What is the first number of the context vector?",
        given=(
            "annotations = [[0, 8],\n"
            "               [4, 4]]  # an annotation in each column\n"
            "applied = apply_attention_scores([0.25, 0.75], annotations)\n"
            "context = calculate_attention_vector(applied)"
        ),
        right="context[0]",
        misconceptions=(
            "apply_attention_scores.weights_scale_rows",
            "calculate_attention_vector.mean_instead_of_sum",
            "calculate_attention_vector.summed_over_hidden_units",
        ),
        because="0.25 times 0 plus 0.75 times 8. The second annotation counts three times as much as the first.",
    ),
)
