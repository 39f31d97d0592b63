"""Believable content for a first look: a small company with its people, and weeks of their work.

`holdfast up` makes it once; what people do there afterwards stays as they left it, until `holdfast demo reset`.

    people.py       who works there, and being one of them
    workflows.py    what they decide about: contracts, slots, a chain
    history.py      what happened to their documents in the last weeks
    housekeeping.py runs, schedules, keys and links, and what the worker begins with
    application.py  the code that executes all of it
"""

from holdfast.demo.application import application
from holdfast.demo.people import ADMIN, PEOPLE, TENANT, Person, sign_in, switch
from holdfast.demo.reset import reset
from holdfast.demo.seeding import seed

__all__ = ["ADMIN", "PEOPLE", "TENANT", "Person", "application", "reset", "seed", "sign_in", "switch"]
