"""python3 fees.py ETHEREUM 2025-11-01 2025-11-30: prints the fees of each day, and their sum."""

import json
import os
import sys
import time
from datetime import date
from decimal import Decimal, getcontext
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

URL = os.environ.get("CHAIN_INSIGHTS_URL", "http://localhost:3000").rstrip("/")
KEY = os.environ.get("CHAIN_INSIGHTS_KEY", "").strip()

# Keeps every digit of a sum: a decimal has 28 by default, and a float 15.
getcontext().prec = 60


class NoRedirect(HTTPRedirectHandler):
    """Treats a redirect as an error: following it would send the key to another host."""

    def redirect_request(self, *_):
        return None


OPENER = build_opener(NoRedirect)


def get(path, query):
    """Sends a request. Retries up to four times, after the number of seconds in Retry-After if that is at most 60."""
    for attempt in range(1, 6):
        try:
            request = Request(f"{URL}/api/chain-insights/{path}?{urlencode(query)}", headers={"X-API-Key": KEY})
            with OPENER.open(request, timeout=30) as response:
                return json.load(response), response.headers
        except HTTPError as error:
            seconds = error.headers.get("Retry-After", "")
            # A date in Retry-After is not retried.
            if attempt == 5 or not seconds.isdigit() or int(seconds) > 60:
                sys.exit(message_of(error))
            time.sleep(int(seconds))
        # Unreachable, disconnected, or not JSON.
        except (OSError, HTTPException, ValueError) as error:
            sys.exit(f"Cannot read figures from CHAIN_INSIGHTS_URL ({URL}): {getattr(error, 'reason', error)}")


def message_of(response):
    """Returns the message of an error response, which may come from a proxy and not from the API."""
    try:
        problem = json.load(response)
        errors = [f"{error['field']} {error['message']}" for error in problem.get("errors", [])]
        return "\n".join([f"{problem['title']}: {problem['detail']}", *errors])
    except Exception:
        return f"Unexpected response ({response.code}) from {response.url}. Check CHAIN_INSIGHTS_URL."


def line(title, coins):
    return f"{title}{coins:{41 - len(title)}.18f}"


def main(chain="ETHEREUM", start_date="2025-11-01", end_date="2025-11-30"):
    rows, headers = get("fees", {"chain": chain, "start_date": start_date, "end_date": end_date})
    for row in rows:
        print(line(row["date"], Decimal(row["fees"])))
    if not rows:
        return print(f"No day from {start_date} to {end_date} has a figure.")
    print(line(f"{len(rows)}-day sum", sum(Decimal(row["fees"]) for row in rows)), headers["X-Fees-Currency"])
    # Days that are not final, not complete, or before the chain's first day have no row.
    missing = (date.fromisoformat(end_date) - date.fromisoformat(start_date)).days + 1 - len(rows)
    if missing > 0:
        print(f"days without a figure: {missing}")


main(*sys.argv[1:])
