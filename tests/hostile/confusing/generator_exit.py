# Tries to raise what Python uses within.
# expect: softmax raised 0
# says: GeneratorExit


def softmax(x):
    raise GeneratorExit
