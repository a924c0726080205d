"""Questions on the little translator."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "While it learns: what does the decoder read when it is about to write the 8?",
        given="targets = torch.tensor([5, 7, 8, 6])\ninputs = shift_right(targets, start=9)",
        right="inputs[targets == 8].item()",
        misconceptions=("shift_right.not_shifted", "shift_right.shifted_to_the_left"),
        slips={
            "9": "The start word comes before the first word: the decoder reads it when it writes the 5.",
        },
        because="It reads 9, 5, 7, 8 to write 5, 7, 8, 6: each time the word before the one that is wanted.",
    ),
    Question(
        "The keys tell positions, the values are words. The words change their order, the keys do not. What changes?",
        given=(
            "queries, places = torch.tensor([[9.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])\n"
            "words = torch.eye(3)\n"
            "context, weights = cross_attention(queries, places, words)\n"
            "context_after, weights_after = cross_attention(queries, places, words.flip(0))"
        ),
        options={
            "Only the weights: they follow the words.": (
                "torch.allclose(context, context_after) and not torch.allclose(weights, weights_after)",
                "A weight is made of a query and a key. The values are not asked until the weights are there.",
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
        because="Keys say where to look, values say what is found there: it looks at the first position as before.",
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
            "1 / 8": "That is the probability of the right word. The loss is minus its logarithm.",
            "0": "A loss of 0 means that every right word is certain. Here all words are equally likely.",
            "math.log(20)": "It chooses among the words that it can write, and these are those of the other language.",
        },
        because="All eight words have probability 1/8, and -log(1/8) is log(8): good to know when training begins.",
    ),
    Question(
        "Two steps go back through the same loss, and nobody empties `.grad`. What is in it at the end?",
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
            "0": "Nothing empties it by itself, neither `backward` nor the next step.",
        },
        because="3 + 3. So a step would follow all gradients there ever were, unless they are emptied before it.",
    ),
    Question(
        "Four words are written as in this chapter, each after those before it. How many words does the decoder read?",
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
        because="1 + 2 + 3 + 4: the start word, then with one word, with two, with three. The last is never read.",
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
            "(2, 5, 3)": "Rows belong to who looks, and it is the decoder that looks at the five words.",
            "(2, 4, 5)": "Three words are read: the start word and two of those written. The last is not.",
        },
        because="A table for each sentence: a row for each word written, a column for each word of the source.",
    ),
)
