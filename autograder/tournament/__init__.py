"""A tournament of many players: participants, schedule, meetings, rating."""
