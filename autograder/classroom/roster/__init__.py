"""Who is in the course, and the tables that say so."""
