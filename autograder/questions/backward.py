"""Questions on the backward pass."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "What is the gradient of the first score?",
        given=(
            "weights = torch.tensor([[0.25, 0.75]])\n"
            "grad = torch.tensor([[4.0, 8.0]])  # of the weights\n"
            "back = softmax_backward(weights, grad)"
        ),
        right="back[0, 0].item()",
        misconceptions=(
            "softmax_backward.diagonal_only",
            "softmax_backward.average_not_subtracted",
            "softmax_backward.not_multiplied_by_the_weights",
            "softmax_backward.plain_average",
        ),
        because="The average, counted by weight, is 1 + 6 = 7. 4 is 3 below it, and the weight is 0.25.",
    ),
    Question(
        "The gradients of all weights grow by 100. What happens to the gradients of the scores?",
        given=(
            "weights, grad = torch.tensor([[0.25, 0.75]]), torch.tensor([[4.0, 8.0]])\n"
            "growth = softmax_backward(weights, grad + 100) - softmax_backward(weights, grad)"
        ),
        options={
            "They grow by 100.": (
                "torch.allclose(growth, torch.tensor(100.0))",
                "softmax_backward.gradient_returned_unchanged",
            ),
            "They grow by 25 and by 75.": (
                "torch.allclose(growth, 100 * weights)",
                "softmax_backward.average_not_subtracted",
            ),
            "Nothing.": ("torch.allclose(growth, torch.tensor(0.0), atol=1e-4)", ""),
        },
        because=(
            "The weights always sum to 1, so a gradient that all of them have in common has no effect on the scores."
        ),
    ),
    Question(
        "The third key is hidden, so its weight is 0. What is the gradient of its score?",
        given=(
            "weights = torch.tensor([[0.5, 0.5, 0.0]])\n"
            "grad = torch.tensor([[10.0, 30.0, 500.0]])\n"
            "back = softmax_backward(weights, grad)"
        ),
        right="back[0, 2].item()",
        misconceptions=(
            "softmax_backward.gradient_returned_unchanged",
            "softmax_backward.not_multiplied_by_the_weights",
        ),
        because=(
            "The effect of a score is proportional to its weight: a key with weight 0 learns nothing, however "
            "large `grad` is."
        ),
    ),
    Question(
        "Three queries, five keys, in each of two sentences. What is the shape of the third gradient?",
        given=(
            "q, k, v = torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(2, 5, 6)\n"
            "gradients = attention_backward(q, k, v, torch.ones(2, 3, 6))"
        ),
        right="tuple(gradients[2].shape)",
        misconceptions=("attention_backward.gradients_in_order_v_q_k", "attention_backward.added_up_over_the_batch"),
        slips={
            "(2, 3, 6)": (
                "That is the shape of the incoming gradient, which belongs to the output. The third gradient "
                "returned belongs to `v`."
            )
        },
        because="A gradient has the same shape as the array it belongs to, and the third argument is `v`.",
    ),
    Question(
        "The keys are 4 wide. What is the gradient of the queries?",
        given=(
            "q, k, v, grad_output = torch.arange(48.0).reshape(4, 3, 4).sin()\n"
            "weights = torch.softmax(q @ k.T / 2, dim=-1)\n"
            "grad_scores = softmax_backward(weights, grad_output @ v.T)\n"
            "grad_q, grad_k, grad_v = attention_backward(q, k, v, grad_output)"
        ),
        options={
            "grad_scores @ k": (
                "torch.allclose(grad_q, grad_scores @ k)",
                "attention_backward.not_scaled_in_the_backward_pass",
            ),
            "grad_scores @ q / 2": (
                "torch.allclose(grad_q, grad_scores @ q / 2)",
                "attention_backward.gradients_of_queries_and_keys_swapped",
            ),
            "grad_scores @ k / 2": ("torch.allclose(grad_q, grad_scores @ k / 2)", ""),
            "grad_scores @ k * 2": (
                "torch.allclose(grad_q, grad_scores @ k * 2)",
                "attention_backward.scale_inverted_in_the_backward_pass",
            ),
        },
        because=(
            "The forward pass multiplies by the keys and divides by 2, the square root of 4. The backward pass "
            "does the same."
        ),
    ),
    Question(
        "You compute all three gradients with finite differences, up and down. How often is the loss computed?",
        exercise="attention_backward",
        given="q, k, v = torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 5)",
        right="2 * (q.numel() + k.numel() + v.numel())",
        slips={
            "q.numel() + k.numel() + v.numel()": (
                "Each number is increased once and decreased once, which takes two losses."
            ),
            "2": "Each number is changed separately: changing all of them together does not show the effect of one.",
            "6": "A tensor has a gradient for each of its numbers, and each number is changed separately.",
        },
        because=(
            "There are 8 + 12 + 15 = 35 numbers with two losses each. A single backward pass gives all 35 gradients."
        ),
    ),
)
