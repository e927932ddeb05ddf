"""python3 fees.py ETHEREUM 2025-11-01 2025-11-30: what was paid in fees on each of these days, and together."""

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

# Room for every digit of a sum: a decimal keeps 28 by default, and a float 15.
getcontext().prec = 60


class NoRedirect(HTTPRedirectHandler):
    """A redirect would take the key to another host: it is an error instead."""

    def redirect_request(self, *_):
        return None


OPENER = build_opener(NoRedirect)


def get(path, query):
    """Sends a request, and again where the answer says when: after a minute at most, and five times in all."""
    for attempt in range(1, 6):
        try:
            request = Request(f"{URL}/api/chain-insights/{path}?{urlencode(query)}", headers={"X-API-Key": KEY})
            with OPENER.open(request, timeout=30) as response:
                return json.load(response), response.headers
        except HTTPError as error:
            seconds = error.headers.get("Retry-After", "")
            # A date is no number, and taken for too long.
            if attempt == 5 or not seconds.isdigit() or int(seconds) > 60:
                sys.exit(message_of(error))
            time.sleep(int(seconds))
        # Nobody is there, or the connection ends too early, or what comes is no JSON.
        except (OSError, HTTPException, ValueError) as error:
            sys.exit(f"No figures from CHAIN_INSIGHTS_URL, {URL}: {getattr(error, 'reason', error)}")


def message_of(answer):
    """What an error says. Something else than the API, such as a proxy, says it in another way."""
    try:
        problem = json.load(answer)
        errors = [f"{error['field']} {error['message']}" for error in problem.get("errors", [])]
        return "\n".join([f"{problem['title']}: {problem['detail']}", *errors])
    except Exception:
        return f"{answer.url} answered with {answer.code}, and not as the API does."


def line(title, coins):
    return f"{title}{coins:{41 - len(title)}.18f}"


def main(chain="ETHEREUM", start_date="2025-11-01", end_date="2025-11-30"):
    rows, headers = get("fees", {"chain": chain, "start_date": start_date, "end_date": end_date})
    for row in rows:
        print(line(row["date"], Decimal(row["fees"])))
    if not rows:
        return print(f"No day from {start_date} to {end_date} has a figure.")
    print(line(f"{len(rows)}-day sum", sum(Decimal(row["fees"]) for row in rows)), headers["X-Fees-Currency"])
    # A day that is not final has no row, nor has one that is not over, or one before the chain's first.
    missing = (date.fromisoformat(end_date) - date.fromisoformat(start_date)).days + 1 - len(rows)
    if missing > 0:
        print(f"days without a figure: {missing}")


main(*sys.argv[1:])
