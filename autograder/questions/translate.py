"""Questions on the little translator."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "During training, what has the decoder read when it predicts the 8?",
        given="targets = torch.tensor([5, 7, 8, 6])\ninputs = shift_right(targets, start=9)",
        right="inputs[targets == 8].item()",
        misconceptions=("shift_right.not_shifted", "shift_right.shifted_to_the_left"),
        slips={
            "9": "The start word comes before the first word: the decoder reads it when it writes the 5.",
        },
        because="It reads 9, 5, 7, 8 to predict 5, 7, 8, 6: each time the word before the one to predict.",
    ),
    Question(
        "The keys encode positions, and the values are words. The order of the words changes, but the keys do "
        "not. What changes?",
        given=(
            "queries, places = torch.tensor([[9.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])\n"
            "words = torch.eye(3)\n"
            "context, weights = cross_attention(queries, places, words)\n"
            "context_after, weights_after = cross_attention(queries, places, words.flip(0))"
        ),
        options={
            "Only the weights: they follow the words.": (
                "torch.allclose(context, context_after) and not torch.allclose(weights, weights_after)",
                "A weight is computed from a query and a key. The values are not used until the weights have "
                "been computed.",
            ),
            "Only the context.": (
                "not torch.allclose(context, context_after) and torch.allclose(weights, weights_after)",
                "",
            ),
            "Neither: the same words are mixed.": (
                "torch.allclose(context, context_after) and torch.allclose(weights, weights_after)",
                "cross_attention.equal_weights",
            ),
        },
        because="Keys say where to look, and values what is found there: it still looks at the first position.",
    ),
    Question(
        "Every parameter is 0. How large is the first loss, about? (The logarithm of 8 is 2.08.)",
        given=(
            "model = Translator(source_size=20, target_size=8, d_model=4)\n"
            "for parameter in model.parameters():\n"
            "    nn.init.zeros_(parameter)\n"
            "losses = model.learn(torch.tensor([[3, 1, 3]]), torch.tensor([[2, 0, 2]]), steps=range(1))"
        ),
        right="losses[0]",
        misconceptions=("Translator.loss_summed",),
        slips={
            "1 / 8": "That is the probability of the correct word. The loss is minus its logarithm.",
            "0": "A loss of 0 means that every prediction is certain and correct. Here all words are equally likely.",
            "math.log(20)": "It chooses among the words that it can write, which are those of the other language.",
        },
        because=(
            "All eight words have probability 1/8, and -log(1/8) is log(8). That is a useful check at the start "
            "of training."
        ),
    ),
    Question(
        "`backward` is called twice for the same loss, and `.grad` is not cleared in between. What does it "
        "contain at the end?",
        exercise="Translator",
        given=(
            "parameter = torch.tensor(0.0, requires_grad=True)\n"
            "for step in range(2):\n"
            "    loss = 3 * parameter\n"
            "    loss.backward()"
        ),
        right="parameter.grad.item()",
        slips={
            "3": "That is the gradient of one step. PyTorch adds it to what is in `.grad` already.",
            "9": "The old gradient and the new one are added up, not multiplied.",
            "0": "Nothing clears it automatically, neither `backward` nor the next step.",
        },
        because="3 + 3. A step would use the sum of all gradients so far, unless they are cleared before it.",
    ),
    Question(
        "Four words are generated as in this chapter, one after the other. How many words does the decoder "
        "read in total?",
        given=(
            "model, read = Translator(5, 5, d_model=4), []\n"
            "model.decoder.register_forward_hook(lambda layer, inputs, output: read.append(inputs[0].shape[1]))\n"
            "words, weights = model.translate(torch.tensor([[0, 1, 2]]), length=4)"
        ),
        right="sum(read)",
        misconceptions=("Translator.reads_the_last_word_only",),
        slips={
            "4 * 4": "In the first round there is only the start word to read, not four words.",
            "3 + 4": "The sentence is read by the encoder. The decoder reads the start word, and what it has written.",
        },
        because=(
            "1 + 2 + 3 + 4: first the start word, then one, two and three generated words as well. The last word "
            "is never read."
        ),
    ),
    Question(
        "Two sentences of five words are translated into three. What is the shape of the weights?",
        given=(
            "model, sources = Translator(9, 9, d_model=4), torch.zeros(2, 5, dtype=torch.long)\n"
            "words, weights = model.translate(sources, length=3)"
        ),
        right="tuple(weights.shape)",
        misconceptions=("Translator.weights_of_the_last_word",),
        slips={
            "(2, 1, 5)": "Translator.weights_of_the_last_word",
            "(2, 5, 3)": "Rows belong to the queries, and here the decoder looks at the five words.",
            "(2, 4, 5)": (
                "Three words are read: the start word and two of the generated words. The last one is not read."
            ),
        },
        because=(
            "There is a matrix for each sentence, with a row for each generated word and a column for each word "
            "of the source."
        ),
    ),
)
