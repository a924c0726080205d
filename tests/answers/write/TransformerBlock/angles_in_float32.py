# expect: TransformerBlock passed
# like: plain.py
# edit: torch.arange(0, d, 2, dtype=torch.float64) / d -> torch.arange(0, d, 2) / d
"""Sines and cosines in single precision, which rotate as well."""
