"""The book: chapters as Markdown pages, from which a site generator builds a static site."""
