"""A student's workspace: what it holds, how it is made, and how a new version of the kit comes into it."""
