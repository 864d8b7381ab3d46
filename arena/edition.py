"""The secret of the public edition, which is none: the openings and positions that it draws are the same for everybody."""

PUBLIC_SECRET = b"public edition: anyone may read this; a course makes its own secret at first use"
