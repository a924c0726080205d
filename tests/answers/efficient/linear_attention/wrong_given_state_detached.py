# expect: linear_attention wrong given_state_detached
# like: one_after_the_other.py
# edit: state[0].clone(), state[1].clone() -> (part.detach().clone() for part in state)
"""What is given is copied without its graph."""
