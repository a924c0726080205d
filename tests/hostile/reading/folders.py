# Tries to list what lies around the kit, at home and beside the other answers.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for folder in ("ROOT/autograder/suites", "ROOT/solutions", "ROOT/tests", "ROOT/.git", os.path.dirname("SECRET")):
        refused(os.listdir, folder)
    for folder in ("ROOT/autograder", "ROOT/exercises", "ROOT"):
        found = set(os.listdir(folder)) - {"worker", "given", "autograder", "exercises", ".venv", "__pycache__"}
        if found and not folder.endswith("site-packages"):
            breach(found)
    return np.zeros(len(x))
