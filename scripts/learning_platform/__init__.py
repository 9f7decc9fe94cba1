"""A learning platform for end-to-end tests, on the library lti1p3platform.

The library makes logins and launches, gives access tokens, and judges what a tool signs. What it leaves to its users is
here: the pages, the members and links of a course, the gradebook, and the checks that the library does not make.
Nothing here knows how Lectern does its half.

A test makes a platform of its own with `POST /platforms` (see `platforms.Platform.of`). `server` lists all routes.
"""
