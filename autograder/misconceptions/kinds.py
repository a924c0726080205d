"""Kinds of mistakes: idea and sentence, once. An exercise gives an edit, or a definition, the name of its kind."""

# What comes back ------------------------------------------------------------------------------------------------------

not_returned = "Nothing comes back: the result may have been computed, but the `return` that hands it back is missing."

weights_first = "The two results are in the wrong order: the weights come second."

weights_not_returned = "Only the first of the two results comes back: return the weights as well, after it."

scores_instead_of_weights = "The second result holds the scores: return the weights that softmax made of them."

weights_averaged = """
The weights are averaged over the heads, and what each head looked at is lost: return those of every head.
"""

# Scores ---------------------------------------------------------------------------------------------------------------

not_scaled = """
The scores are not scaled: divide them by the square root of the width of queries and keys, before softmax.
"""

divided_by_the_size = "The scores are divided by the width of the keys itself: divide by its square root."

multiplied_by_the_root = "The scores are multiplied by the square root, which makes them larger still: divide."

scaled_after_softmax = "The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."

scaled_by_the_model_width = """
The scale is the root of d_model: a score adds up the products of one head only, so take the width of a head.
"""

scaled_by_the_number_of_keys = """
The scores are scaled by the number of keys: it is their width, the last axis, that makes dot products large.
"""

size_written_as_a_number = "The width of the example is written into the code: read it from the shape of the keys."

queries_and_keys_swapped = """
Queries and keys changed places: rows of the weights belong to queries, columns to keys.
"""

first_and_last_axis_swapped = """
`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

On one sentence the two are the same. Count the axes from the end.
"""

reshaped_instead_of_transposed = """
The keys are reshaped, which only counts their numbers off anew: to turn rows into columns, swap two axes.
"""

element_by_element = """
`*` multiplies element by element and adds nothing up: a matrix product is meant.

`@` multiplies and adds.
"""

float32_only = """
One part is turned into float32, and a product of float32 and float64 is refused: keep the type that came in.
"""

matrices_only = """
`.t()` turns one matrix and refuses a batch: swap the last two axes, whatever stands in front of them.
"""

batches_only = "Axes 1 and 2 are swapped, which needs exactly one batch axis: count them from the end."

all_axes_turned = "`.T` turns all axes round, the batch axis too: swap only the last two."

relu_for_tanh = "The bend is a ReLU, which cuts off what is negative and lets all else grow: here it is `tanh`."

bent_before_adding = """
Queries and keys are bent one by one and then added, so that they never meet inside the bend: add first.
"""

# Softmax --------------------------------------------------------------------------------------------------------------

over_the_queries = """
Softmax runs over the queries, so that columns sum to 1: each query's row should.

Weights sum to 1 along the axis that softmax is given. Which axis of the scores are the keys?
"""

along_an_axis_counted_from_the_front = """
Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end.
"""

one_sum_for_everything = """
One softmax runs over the whole table: each query needs weights of its own that sum to 1.
"""

no_maximum_subtracted = """
The softmax inside overflows for large scores: subtract the largest score of each row, or use `torch.softmax`.
"""

one_maximum_for_everything = """
One maximum is subtracted from the whole table, and rows far below it end in 0/0: take each row's own.
"""

divided_by_the_sum = """
The scores are divided by their sum without the exponential, and some weights are negative: use softmax.
"""

argmax = "All the attention of a query goes to its best key: softmax gives every key its share."

keys_mixed_instead_of_values = "The keys are mixed by the weights: what a query gets to see are the values."

no_exponential = """
The scores are divided by their sum without the exponential: negative scores give negative weights.

Exponentiate first, then divide.
"""

minimum_subtracted = """
The smallest score is subtracted here, which leaves the large ones large: subtract the largest.
"""

logarithm_of_softmax = "This is the logarithm of the weights: take `exp` of it, or leave the `log` away."

scores_for_weights = """
Softmax is left out: what mixes the values and comes back are the scores, whose rows do not sum to 1.
"""

softmax_from_the_front = """
`softmax(dim=1)` runs over the keys of one sentence; on a batch axis 1 counts queries. Use the last axis.
"""

weights_cut_from_the_graph = """
The attention weights are detached before they mix the values, so that queries and keys could never learn.
"""

tokens_mixed_instead_of_values = """
The tokens themselves are mixed by the weights: mix their values, which `wv` makes.
"""

# Masks ----------------------------------------------------------------------------------------------------------------

mask_ignored = "The mask changes nothing: hidden keys have to be hidden before softmax."

mask_inverted = """
The mask is read the wrong way round: `True` means that the query may attend to the key.

`masked_fill` fills where its condition is `True`. And in `nn.MultiheadAttention` a mask means the opposite.
"""

tiny_number_for_a_large_one = """
Hidden scores are set to -1e-9, which is nearly 0, and exp(0) is 1: use a large negative number, such as -1e9.
"""

hidden_scores_set_to_zero = """
Hidden scores are set to 0, as multiplying by the mask does, but exp(0) is 1, so that hidden keys still count.

The score has to be so low that nothing is left of its exponential.
"""

masked_after_softmax = """
The mask is applied to the weights, so that rows sum to less than 1: hide the scores, before softmax.
"""

nan_for_empty_rows = """
A row that may attend to nothing becomes NaN, and spoils everything it meets: give it the weights 0.

Minus infinity in every place leaves softmax nothing to divide. Where do you know which weights have to be 0?
"""

equal_weights_for_empty_rows = """
A row that may attend to nothing gets equal weights for keys that are all hidden from it: they should be 0.

A large negative number avoids the NaN, but softmax still shares 1 out. Who can take it back?
"""

asked_whether_the_mask_is_true = """
`if mask:` asks whether many values at once are true, which nobody can say: ask `if mask is not None`.
"""

large_positive_fill = """
Hidden scores are set to a large *positive* number, so that all attention goes to them: its sign is missing.
"""

# Layers ---------------------------------------------------------------------------------------------------------------

no_bias = "The layers have no bias: the text names `nn.Linear` with bias."

output_projection_not_used = """
The layer `Wo` is there, but has no part in the result: the merged heads have to go through it.
"""

values_projected_like_keys = """
The values go through the layer of the keys, and `Wv` learns nothing: project each with its own.
"""

all_from_the_queries = """
Keys and values are made from the queries, which is right for self-attention only: use the arguments given.
"""

init_of_the_module_left_out = """
`super().__init__()` is missing, and without it a module cannot register anything: call it first.
"""

interleaved = """
Numbers are dealt out to the heads in turn, like cards: each head should get one block of neighbours.
"""

asserted = "An `assert` raises an AssertionError, and none at all under `python -O`: raise a `ValueError`."

# Words ----------------------------------------------------------------------------------------------------------------

never_lower_cased = """
Only the exact word is looked up, so that "The" at the start of a sentence is unknown: then try lower case.
"""

lower_case_first = """
Lower case is tried first, and the exact word only when that fails: the other way round.

Where the table has both "Apple" and "apple", which of them does "Apple" get?
"""

asked_with_or = """
`or` asks whether a whole vector is true, which an array does not answer: ask whether the word is in the table.

`get` takes a second argument for the case that nothing is found.
"""

one_column_a_word = "Each word is a column here: rows are words."
