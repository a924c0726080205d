"""Makes what is committed: pictures of the book, stills and numbers of its figures. Only authors run it, in a clone."""
