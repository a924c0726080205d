# Tries to have its error quoted from somebody else's file.
# expect: softmax raised 0
# says: raised ValueError


code = compile("\n" * 999 + "def softmax(x):\n    raise ValueError", "ROOT/autograder/suites/test_softmax.py", "exec")
exec(code, globals())
