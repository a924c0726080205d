"""The course as a static site: the chapters as input for MkDocs Material."""
