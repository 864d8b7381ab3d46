"""The secret of the public edition, which everybody may read: its openings and positions are the same for everybody."""

PUBLIC_SECRET = b"public edition: anyone may read this; a course makes its own secret at first use"
