"""Questions on efficient attention."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "Ten words are generated, and the whole text so far is projected again for each. How many keys are computed?",
        exercise="KeyValueCache",
        given=(
            "words, Wk, computed = torch.ones(10, 4), nn.Linear(4, 4), 0\n"
            "for n in range(1, 11):\n"
            "    computed += len(Wk(words[:n]))"
        ),
        right="computed",
        slips={
            "len(words)": "That many are needed. Without a cache, the key of the first word is computed ten times.",
            "len(words) ** 2": "Ten in each step would be too many: in the first step there is only one word.",
        },
        because="1 + 2 + ... + 10. It grows with the square of the length; with a cache it would be 10.",
    ),
    Question(
        "Two texts, four heads, keys of width 8. Three words are appended, then three more. What is the shape "
        "of all keys?",
        given=(
            "cache, k, v = KeyValueCache(), torch.ones(2, 4, 3, 8), torch.ones(2, 4, 3, 8)\n"
            "cache.append(k, v)\n"
            "all_k, all_v = cache.append(k, v)"
        ),
        right="tuple(all_k.shape)",
        misconceptions=(
            "KeyValueCache.only_the_new_words",
            "KeyValueCache.joined_along_the_heads",
            "KeyValueCache.joined_along_the_first_axis",
            "KeyValueCache.joined_along_the_last_axis",
        ),
        because="Only the number of words grows: their axis is the second from the end.",
    ),
    Question(
        "How many numbers does a cache keep for each word of this layer?",
        given="layer = GroupedQueryAttention(d_model=128, num_heads=8, num_kv_heads=4)",
        right="layer.Wk.out_features + layer.Wv.out_features",
        misconceptions=(
            "GroupedQueryAttention.as_many_key_heads_as_query_heads",
            "GroupedQueryAttention.always_one_key_head",
        ),
        slips={"layer.Wk.out_features": "These are only its keys. Without the values, there is nothing to average."},
        because=(
            "The width of a head is 128 / 8 = 16. Four heads of keys and four of values make 2 * 4 * 16, half as "
            "many as before."
        ),
    ),
    Question(
        "Query heads and key heads are counted from 0. Which key head does query head 5 use?",
        given=(
            "layer = GroupedQueryAttention(d_model=16, num_heads=8, num_kv_heads=4)\n"
            "x = torch.eye(3, 16)\n"
            "output, weights = layer(x, x, x)  # those of query head 5 are weights[5]"
        ),
        # The key head whose rows of Wk affect the weights of query head 5.
        right=(
            "torch.autograd.grad(weights[5, 0, 0], layer.Wk.weight)[0]"
            ".unflatten(0, (4, -1)).abs().sum((1, 2)).argmax().item()"
        ),
        misconceptions=(
            "GroupedQueryAttention.repeat_instead_of_repeat_interleave",
            "GroupedQueryAttention.first_key_head_for_all_queries",
        ),
        slips={"5": "There are only four key heads, 0 to 3, and eight query heads to share them."},
        because="Adjacent heads share: 0 and 1 use key head 0, 2 and 3 use key head 1, 4 and 5 use key head 2.",
    ),
    Question(
        "There are three layers, each with this mask. From how many earlier words can information reach the last word?",
        given=(
            "mask = sliding_window_mask(20, 4).double()\n"
            "ways = mask @ mask @ mask  # how many there are from each word to each other\n"
            "reached = (ways[-1, :-1] > 0).sum()"
        ),
        right="reached.item()",
        misconceptions=(
            "sliding_window_mask.one_word_too_many",
            "sliding_window_mask.one_word_too_few",
            "sliding_window_mask.window_ignored",
        ),
        slips={"3": "One layer reaches that far. But these words also carry information from the layer before."},
        because=(
            "A window of 4 contains the word itself and 3 words before it, so each layer reaches 3 words further back."
        ),
    ),
    Question(
        "Two keys in blocks of one have the scores 0 and log(3), and the values 1 and 0. What is the output?",
        given=(
            "q, k, v = torch.tensor([[1.0]]), torch.tensor([[0.0], [math.log(3)]]), torch.tensor([[1.0], [0.0]])\n"
            "output = online_softmax_attention(q, k, v, block_size=1)"
        ),
        right="output.item()",
        misconceptions=(
            "online_softmax_attention.separate_softmax_for_each_block",
            "online_softmax_attention.softmaxes_added_up",
            "online_softmax_attention.output_not_corrected",
            "online_softmax_attention.sum_not_corrected",
        ),
        because=(
            "The result is exact: the exponentials are 1 and 3, so the weights are 1/4 and 3/4, however the keys "
            "are split."
        ),
    ),
)
