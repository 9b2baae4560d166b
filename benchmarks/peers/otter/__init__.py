"""What otter is given."""
