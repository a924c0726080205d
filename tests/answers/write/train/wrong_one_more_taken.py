# expect: train wrong one_batch_too_many
# like: ../loops.py
# edit: for batch in batches: -> for batch in batches:
# +         if len(losses) == steps:
# +             break
# edit:         if len(losses) == steps:
# +             break
# +         schedule.step() ->         schedule.step()
