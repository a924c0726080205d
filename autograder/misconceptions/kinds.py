"""Kinds of mistakes: idea and sentence, once. An exercise gives an edit, or a definition, the name of its kind."""

# What comes back ------------------------------------------------------------------------------------------------------

not_returned = """
The call gives back `None`: what is worked out inside is lost when the function ends. A `print` in the function can
still show the right numbers.

Call it once and print what comes back: `print(repr(...))`.

The function should hand its result to the caller, with `return`.
"""

weights_first = """
The two results come in the opposite order, first the weights and then the mixture. Where both have the same shape,
nothing complains.

Print the shapes of both results, where no two sizes of what comes in are equal.

The mixture of the values should come first, the weights second.
"""

weights_not_returned = """
Only one result comes back, the mixture, and the weights that made it are lost.

How many results does the docstring name? How many come out of your call?

Two results should come back: the mixture of the values, and the weights that made it.
"""

scores_instead_of_weights = """
The second result holds the scores as they were before softmax. The first result is right, so the mistake shows only in
the second.

Add up the second result for one query.

The second result should be the weights: those of a query sum to 1.
"""

weights_averaged = """
One table of weights comes back in which all heads are averaged, so nobody can see what any single head looked at.
The output is right.

Print the shape of your weights, and count the axes that the docstring names.

There should be a table of weights for each head.
"""

# Scores ---------------------------------------------------------------------------------------------------------------

not_scaled = """
The scores go into softmax as they are, so the weights come out too sharp, the more so the wider the keys are. With
keys of width 1 nothing shows.

Draw keys of width 4 and of width 1000 at random. How large is the largest weight of a row in each?

The scores should be divided by the square root of the width of queries and keys, before softmax.
"""

divided_by_the_size = """
The scores are divided by the whole width of the keys, so the weights come out too flat. With keys of width 1 it
looks right.

By which factor do your scores differ from the expected ones, for keys of width 4, 9 and 16?

A score should be divided by the square root of the width, because that is how fast the spread of a dot product grows.
"""

multiplied_by_the_root = """
The scores are multiplied by the root of the width, so the weights are sharper than without scaling. With keys of width
1 it looks right.

Make the keys wider, with numbers drawn from the same range. Should the weights get sharper?

Scaling should make scores smaller: they are divided by the square root of the width.
"""

scaled_after_softmax = """
It is the weights that are scaled here, and the scores are not: the rows do not sum to 1 any more. With keys of width
1 nothing shows.

Add up each row of the weights that come back.

The scores should be scaled first; softmax comes after that, and nothing after it, so that rows sum to 1.
"""

scaled_by_the_number_of_heads = """
The scale is the root of the number of heads. Where a head is as wide as there are heads, it is right.

Keep the width of a head and double their number. Should the scores of head 0 change?

The scale should be the root of the width of one head.
"""

scaled_by_the_model_width = """
The scores are divided by the root of all of `d_model`, so the weights come out too flat. With a single head both
widths agree and nothing shows.

How many products does one score add up, with `d_model` 8 and 4 heads?

The scale should be the root of the width of one head, because a score adds up the products of that head only.
"""

scaled_by_the_number_of_keys = """
The scores are divided by the root of how many keys there are, so a longer sentence gets flatter weights. With as
many keys as each has numbers it looks right.

Add a key to your example. Should the scores of the others change?

The scale should be the root of the width of the keys, their last axis: a dot product grows with the numbers it adds up.
"""

size_written_as_a_number = """
The scores are divided by the same number whatever the width of the keys. For keys of one width that may be right.

Call it with keys of width 4 and of width 16. By which number are the scores divided in each?

The width should be read from the shape of the keys.
"""

queries_and_keys_swapped = """
Queries and keys have changed places: each row of the weights belongs to a key. In a square table every shape is
still right.

Call it with 2 queries and 5 keys. What should the shape of the weights be?

Rows of the weights should belong to queries, columns to keys.
"""

first_and_last_axis_swapped = """
The first axis changes places with the last, as in `.T` or `transpose(0, -1)`. For one sentence, a matrix, that is
right; with a batch, the first axis is that of the sentences.

Print the shape of `torch.ones(2, 3, 4).transpose(0, -1)`.

Only the last two axes should change places, counted from the end, whatever stands in front of them.
"""

reshaped_instead_of_transposed = """
The numbers of the keys are counted off anew in rows of another length, as `reshape` and `view` do. The shape fits,
but the numbers stand in the wrong places.

Do it with the matrix `[[1, 2, 3], [4, 5, 6]]`, and print it beside its transpose.

Rows and columns of the keys should change places, so that each key becomes a column.
"""

element_by_element = """
The numbers are multiplied pair by pair, as `*` does, and nothing adds the products up.

Compare the shape of your result with that of the example.

It should be a matrix product, which multiplies and adds, as `@` does.
"""

scores_in_float32 = """
The scores are float32 on the way, which keeps seven digits: 10000.3 becomes 10000.2998, and the exponential turns that
into a difference that shows.

Compare the weights of `[10000.3, 10000.1]` with those of `[0.3, 0.1]`.

The scores should be float64 until the weights are done.
"""

float32_only = """
One factor is float32 whatever comes in, and PyTorch refuses to multiply float32 by float64. As long as all tensors are
float32, it works.

Call it with tensors that are all `torch.float64`, and print the `dtype` of each part on the way.

Numbers should keep the type in which they came in.
"""

matrices_only = """
On a batch this raises an error, as `.t()` does: it transposes a matrix, and nothing with more axes. Without a batch
it is right.

Call it with a tensor of shape (2, 3, 4).

The last two axes should change places, whatever stands in front of them.
"""

batches_only = """
Axes 1 and 2 change places, counted from the front. With exactly one batch axis these are the last two; one sentence
alone raises an error.

Call it with a single sentence, of shape (3, 4), and with one of shape (5, 2, 3, 4).

The axes should be counted from the end: the last two change places.
"""

all_axes_turned = """
All axes come in the opposite order, as `.T` and `np.transpose` put them. For a matrix that is its transpose; in a
batch the sentences end up at the back.

Print `np.ones((2, 3, 4)).T.shape`.

Only the last two axes should change places.
"""

relu_for_tanh = """
The nonlinearity is a ReLU: it makes 0 of all that is negative and lets the rest grow without bound. For small
positive sums it is close to the right one.

Compare `max(0, x)` with `tanh(x)` for x = -2, 0.1 and 5.

The sums of query and key should go through `tanh`.
"""

bent_before_adding = """
Queries and keys go through `tanh` one by one and are added after it, so a key has the same lead over another one
whatever the query is.

Change one query. By how much do the scores of its keys move, each by itself?

Query and key should be added first; `tanh` is taken of their sum.
"""

# Softmax --------------------------------------------------------------------------------------------------------------

over_the_queries = """
The columns of the weights sum to 1, and the rows do not: the queries share each key out among them.

Add up the rows of your weights, then the columns. Which sums should be 1?

Each row, the weights of one query over all keys, should sum to 1.
"""

along_an_axis_counted_from_the_front = """
Softmax runs along axis 1, counted from the front. In one sentence these are the keys; in a batch they are the
queries.

Add up the rows of the weights: for one sentence, then for a batch of two.

Softmax should run along the last axis, the keys, however many axes stand in front.
"""

one_sum_for_everything = """
One softmax runs over all scores at once, so all the weights together sum to 1. With one sentence and one query nothing
shows.

Add up the weights of one row, then all of them.

Each query should have weights of its own that sum to 1.
"""

no_maximum_subtracted = """
The softmax inside overflows for large scores, and infinity divided by infinity is NaN. For scores near 0 the result is
right.

Try scores near 1000. What does `exp` give for them?

The largest score of each row should be subtracted first; `torch.softmax` does that, too.
"""

one_maximum_for_everything = """
One maximum, that of all scores together, is subtracted from every row. In rows far below it all exponentials become 0,
and 0 / 0 is NaN. Rows whose scores are all near that maximum are right.

Try two rows of scores that are 2000 apart.

From each row its own largest score should be subtracted.
"""

divided_by_the_sum = """
The weights are the scores divided by their sum. They sum to 1, which looks right, but where scores of both signs meet,
some weights are negative.

Try the scores `[2, -1, -2]`. Which of the weights are negative?

The weights should be the softmax of the scores.
"""

