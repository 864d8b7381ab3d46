"""Which branches of our solution, and which inputs, the hidden checks of each exercise use: `make width`."""
