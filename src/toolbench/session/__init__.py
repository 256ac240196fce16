"""One running session: its sources, context, activation, generations, write lock, events and history.

The session owns all state. It changes by commands under its lock, and tells everything as events; the application,
the commands and tests only read events and call the session.
"""
