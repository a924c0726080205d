# expect: sample wrong
# like: multinomial.py
# edit: temperature=1.0 -> temperature=0.5
"""Half as hot where nobody says how hot."""
