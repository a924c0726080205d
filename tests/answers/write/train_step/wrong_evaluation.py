# expect: train_step wrong training_mode_not_set
# like: plain.py
# edit: model.train() -> loss = next_token_loss(model(tokens), tokens)
# edit: loss = next_token_loss(model(tokens), tokens) -> nothing
"""Nobody thinks of the mode."""
