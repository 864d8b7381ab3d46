"""The profile: student code runs behind it, and only values come back."""
