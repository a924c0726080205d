"""Chapters and answers: their files, cells and names. Nothing in this package runs their code."""
