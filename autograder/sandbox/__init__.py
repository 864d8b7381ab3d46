"""The sandbox: student code runs inside, and only values come back."""
