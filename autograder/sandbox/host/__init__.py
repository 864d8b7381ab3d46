"""What a sandbox needs from the host: control groups, system call filter, user ids, locks, one CPU."""
