"""python3 fees.py ETHEREUM 30-days-ago yesterday: prints the fees of each day, and their sum."""

import sys
from decimal import Decimal, getcontext

from chain_insights import ChainInsights, ChainInsightsError

# Keeps every digit of a sum: a decimal has 28 by default, and a float 15.
getcontext().prec = 60


def line(title, coins):
    return f"{title}{coins:{41 - len(title)}.18f}"


def main(chain="ETHEREUM", start_date="30-days-ago", end_date="yesterday"):
    rows = ChainInsights().fees(chain, start_date, end_date)
    for row in rows:
        print(line(row["date"], Decimal(row["fees"])))
    if rows:
        print(line(f"{len(rows)}-day sum", sum(Decimal(row["fees"]) for row in rows)), rows.currency)
    else:
        print(f"No day from {start_date} to {end_date} has a figure.")
    if rows.days_missing:
        print(f"days without a figure: {rows.days_missing}")
    if rows.days_not_over:
        print(f"days that are not over: {rows.days_not_over}")


try:
    main(*sys.argv[1:])
except ChainInsightsError as error:
    sys.exit(str(error))
