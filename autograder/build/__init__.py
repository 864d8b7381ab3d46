"""One source per problem set in, solution notebook, stub notebook and stub module out."""
