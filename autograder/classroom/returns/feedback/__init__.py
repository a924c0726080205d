"""The pages that learners get back."""
