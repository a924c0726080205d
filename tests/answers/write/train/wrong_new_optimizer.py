# expect: train wrong optimizer_made_in_each_step
# like: ../by_hand.py
# edit: rise, fall = -> optimizer = torch.optim.AdamW(model.parameters(), lr=peak)
# + rise, fall =
