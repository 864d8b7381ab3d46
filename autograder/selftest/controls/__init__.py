"""The exam proved: who must pass it does, who must not does not; and the perfect player is looked over for mistakes."""
