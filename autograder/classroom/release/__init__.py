"""Creation of the notebooks that are released to learners, and their restoration in submissions."""
