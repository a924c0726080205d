# expect: train_step wrong mode_left_alone
# like: plain.py
# edit: model.train() -> loss = next_token_loss(model(tokens), tokens)
# edit: loss = next_token_loss(model(tokens), tokens) -> nothing
"""Nobody thinks of the mode."""
