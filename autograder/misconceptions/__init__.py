"""Known mistakes with the sentences that learners read, one file for each exercise. Nothing imports them."""
