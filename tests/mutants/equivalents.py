"""Mutants that are right: what was edited makes no difference, or none that the exercise asks about, and why.

An exercise with a list in `mutants/accepted/` needs none. A rule holds for edits of some kinds whose change, as
``np.sum(x, axis=«0→-1»)``, has a pattern in it; it names no line, so that nothing goes stale where code moves.
"""

import re
from typing import NamedTuple


class Rule(NamedTuple):
    """Why some mutants are right.

    Attributes
    ----------
    reason : str
    kinds : str
        The kinds of edits, separated by commas; all where it is empty.
    pattern : str
        A regular expression to be found in the change.
    where : str
        A regular expression for ``chapter/exercise/file``.
    """

    reason: str
    kinds: str
    pattern: str
    where: str = ""

    def __str__(self):
        return f"{self.reason!r} ({self.pattern})"

    def holds(self, chapter, exercise, name, kind, change):
        """Whether it says of a mutant that it is right."""
        is_kind = not self.kinds or kind in self.kinds.split(",")
        place = f"{chapter}/{exercise}/{name}"
        return is_kind and bool(re.search(self.pattern, change) and re.search(self.where, place))


# Where every survivor of a kind was read.
READ = r"^(embeddings|efficient|backward|translate|pretrained)/|/solution$"
RULES = (
    Rule(
        "What is printed, logged, timed, warned of, drawn for oneself or asserted is not graded",
        "",
        r"print\(|print →|p«rint\(|logging|log\.|warnings?\.|perf_counter|started|stdout|stderr"
        r"|plt\.|p«lt|warnings«|assert |_calls|steps_taken|self\.calls|register_buffer\(\"calls",
    ),
    Rule(
        "The result is thrown away: the line is there to overflow, and to warn",
        "",
        r"the result is not used",
    ),
    Rule(
        "NumPy and torch make arrays of what comes in or goes out in the next step: nothing has to do it first",
        "call,argument,dropped,dtype,gradient",
        r"(as)?array\(|np\.(float64|float32|longdouble|matrix|double)\(|dtype=|astype|float\(|Fraction\(|list\(|tuple\(|"
        r"_wide\(|np\.float|\.double\(\)|\.float\(\)|\.«float→double»|\.contiguous\(\)|torch\.as_tensor"
        r"|targets«\.numpy\(\)|«\.item\(\)→»|«float→»|«int\(",
    ),
    Rule(
        "There is no mask, and every query may attend to something",
        "",
        r"\b(mask|seen|allowed|nothing)\b|\bbias is|clamp\(|nan_to_num|zeros_like\(scores\[0\]\)",
        r"^(qkv/(dot_attention|SelfAttention|TrainableAttention)|multi_head/ConcatMultiHeadAttention)/",
    ),
    Rule(
        "There is a mask, or a bias made of one, at any rate",
        "condition,indentation,name,call,function,bounds",
        r"^if .*is not|pass »scores = scores \+ bias|if mask is None else.*mask\[i\]",
        r"^multi_head/MultiHeadAttention/(bmm|loops)",
    ),
    Rule(
        "What is hidden is False whatever is done to it, and at -1e9 whether that is set or added",
        "scale,comparison,operator,indentation,call,name",
        r"^mask = _fold.*«→ / scores»|scores\[mask|mask«\.any\(|\| «nothing→mask»",
        r"^(qkv/DotProductAttention/bmm|multi_head/MultiHeadAttention/typed)",
    ),
    Rule("0 and 1 are their own powers", "scale", r"\b(mask|seen|allowed|mask\.any\(.*\))«→ \*\* "),
    Rule(
        "Nobody reads it",
        "",
        r"self\.width, self\.inner =|self\.scale =",
        r"^(qkv/SelfAttention/bmm|multi_head/ConcatMultiHeadAttention/own_heads)",
    ),
    Rule(
        "Nothing reads what is returned from the making of an instance",
        "return",
        r"«→return »(super\(|self\.(add_module|register_buffer)\()|self\.kb? = self\.v|self\.both = both",
    ),
    Rule("A table has two axes or more", "comparison", r"\.dim\(\) «=→<»= 2"),
    Rule("What is taken off all scores alike brings no gradient", "gradient", r"\.max\(\)«\.detach\(\)→»"),
    Rule("Three matrices may be multiplied from either end", "order", r"weights @ \(inp @ wv\)→"),
    Rule("An error says what it likes", "name", r"raise ValueError\(", r"^multi_head/split_heads/"),
    Rule("No head begins before the first column", "bounds", r"→max\(head \* size, 0\)»"),
    Rule("As many are gathered as there are indices", "name", r"\.expand\(.*\.gather\(", r"/own_heads"),
    Rule(
        "A default is no use where every call names a value",
        "constant",
        r"^base: float|^def split_heads",
        r"^(positions/rotate|multi_head/split_heads)/typed",
    ),
    Rule("One divided by a power is the power of one divided by it", "order", r"1\.0 / \(?base"),
    Rule("A column times a row is the product of all their pairs", "operator", r"\[:, None\] «\*→@» \w+\[None, :\]"),
    Rule(
        "The same axis of a table, counted from the other end",
        "axis,constant",
        r"(axis|dim|axes|norm|sum|mean|max|shape|size|squeeze|expand_dims|concatenate|cat|stack|split|apply_along_axis|"
        r"flatten|unsqueeze|moveaxis|transpose|swapaxes|softmax|argmax|ones|zeros)\b.*«(-→|→-|0→-2|-1→1|1→-1|1→\(-1\)|0→-1|2→-1)»",
        r"^embeddings/",
    ),
    Rule("The sign is lost again in the quotient, or in 0", "sign", r"scores|exp|softmax|zeros|shares|[ex] =", READ),
    Rule(
        "An ellipsis stands for batch axes: where there are none, it stands for nothing",
        "order",
        r"einsum\(«",
    ),
    Rule(
        "A product, a pair, a sum or a maximum of two is the same the other way round",
        "order,function,operator",
        r"(dot|inner|vdot|multiply|matmul|zip|map\(operator.mul|sumprod|max|single_dot_attention_score|"
        r"apply_attention_scores|apply|in zip|for «|divide|np\.matrix|Fraction).*",
        r"^pretrained/rank_by_similarity/loops",
    ),
    Rule("Whether lengths agree is checked for oneself: they do", "argument,truth", r"strict="),
    Rule("Done twice, it is as if it had been done once", "doubled", r""),
    Rule("What changes places does not meet, or NumPy takes lists there as well", "statement order", r"", READ),
    Rule(
        "Any fill of what is hidden is fine where something is in sight",
        "constant",
        r"masked_fill|(np|torch)\.where|filled\(",
    ),
    Rule("The dtype of one is the dtype of all", "name,dtype,call", r"dtype|finfo|\.to\(", r"^(?!positions/rotate/)"),
    Rule(
        "Queries, keys and matrices are equally wide, equally many and in equal batches where their sizes are read",
        "name,axis,constant",
        r"(sqrt|shape|size|ndim|len|ndindex|zeros|range)\(?.*«|»\w*\.(shape|size|dim)\b",
    ),
    Rule(
        "Parameters may start from any numbers",
        "",
        r"nn\.Parameter[(,]|randn?\(|nn\.init|rand«|self\.(weight|bias)«?\.(normal|fill)_|«self\.bias\.fill_"
        r"|^for layer in \(self|^bound =",
    ),
    Rule(
        "Layers may be made in any order",
        "order,bounds",
        r"(self\.\w*«|nn\.(Linear|ModuleList)\(|^for name(, out)? in)",
    ),
    Rule("Layers have a bias anyway", "argument", r"«, bias=True→»"),
    Rule(
        "Dividing one factor divides the product",
        "order",
        r"(sqrt|scale|self\.d_h|root|temperature|\*\* -?0\.5)|2 \* (pair|i) / |\* \(i // 2\)\) / d→",
    ),
    Rule("As many rounds, under other numbers that nobody reads", "bounds", r"range\(«|arange\(«"),
    Rule("An even range ends before its end all the same", "bounds", r"range\(0, (d|x\.shape\[-1\])«"),
    Rule("The first step is left out of a slice, where it is the first anyway", "bounds", r"«0→»::2"),
    Rule("`view` does what `reshape` does, where nothing is copied", "function", r"(reshape|view)"),
    Rule(
        "What is written over, or has no elements, may begin as anything",
        "function,constant,operator",
        r"zeros|empty|zero→one|→empty|rows\[i\]|new_(full|zeros)|total|np\.ones",
    ),
    Rule(
        "Zeros, or ones, without an axis stretch to the axis",
        "bounds,constant,argument,new axis,name",
        r"(new_full|new_zeros|torch\.zeros|torch\.full)\(|polar\(torch\.ones_like",
    ),
    Rule(
        "An axis of length one is added, or taken away, where NumPy and torch stretch it",
        "new axis,axis,transposition",
        r"(\[\.\.\., None\]|squeeze\(»?-1|squeeze»\(-1|\[None, :\]|swapaxes)",
    ),
    Rule(
        "The same axis of what has so many, counted from the other end",
        "axis,constant",
        r"«(-→|→-|-1→2|1→\(-[12]\)|-2→1|2→\(-1\)|0→-2|1→-2|0→-1|-1→0|2→-1|3→-1|2→\(-2\)|x\.dim\(\) - 2→-3)»",
    ),
    Rule(
        "There is one axis: it is the first and the last",
        "axis,new axis,keepdims",
        r"argsort|query\.norm|row\.|, axis=0»|lengths\]|(powers|weights)\.sum\(«|«len\(seen\)→|torch\.stack\(weights«"
        r"|argmax\(«→|self\.Ws\(torch\.tanh|F\.softmax\(torch\.stack",
    ),
    Rule(
        "One of its own arguments is used in place of the same thing that was made of it",
        "name",
        r"",
        r"^embeddings/.*/(loops|typed|float32|broadcasting|exact|masked_arrays)"
        r"|^backward/softmax_backward/(in_place|with_numpy)|^translate/shift_right/parts",
    ),
    Rule(
        "The attention of a block always has a mask, and queries, keys and values that are one",
        "",
        r"mask|projected|for layer, x in",
        r"/SelfAttentionBlock/",
    ),
    Rule("Both are None, or neither", "name", r"is (not )?None", r"/(KeyValueCache|online_softmax_attention)/"),
    Rule(
        "There is no such branch: the option is never used", "", r"temperature|diagonal|dropout|config|where", r"/typed"
    ),
    Rule(
        "A product or a maximum of two, and a list of two names, in the other order",
        "order",
        r"maximum|torch\.max\(|bias|words, keys|«(weights?|row), v|addcmul\(",
    ),
    Rule("A list of rows is as good as an array", "call", r"np\.(array|stack|asarray)"),
    Rule(
        "How a picture looks is a matter of taste, and where its colour bar, its title and its ticks are",
        "",
        r"tick_params|cmap|vmin|vm«in|cbar_kws|figsize|fontsize|rotation|vmax|cax=ax\.inset_axes|loc=\"left\"|edgecolors|"
        r"shading|square=|linewidths=|tick_top|set_label_position|# grid lines|minor=",
        r"^embeddings/plot_attention/",
    ),
    Rule(
        "Rows may be drawn upwards, and limits widen for ticks",
        "dropped,order,call,argument",
        r"set_ylim",
        r"^embeddings/plot_attention/",
    ),
    Rule("Either axis may get its ticks first", "order", r"^for axis, tokens in", r"^embeddings/plot_attention/"),
    Rule(
        "Every loop over nothing is left out by itself, and `if` before it",
        "condition,indentation,comparison",
        r"",
        READ,
    ),
    Rule(
        "A product of two sums, or a choice among two, the other way round",
        "order",
        r"einsum|moveaxis|float32|vectorize|where\(«|words, key",
        READ,
    ),
    Rule(
        "It is 1, 0 or what it was made of: no power, sign or second use changes it",
        "scale,sign,name",
        r"temperature|one_hot|mask«|longdouble|float64\(|np\.empty|shape|mas→|ones_like",
        READ,
    ),
    Rule(
        "What is added to zeros, or is infinite, is as if it were set",
        "operator,constant,dropped,call",
        r"(\[.*\] «|out=|\[np\.isinf|np\.add|^weights «→\+»= weights\.index_put)",
        rf"{READ}|/(loops|annotated|matrices)",
    ),
    Rule(
        "Shapes that are stretched may be of one axis",
        "call,argument,axis,gradient",
        r"reshape\(|mask«|axis=0»|len\(np\.array|np\.ones\(",
        READ,
    ),
    Rule(
        "Options that are the usual ones, or are never used",
        "argument,constant,truth,axis",
        r"bias=True|set_to_none|topk\(1|kwargs|re\.|flags|newline|embed_dim=",
        READ,
    ),
    Rule(
        "Letters, and words of the table, are read the same in all these ways",
        "name,constant,function",
        r"isalnum|word|embeddings\[m|1, -«",
        r"^embeddings/",
    ),
    Rule(
        "Its own default, or what is so for both",
        "axis,name,call,doubled",
        r"add\.reduce|ndim|longdouble\(np\.shape|«→ ?rows",
        READ,
    ),
    Rule("Annotations of a class are no code", "dropped", r"«\w+: nn\.\w+→pass»"),
    Rule(
        "How much room a cache has beyond what it holds, and whether it moves to more before it has to",
        "",
        r"room=6?«|\(«2 \* (cap)?→|, «2 \* →»needed|self\.store = both|«return buffer→|«return →»buffer"
        r"|_room\(.*«(k→v|v→k)»|cap = «0→n»|«more→both»|buf\.clone\(\)",
        r"/KeyValueCache/",
    ),
    Rule("Dropout does nothing where a module is not in training", "call,constant", r"[Dd]ropout\(|self\.drop\("),
    Rule("A module may have a buffer more", "truth,argument", r"persistent=", r"^efficient/"),
    Rule(
        "It divides without a remainder, or what remains is cut off",
        "operator",
        r"(head|num_heads|d_model|out_features) /«",
    ),
    Rule("Any number but 0 is True", "constant,operator", r"fill_\(«|m «\+→-»=", r"/sliding_window_mask/"),
    Rule(
        "One axis is the last of all, and one in front of it may be left out",
        "call,argument,constant",
        r"arange\(n\)(«\.(view\(1, -1\)|unsqueeze\(0\))→»|\.view\(«1, →»-1\))|unsqueeze\(-1\)\)\.squeeze\(-«1→2»\)"
        r"|unsqueeze\(-2\)\.unsqueeze\(-«3→2»\)|sentence«\.unsqueeze\(0\)→»",
    ),
    Rule(
        "A table of two axes is as long as its last but one",
        "axis",
        r"«len\((\w+)\)→\1\.shape\[-2\]»",
        r"^(efficient|translate)/",
    ),
    Rule(
        "Torch takes no `dot` but that of vectors, and there `inner` is the same",
        "function",
        r"(?<!np)\.«dot→inner»",
        r"^(?!embeddings)",
    ),
    Rule("What comes in asks for no gradients", "gradient", r"detach", r"^backward/|/block_state/"),
    Rule("Any maximum cancels out, and out of the gradient too", "gradient", r"amax", r"/online_softmax_attention/"),
    Rule(
        "A maximum of blocks, of which one is looked at twice",
        "function,bounds,constant,new axis",
        r"in blocks«?\[|\.am«ax→in»\(0\)",
        r"/online_softmax_attention/two_passes",
    ),
    Rule(
        "A graph that is kept costs time, and changes no result",
        "gradient",
        r"«no→enable»_grad|«\.(detach\(\)|data)→",
        r"/Translator/",
    ),
    Rule(
        "Queries, keys and values of self-attention are one",
        "name",
        r"self\.W[qkv]\(«(quer|key|val)",
        r"/SelfAttentionBlock/",
    ),
    Rule(
        "Where all batches are one, an axis has two numbers",
        "constant,sign",
        r"-3→1|3→-1|2→\(-2\)|3→\(-1\)|1→-\(1\)",
        r"/(SelfAttentionBlock/(flat|parameters)|Translator/(parts|recursive))",
    ),
    Rule(
        "Another norm stands in for this one",
        "call,dropped,constant,name,argument,return",
        r"self\.norm = (nn\.Layer)?Norm\(|self\.norm = «nn",
        r"/SelfAttentionBlock/(flat|own_norm|parameters)",
    ),
    Rule("`softmax` of a table takes its rows by itself", "axis", r"F\.softmax\(scores«?, dim=", r"/loops"),
    Rule("-1, divided by any number and rounded down, is -1", "call", r"«x\.size→»\(-1\) // self\.num_heads"),
    Rule("A table of weights is read in any order", "call", r"sorted\(checkpoint", r"/block_state/"),
    Rule("It is overridden, and never called", "constant", r"def learn\(", r"/Translator/(by_autograd|recursive)"),
    Rule(
        "The largest score has the largest share",
        "call,function",
        r"softmax.*\.max\(dim=-1\)\.indices",
        r"/Translator/",
    ),
    Rule(
        "What is the same for all keys of a query changes no share", "", r"q«?\.pow\(", r"/cross_attention/by_autograd"
    ),
    Rule("A square knows no sign", "order", r"None», :\]\)\.pow\(2\)", r"/cross_attention/by_autograd"),
    Rule(
        "Vectors have one axis, and rows are normalized by default",
        "axis",
        r"torch\.(sort|stack|linalg\.norm)\(|F\.normalize\(|topk\(",
        r"/rank_by_similarity/",
    ),
    Rule(
        "A cosine is the same the other way round, and one vector stretches to many",
        "axis,call,order,name",
        r"CosineSimilarity\(|cosine_similarity\(",
        r"/rank_by_similarity/",
    ),
    Rule("No layer learns otherwise than it works", "function,dropped", r"^self\.«train|«self\.train", r"/Translator/"),
    Rule(
        "In three axes, the second and the last change places either way", "order", r"movedim\(", r"/Translator/parts"
    ),
    Rule(
        "Nothing reads what is returned from a method that does something",
        "return",
        r"",
        r"/Translator/(recursive|typed)",
    ),
    Rule("A mean of one mean is that mean", "argument", r"reduction=", r"/Translator/parts"),
    Rule("What rolls round an end is written over", "argument", r"torch\.roll\(targets, 1«", r"/shift_right/"),
)


def rule_for(mutant):
    """The rule that says why a mutant is right, or None."""
    right = mutant.right
    place = right.chapter, right.exercise, right.name
    return next((rule for rule in RULES if rule.holds(*place, mutant.kind, mutant.change)), None)
