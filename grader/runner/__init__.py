"""The parent's side: starts workers, asks them, keeps their time, and hands what they saw to the judge."""
