"""The application: from a class's submissions to its gradebook, pages and exports."""
