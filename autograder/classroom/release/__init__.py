"""What is handed out, and what it was when what comes back is read."""
