"""Read by nbgrader in the servers of the hub: which course, and where the exchange is. The course folder has its own file."""

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "autumn"
c.Exchange.root = "/usr/local/share/nbgrader/exchange"  # nbgrader's own choice: commands outside the hub find it too
