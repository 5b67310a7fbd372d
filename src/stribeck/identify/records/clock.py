"""Times of day and dates in the notations of loggers and spreadsheets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

import numpy as np

CLOCK = re.compile(
    r"(?:(?P<days>\d+) days?[ ,]+|(?P<date>\d{8}|\d{1,4}[-./][\w.]{1,9}[-./]\d{1,4})[ T,]\s*)?(?P<sign>-)?"
    r"(?:(?P<hour>\d{1,3}):(?P<minute>\d{2}):(?P<second>\d{2})(?:[.,:](?P<part>\d+))?"
    r"|(?P<minutes>\d{1,2}):(?P<seconds>\d{2})[.,](?P<parts>\d+))"
    r"(?:\s*(?P<half>[ap])\.?m\.?)?(?:\s*(?:Z|UTC|GMT)?(?P<zone>[+-]\d{2}:?(?:\d{2})?)?)",
    re.IGNORECASE,
)
"""A time of day, possibly behind a date and before a zone: 10:11:12.5, 2024-03-12T10:11:12.5+01:00, 3/12/2024 9:11:12
AM, 12-Mar-2024 10:11:12, 0 days 00:00:01.5; a spreadsheet writes 11:12.5 without the hour."""
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%b-%Y", "%d-%m-%Y", "%Y.%m.%d", "%Y%m%d")
SHORT = ("%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%y")
"""Dates with two digits of the year, if no other notation fits."""
DAY = 86400.0


def clock(texts: Iterable[object]) -> np.ndarray | None:
    """Times of day as seconds after the first one; None if they are something else.

    >>> clock(["3/12/2024 11:59:59.5 AM", "3/12/2024 12:00:00.0 PM"])
    array([0. , 0.5])
    """
    found = []
    for text in texts:
        match = CLOCK.fullmatch(str(text).strip())
        if match is None:
            return None
        found.append(match)
    seconds = np.array([_seconds(match) for match in found])
    days = _days(found, seconds)
    if days is None:
        return None
    total = seconds + DAY * (days - days[0])
    return np.asarray(np.round(total - total[0], 9))


def _seconds(match: re.Match[str]) -> float:
    """Seconds after midnight, of UTC if a zone is given; below 0 before a trigger."""
    return -_size(match) if match["sign"] else _size(match)


def _size(match: re.Match[str]) -> float:
    if match["hour"] is None:
        return 60.0 * int(match["minutes"]) + float(f"{match['seconds']}.{match['parts']}")
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"].lower() == "p")
    found = 3600.0 * hour + 60.0 * int(match["minute"]) + float(f"{match['second']}.{match['part'] or 0}")
    if match["zone"]:
        sign, zone = (-1 if match["zone"][0] == "-" else 1), match["zone"][1:].replace(":", "")
        found -= sign * (3600.0 * int(zone[:2]) + 60.0 * int(zone[2:] or 0))
    return found


def _days(found: list[re.Match[str]], seconds: np.ndarray) -> np.ndarray | None:
    """The day of each time; without a date, a time that falls by half of its range or more is in the next one."""
    if found[0]["days"] is not None:
        return np.array([int(match["days"] or 0) for match in found])
    dates = [match["date"] for match in found]
    if None not in dates:
        return _of_dates(dates)
    length = DAY if found[0]["hour"] is not None else 3600.0
    passed = np.concatenate([[0], np.cumsum(np.diff(seconds) < -length / 2)])
    return np.asarray(passed * length / DAY)


def _of_dates(dates: list[str]) -> np.ndarray | None:
    """Numbers of days, in the notation in which all dates are valid and nearest to each other: 3/12 and 3/13."""
    known = dict.fromkeys(dates)
    return next((found for forms in (DATES, SHORT) if (found := _nearest(known, forms, dates)) is not None), None)


def _nearest(known: Iterable[str], forms: Iterable[str], dates: list[str]) -> np.ndarray | None:
    best: dict[str, int] | None = None
    for form in forms:
        try:
            days = {date: datetime.strptime(date, form).toordinal() for date in known}
        except ValueError:
            continue
        if best is None or np.ptp(list(days.values())) < np.ptp(list(best.values())):
            best = days
    return None if best is None else np.array([best[date] for date in dates])