argmax = """
All the attention of a query goes to its best key, and none to the others. Where one score towers above the rest,
softmax looks nearly the same.

Give it two keys whose scores are almost equal. What should their weights be?

Every key should get its share, as softmax gives it.
"""

keys_mixed_instead_of_values = """
The output is a mixture of the keys, and the values change nothing. Where both are the same tensor, it looks right.

Double the values. What should happen to the output, and what does?

The weights should mix the values.
"""

no_exponential = """
The scores are divided by their sum as they are. The weights sum to 1, which looks right, but where scores of both signs
meet, some weights are negative.

Try the scores `[2, -1, -2]`. Which of the weights are negative?

The exponentials of the scores should be divided by their sum.
"""

minimum_subtracted = """
The smallest score is subtracted before `exp`, so the large ones stay large and overflow. For scores that lie close
together the result is right.

Try `[0, 1000]`. What becomes of the larger one?

The largest score should be subtracted, so that no exponent is above 0.
"""

logarithm_of_softmax = """
What comes back is the logarithm of the weights: all numbers are 0 or less. Their order is right, but they are no
shares.

Add up your result, then add up its `exp`.

The weights should lie between 0 and 1 and sum to 1.
"""

scores_for_weights = """
The raw scores mix the values and come back as weights. Tokens with a larger score count more, so it looks plausible,
but rows do not sum to 1.

Add up each row of the weights that come back.

Softmax should make weights of the scores before anything is mixed.
"""

softmax_from_the_front = """
Softmax runs along axis 1. Without a batch these are the keys; on a batch, axis 1 counts the queries.

Add up the rows of the weights for one sentence, and for a batch of two.

Softmax should run along the last axis, whatever stands in front.
"""

weights_cut_from_the_graph = """
The numbers are right, but no gradient passes through the attention weights, so queries and keys can never learn.
Before any training nothing shows.

Let all that goes in ask for gradients, and call `backward()` on the sum of the output. What has a gradient?

The gradient should flow through the weights back to queries and keys.
"""

tokens_mixed_instead_of_values = """
The weights mix the tokens themselves, and the projection `wv` has no part in the output.

Double `wv`. What should happen to the output, and what does?

The weights should mix the values, the tokens projected by `wv`.
"""

# Masks ----------------------------------------------------------------------------------------------------------------

mask_ignored = """
The mask changes nothing: hidden keys get weight like all others. With a mask that is `True` everywhere it is right.

Call it with and without a mask that hides the last key, and compare.

A hidden key should get the weight 0, and the visible ones should sum to 1.
"""

mask_inverted = """
The mask works the wrong way round: what a query may attend to is hidden from it, and what it may not attend to is
visible.

Hide one key and look at its column of the weights. In `masked_fill` a `True` fills, and in `nn.MultiheadAttention` it
hides.

`True` should mean that the query may attend to the key.
"""

tiny_number_for_a_large_one = """
Hidden scores become something near 0, such as 1e-9 or -1e-9, perhaps in place of -1e9: `exp` of it is 1, so hidden keys
still get weight.

Print `-1e-9` and `-1e9` beside each other, and `exp` of both.

A hidden key should get the weight 0, whatever its value is.
"""

hidden_scores_set_to_zero = """
Hidden scores become 0, as multiplying by the mask makes them, but `exp(0)` is 1, so hidden keys still get weight.
Among very large scores it does not show.

Change the value of a hidden key. Does the output move?

The score of a hidden key should be so low that nothing is left of its exponential.
"""

masked_after_softmax = """
Hidden weights become 0 after softmax has shared 1 out, so their shares are lost to the visible ones. With everyday
scores the proportions of these are right.

Add up the rows of the weights under a mask.

Hidden keys should be left out before softmax, so that the visible ones share the whole 1.
"""

nan_for_empty_rows = """
A query that may attend to nothing gets NaN for all its weights, which spoils everything it meets. All other rows are
right.

Work out by hand: softmax of a row in which every score is minus infinity.

A query without any visible key should get weights that are all 0.
"""

equal_weights_for_empty_rows = """
A query that may attend to nothing gets equal weights for keys that are all hidden from it. With everyday scores all
other rows are right.

Hide all keys from one query. What does softmax make of equal scores, however low?

A query without any visible key should get weights that are all 0.
"""

