"""The door that everything comes in by."""
