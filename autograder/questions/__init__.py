"""Questions to think about before coding: one file of plain data for each chapter (docs/author.md)."""
