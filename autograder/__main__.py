"""`python -m autograder`."""

from autograder.cli.app import main

if __name__ == "__main__":
    main()
