# expect: train wrong one_batch_too_many
# like: ../loops.py
# edit: for batch in batches: -> for t, batch in enumerate(batches):
# +     if t == steps:
# +         break
# edit: if len(losses) == steps: -> if len(losses) > steps:
