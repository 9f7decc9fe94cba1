"""A mail server for end-to-end tests, on the library aiosmtpd.

It delivers nothing: it keeps what it receives in memory, and a test reads it over HTTP. How it treats a message is
written in the recipient's address, so that tests can run at once; `conduct` lists what it does. `server` lists the
ports and the HTTP routes.
"""
