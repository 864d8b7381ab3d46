"""What staff decide about a course: sets, people, due dates, the late rule."""
