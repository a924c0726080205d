# %% [markdown]
# # Template
#
# Say here why this exists, and exactly what is graded. docs/author.md describes how to write a chapter.

# %%
import numpy as np

# %% [markdown]
# ## Softer weights
#
# Softmax can be made softer or sharper: divide the scores by a **temperature** before the exponential. At a high
# temperature the weights are nearly equal. At a low one, nearly all the weight is on the largest score.


# %% exercise="template_weights" points=3
def template_weights(scores, temperature):
    """Turn scores into weights, softer for a higher temperature.

    Parameters
    ----------
    scores : array_like, shape (n,)
    temperature : float
        Positive.

    Returns
    -------
    ndarray, shape (n,)

    Examples
    --------
    >>> np.round(template_weights([1, 2, 3], 2.0), 4).tolist()
    [0.1863, 0.3072, 0.5065]
    """
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float) / temperature
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
    ### END SOLUTION


# %% [markdown] hint="template_weights"
# What happens to the differences of the scores when all of them are divided by 2?
