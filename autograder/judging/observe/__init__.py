"""What a wrong result has to do with the expected one: an observation where no mistake is named."""
