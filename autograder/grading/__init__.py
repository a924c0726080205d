"""Functions that grade many answers in parallel, and checks of the kit itself."""
