"""Covert channels: pairs of a sender and a receiver that try to carry bits from one sandbox to another."""
