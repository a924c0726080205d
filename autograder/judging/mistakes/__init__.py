"""Known mistakes as their files hold them."""
