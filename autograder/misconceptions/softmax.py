"""Mistakes seen in answers to softmax."""

no_maximum_subtracted = {" - scores.max()": ""}
"""The exponentials of large scores overflow, and infinity divided by infinity is NaN. For scores near 0 the weights are
right.

What does `np.exp(927)` give? And what happens to the weights if you subtract the same number from all scores?

The largest score should be subtracted from all of them first. The weights stay the same, because only differences
count.
"""

float128 = {
    "dtype=float": "dtype=np.longdouble",
    " - scores.max()": "",
    "exponentials / exponentials.sum()": "(exponentials / exponentials.sum()).astype(float)",
}
"""A wider type of number only moves the overflow further out: `exp(20000)` is too large for it, too, and `exp(-20000)`
is 0. On Windows and on Arm Macs NumPy has no `float128` at all.

Try the scores `[20000, 19999]`.

Scores of any size should give weights, and `float64` should be enough for them: subtracting the largest score sees to
it.
"""

no_exponential = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return scores / scores.sum()"
}

argmax = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return (np.arange(len(scores)) == scores.argmax()).astype(float)"
}
"""All the weight goes to the largest score. Where one score is far above the rest, softmax gives nearly the same.

Try `[1, 1.1]`. Should the first get nothing?

Every score should get a share, the larger ones more.
"""

not_returned = {"return exponentials": "exponentials"}

not_divided_by_the_sum = {" / exponentials.sum()": ""}
"""These are the exponentials of the shifted scores: the largest of them is 1. Their proportions are right, but they are
no shares.

Add up your result.

Each exponential should be divided by the sum of all of them.
"""

exponentials_alone = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return np.exp(scores)"
}
"""This is the exponential of every score and no more: positive numbers in the right order, but no shares.

Add up your result. What stands below the fraction line in the formula?

Each exponential should be divided by the sum of all of them. Scores near 927 come after that.
"""

shifted_above_only = {"exponentials.sum()": "np.exp(scores).sum()"}
"""The shift by the largest score acts above the fraction line and not below it, so the weights do not sum to 1. Where
the largest score is 0, nothing shows.

Add up your result for `[0, 0]` and for `[5, 5]`.

The same exponentials should stand above and below the line.
"""

divided_by_the_largest = {" - scores.max()": "", "exponentials.sum()": "exponentials.max()"}
"""The exponentials are divided by the largest of them, which becomes 1. Their proportions are right, but they are no
shares.

Add up your result.

Each exponential should be divided by the sum of all of them.
"""

minimum_subtracted = {"scores.max()": "scores.min()"}

mean_subtracted = {"scores.max()": "scores.mean()"}
"""The mean is subtracted before `exp`, so scores far above it still overflow. Where the scores lie close together, it
is right.

Try `[0, 0, 3000]`. How far above the mean is the largest?

The largest score should be subtracted, so that no exponent is above 0.
"""

divided_by_the_maximum_first = {"scores - scores.max()": "scores / scores.max()"}
"""All scores are divided by the largest, which changes the differences between them, and with them the weights. Where
the largest is 1, nothing shows.

Compare the weights of `[1, 2]` and of `[10, 20]`. Should they be the same?

The differences between the scores should stay as they are: a shift keeps them.
"""

clipped = {"scores - scores.max()": "np.clip(scores, -500, 500)"}
"""Scores beyond a limit are cut off, so large scores that differ become equal. Where all scores are moderate, nothing
shows.

Try `[927, 929]`. Which weights should two scores get that are 2 apart?

Scores of any size should keep their differences.
"""

clipped_further_out = {"scores - scores.max()": "np.clip(scores, -700, 700)"}
"""Scores beyond some hundreds are cut off, so large ones that differ become equal. Where all scores are moderate,
nothing shows.

Try `[927, 929]`. Which weights should two scores get that are 2 apart?

Scores of any size should keep their differences.
"""

logarithm_of_softmax = {"exponentials / exponentials.sum()": "np.log(exponentials / exponentials.sum())"}

sign_turned_round = {"np.exp(scores - scores.max())": "np.exp(-scores)"}
"""The smallest score gets the largest weight. The weights sum to 1, which looks right.

Try `[0, 5]`: which of the two should get more?

Weights should grow with the scores.
"""

two_for_e = {"np.exp(": "np.exp2("}
"""The weights are powers of 2, not of e, so they come out too flat. They sum to 1, and their order is right.

For scores that are 1 apart, divide the larger weight by the smaller. Which number comes out?

The base should be e: scores that are 1 apart get weights in the ratio 2.718 to 1.
"""

integers_stay_integers = {
    "scores = np.asarray(scores, dtype=float)": "scores = np.asarray(scores)",
    "return exponentials / exponentials.sum()": """
        weights = np.zeros_like(scores)
        weights[:] = exponentials / exponentials.sum()
        return weights
    """,
}
"""Whole scores give whole weights: everything below 1 is cut down to 0. With floats it is right.

Call it with `[1, 2]` and with `[1.0, 2.0]`, and print the `dtype` of both results.

Weights should be floats, whatever type the scores have.
"""

changes_its_input = {
    "scores = np.asarray(scores, dtype=float)\nexponentials = np.exp(scores - scores.max())": """
        scores = np.asarray(scores)
        if scores.dtype.kind != "f":
            scores = scores.astype(float)
        scores -= scores.max()
        exponentials = np.exp(scores)
    """
}
"""The weights are right, but after the call the scores are no longer what they were.

Print the scores before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""

largest_absolute_value_subtracted = {"scores.max()": "np.abs(scores).max()"}
"""Where all scores lie below 0, nothing is subtracted, or a number above the largest of them. Far below it all
exponentials become 0, and 0 / 0 is NaN.

Try `[-1000, -999]`.

The largest score should be subtracted as it stands, sign included.
"""

scores_in_float32 = {"dtype=float": "dtype=np.float32"}
