"""python3 fees.py ETHEREUM 2025-11-01 2025-11-30: prints the fees of each day, and their sum."""

import os
import sys
from datetime import date
from decimal import Decimal, getcontext

from chain_insights import ChainInsights, ChainInsightsError

# Keeps every digit of a sum: a decimal has 28 by default, and a float 15.
getcontext().prec = 60


def line(title, coins):
    return f"{title}{coins:{41 - len(title)}.18f}"


def main(chain="ETHEREUM", start_date="2025-11-01", end_date="2025-11-30"):
    api = ChainInsights(
        os.environ.get("CHAIN_INSIGHTS_URL", "http://localhost:3000"), os.environ.get("CHAIN_INSIGHTS_KEY", "")
    )
    rows = api.fees(chain, start_date, end_date)
    for row in rows:
        print(line(row["date"], Decimal(row["fees"])))
    if not rows:
        return print(f"No day from {start_date} to {end_date} has a figure.")
    print(line(f"{len(rows)}-day sum", sum(Decimal(row["fees"]) for row in rows)), rows.currency)
    # Days that are not final, not complete, or before the chain's first day have no row.
    missing = (date.fromisoformat(end_date) - date.fromisoformat(start_date)).days + 1 - len(rows)
    if missing > 0:
        print(f"days without a figure: {missing}")


try:
    main(*sys.argv[1:])
except ChainInsightsError as error:
    sys.exit(str(error))
