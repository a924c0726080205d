"""The roster: the people in the course, and the tables that list them."""