asked_whether_the_mask_is_true = """
The mask is used as a single yes or no, as in `if mask:`, and Python raises an error, because a mask holds many
values. Without a mask it works.

Make a mask of two values, and call `bool` on it.

The only question to ask of the whole mask should be whether there is one: `mask is not None`.
"""

large_positive_fill = """
Hidden scores become very large numbers, so hidden keys get all of the attention.

Hide one key. What is its weight now?

The score of a hidden key should be so low that its weight is 0.
"""

# Layers ---------------------------------------------------------------------------------------------------------------

no_bias = """
The projections have no bias: of zeros they make zeros. As long as the biases are 0, the output is the same.

Print the names of the parameters, and compare them with those in the docstring.

Every `nn.Linear` should have its bias, which is what it has by default.
"""

output_projection_not_used = """
The merged heads come back as they are: `Wo` exists and has no part in the result, so it never learns.

Double the weights of `Wo`. Does the output change?

The merged heads should go through `Wo`, which mixes them.
"""

keys_projected_like_queries = """
The keys go through the layer of the queries, and `Wk` has no part in the result, so it never learns.

Double the weights of `Wk`. Does anything change?

Keys should go through `Wk`.
"""

values_projected_like_keys = """
The values go through the projection of the keys, and `Wv` has no part in the result, so it never learns.

Double the weights of `Wv`. Does the output change?

Queries, keys and values should each go through a projection of their own.
"""

all_from_the_queries = """
Keys and values are made from the queries, and the other two arguments change nothing. In self-attention all three
are the same, so it looks right.

Call it with keys that differ from the queries.

Keys and values should be made from the arguments of these names.
"""

init_of_the_module_left_out = """
Making the module raises an error, because `nn.Module` has not been set up when its first parameter or layer is stored.

Read the last line of the error: which call does it say comes too late, or never?

`super().__init__()` should be the first line of `__init__`.
"""

interleaved = """
The numbers of a token are dealt out to the heads in turn, like cards. Every shape is right, and with one head the
numbers are, too.

Split `[[0., 1., 2., 3.]]` into two heads. Which numbers does head 0 get?

Each head should get one block of neighbouring numbers.
"""

asserted = """
Where the heads do not divide the width, an `AssertionError` is raised, as by `assert`, which `python -O` leaves out
altogether.

Which type of error does the docstring name under "Raises"?

It should be a `ValueError`.
"""

# Words ----------------------------------------------------------------------------------------------------------------

never_lower_cased = """
A word is looked up only as it is spelled, so "The" at the start of a sentence counts as unknown. In a text without
capitals nothing shows.

Look up "The" in a table that knows "the".

Where the exact word is unknown, its lower-case form should be tried.
"""

lower_case_first = """
The lower-case form is preferred to the exact word. That shows only where the table knows both.

In a table with "Apple" and "apple": which of them should "Apple" get, and which does it?

The exact word should come first; lower case only where that fails.
"""

asked_with_or = """
A whole vector is asked whether it is true, as `or` and `if vector:` do, and NumPy raises an error, because a vector
holds many values. With lists for vectors it works.

Try `bool(np.array([0.5, 0.25]))` in a line of its own.

The question should be whether the word is in the table, not whether its vector is true.
"""

one_column_a_word = """
Each word is a column of the result. With as many words as numbers in a vector the shape still looks right.

Embed three words in a table of vectors of length 2, and print the shape.

There should be one row for each word.
"""

divided_to_whole_numbers = """
The scores are rounded down when they are divided, as `//` does it: only whole numbers are left. Where all quotients are
whole it is right.

Print `3 / 2` and `3 // 2`.

Scores should keep their fractions.
"""

sigmoid_in_place_of_softmax = """
Each score becomes a weight between 0 and 1 on its own, as a sigmoid makes it, and the weights of a query sum to
anything.

Add up a row of your weights.

The weights of a query should share 1 out among the keys: a key can only gain what the others lose.
"""

names_without_self = """
What `__init__` makes has names that are known only there, without `self.`, and is gone when it ends: the module holds
none of it.

Print `vars(layer)`, or `list(layer.parameters())`.

What a module is to keep should be an attribute of it.
"""
