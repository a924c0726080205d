"""The notebook magics: `%check`, `%predict` and others."""
