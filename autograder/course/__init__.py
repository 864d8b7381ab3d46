"""The application: a class from its submissions to gradebook, pages and exports."""
