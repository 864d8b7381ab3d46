"""The grader under load: large classes, the worst submissions, killed runs, a cluster that loses a worker."""
