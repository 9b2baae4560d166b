"""What a source says to all who judge."""
