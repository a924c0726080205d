"""Scripts that create committed files: the book's pictures, and the stills and numbers of its figures."""
