"""The course as a static site: what MkDocs Material is given, made from the chapters."""
