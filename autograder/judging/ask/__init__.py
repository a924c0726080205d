"""An exercise is asked, what came back is kept: calls, and the evidence that they make beside the solution's."""
