"""A client of the Chain Insights API: exact daily transaction counts and fees of EVM chains.

Needs Python 3.9 or newer and nothing else. With pandas installed, `Rows.frame()` returns a data frame.

    api = ChainInsights()  # CHAIN_INSIGHTS_URL and CHAIN_INSIGHTS_KEY of the environment, or url=… and key=…
    rows = api.fees("ETHEREUM", "30-days-ago", "yesterday")
    print(sum(Decimal(row["fees"]) for row in rows), rows.currency)
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass, field
from decimal import Decimal
from email.message import Message
from http.client import HTTPException, IncompleteRead, InvalidURL
from socket import EAI_AGAIN, gaierror
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union, overload
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

if TYPE_CHECKING:
    import pandas

# A client that has to wait longer should rather fail: the quota of a key resets after hours.
MAX_RETRY_AFTER_S = 60
FIRST_PAUSE_S = 0.25
# Above the 10 MB that API Gateway sends at most. Whatever responds with more is not the service.
MAX_BYTES = 16_000_000
# Columns of a frame that are exact: fees, prices, bounds of buckets, and gas, which pandas would round where a row has none.
EXACT = re.compile(r"(^|_)fees$|^fees_usd$|^price_(first|last)$|_fee_(from|to)$|^(from|to|gas_used|retryable_double_count)$")
# Columns that each frame has, with NaN where no row has such a figure.
DAY_COLUMNS = (
    "transaction_count user_transaction_count protocol_transaction_count fees execution_fees l1_data_fees operator_fees blob_fees "
    "retryable_double_count base_fees priority_fees gas_used failed_transaction_count blob_count median_fee_from median_fee_to "
    "p10_fee_from p10_fee_to p90_fee_from p90_fee_to fees_usd block_count evidence"
).split()
COLUMNS = {
    "transaction_count": ["transaction_count"],
    "fees": ["fees"],
    "days": DAY_COLUMNS,
    "distribution": ["from", "to", "transaction_count"],
}
# A gateway or a proxy says so when the service did not respond.
TRANSIENT = (502, 503, 504)


class ChainInsightsError(Exception):
    """A request that failed for good. The message says what failed, why, and what to do; it never holds the key."""

    def __init__(self, message: str, status: Optional[int] = None, problem: Optional[dict[str, Any]] = None):
        # Characters that a terminal obeys or does not show are shown as codes.
        super().__init__("".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message))
        #: HTTP status; None when no response came.
        self.status = status
        #: The error as the API describes it, with every invalid field; None when something else responded.
        self.problem = problem


@dataclass(frozen=True)
class Rows:
    """The rows of a series, ascending. A day that is not final has none, and a period with such a day has none either."""

    rows: list[dict[str, Any]]
    #: Days of the range that are over and have no figure, from the chain's first day on.
    days_missing: int
    #: Days of the range that are not over yet, today (UTC) included.
    days_not_over: int
    #: The chain's last final day; None while no day is final, and of several chains.
    data_through: Optional[str]
    #: The coin of the fees; None for transaction counts, and of several chains.
    currency: Optional[str]
    #: The entity tag, for `previous`.
    etag: Optional[str] = None
    _columns: list[str] = field(default_factory=list, repr=False)
    #: Days of the rows that come from an audited archive and are not proven; of transaction counts and fees, whose rows do not say so.
    days_archived: int = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Union[int, slice]) -> Any:
        """Returns one row, or a list of rows for a slice."""
        return self.rows[index]

    def frame(self) -> pandas.DataFrame:
        """Returns a data frame indexed by date or hour (UTC). Fees and gas are Decimal objects, which keep every digit.

        With a list of chains, it is indexed by chain, in the order of the list, and date: `frame.loc["BASE"]` is the frame of one chain,
        and `frame["transaction_count"].unstack("chain")` has a column for each. A figure that is not known is NaN. A frame without rows
        has columns too.

        Raises ImportError without pandas.
        """
        import pandas

        frame = pandas.json_normalize(self.rows, sep="_")
        missing = [name for name in [*self._columns, "date"] if name not in frame.columns]
        frame = frame.reindex(columns=[*missing, *frame.columns] if frame.empty else [*frame.columns, *missing])
        for name in filter(EXACT.search, frame.columns):
            frame[name] = frame[name].map(Decimal, na_action="ignore")
        index = [name for name in ("chain", "date") if name in frame.columns]
        return frame.assign(date=pandas.to_datetime(frame["date"])).set_index(index)


class _NoRedirect(HTTPRedirectHandler):
    """Treats a redirect as an error: following it would send the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class ChainInsights:
    """The API. Every method raises ChainInsightsError.

    A chain is a name, in any case, or a list of names. With a list, even of one, each row begins with its `chain`.
    Days are `YYYY-MM-DD` (UTC), `yesterday`, or a number of days before today, such as `30-days-ago`. The interval is `hour`, of at most
    92 days and not of a distribution, `day`, `week`, `month`, `quarter` or `year`. A request that was throttled,
    that failed on the way or that the service could not answer is repeated: after the seconds in Retry-After, or after a growing pause,
    whichever is longer. `timeout` is in seconds, for one attempt. `evidence` (`proven` or `checked`) leaves out
    days with weaker evidence, which then count as missing. `previous` is an earlier result of the same query: if nothing has
    changed, it is returned, and the service sends no rows.
    """

    def __init__(self, url: Optional[str] = None, key: Optional[str] = None, retries: int = 4, timeout: float = 30):
        """Reads CHAIN_INSIGHTS_URL and CHAIN_INSIGHTS_KEY of the environment where no URL or no key is given."""
        self._url = (os.environ.get("CHAIN_INSIGHTS_URL", "") if url is None else url).rstrip("/")
        self._key = (os.environ.get("CHAIN_INSIGHTS_KEY", "") if key is None else key).strip()
        _check(self._url, self._key)
        self._retries = retries
        self._timeout = timeout
        self._opener = build_opener(_NoRedirect)

    def transaction_count(
        self,
        chain: Union[str, Sequence[str]],
        start_date: str,
        end_date: str,
        interval: str = "day",
        previous: Optional[Rows] = None,
        evidence: Optional[str] = None,
    ) -> Rows:
        return self._series("transaction_count", chain, start_date, end_date, interval, previous, evidence)

    def fees(
        self,
        chain: Union[str, Sequence[str]],
        start_date: str,
        end_date: str,
        interval: str = "day",
        previous: Optional[Rows] = None,
        evidence: Optional[str] = None,
        fields: Union[str, Sequence[str], None] = None,
    ) -> Rows:
        """Returns what senders paid. With `fields=["fees", "fees_usd"]`, rows have dollars too where they are known."""
        return self._series("fees", chain, start_date, end_date, interval, previous, evidence, fields)

    def days(
        self,
        chain: Union[str, Sequence[str]],
        start_date: str,
        end_date: str,
        interval: str = "day",
        previous: Optional[Rows] = None,
        evidence: Optional[str] = None,
        fields: Union[str, Sequence[str], None] = None,
    ) -> Rows:
        """Returns everything that is published about a day: fee parts, gas, typical fees, dollars, blocks, evidence, finality, restatements.

        With `fields`, rows have only those and the date, such as `["fees", "evidence"]`.
        """
        return self._series("days", chain, start_date, end_date, interval, previous, evidence, fields)

    def distribution(
        self,
        chain: Union[str, Sequence[str]],
        start_date: str,
        end_date: str,
        interval: str = "day",
        previous: Optional[Rows] = None,
        evidence: Optional[str] = None,
    ) -> Rows:
        """Returns how many transactions paid how much: several rows a day or period, the lowest fees first."""
        return self._series("distribution", chain, start_date, end_date, interval, previous, evidence)

    @overload
    def today(self, chain: str) -> dict[str, Any]: ...

    @overload
    def today(self, chain: Union[list[str], tuple[str, ...]]) -> list[dict[str, Any]]: ...

    def today(self, chain: Union[str, Sequence[str]]) -> Any:
        """Returns the running day (UTC) through its last final block, or without sums until one is final.

        With a list of chains, it returns a list in the same order.
        """
        days = self._get(f"today?{urlencode({'chain': ','.join(_names(chain))})}")[0]
        return days if isinstance(chain, str) or isinstance(days, list) else [days]

    def chains(self, evidence: Optional[str] = None) -> list[dict[str, Any]]:
        """Returns the chains of the service, and the state of their data. With `evidence`, weaker days count as missing."""
        path = "chains" if evidence is None else f"chains?{urlencode({'evidence': evidence})}"
        chains: list[dict[str, Any]] = self._get(path)[0]
        return chains

    def _series(
        self,
        path: str,
        chain: Union[str, Sequence[str]],
        start_date: str,
        end_date: str,
        interval: str,
        previous: Optional[Rows],
        evidence: Optional[str],
        fields: Union[str, Sequence[str], None] = None,
    ) -> Rows:
        chains, names = _names(chain), None if fields is None else _names(fields)
        query = {"chain": ",".join(chains), "start_date": start_date, "end_date": end_date}
        if interval != "day":
            query["interval"] = interval
        if evidence is not None:
            query["evidence"] = evidence
        if names is not None:
            query["fields"] = ",".join(names)
        rows, headers = self._get(f"{path}?{urlencode(query)}", None if previous is None else previous.etag)
        if rows is None and previous is not None:
            return previous
        missing, not_over = (int(headers.get(name, "0")) for name in ("X-Days-Missing", "X-Days-Not-Over"))
        through, coin, tag = (headers.get(name) for name in ("X-Data-Through", "X-Fees-Currency", "ETag"))
        archived = int(headers.get("X-Days-Archived", "0"))
        columns = COLUMNS[path] if names is None else [name for name in DAY_COLUMNS if _is_in(name, names)]
        if not isinstance(chain, str):
            columns = ["chain", *columns]
            # The API names the chains of rows only in responses with several.
            rows = [{"chain": chains[0].upper(), **row} for row in rows] if len(chains) == 1 else rows
        return Rows(rows, missing, not_over, through, coin, tag, columns, archived)

    def _get(self, path: str, etag: Optional[str] = None) -> tuple[Any, Message]:
        """Returns a body and its headers. The body is None when the response is the one that `etag` names."""
        sent = {"X-API-Key": self._key, "Accept": "application/json", **({"If-None-Match": etag} if etag else {})}
        for attempt in range(self._retries + 1):
            error, pause = None, FIRST_PAUSE_S * 2**attempt
            try:
                url = f"{self._url}/api/chain-insights/{path}"
                with self._opener.open(Request(url, headers=sent), timeout=self._timeout) as response:
                    return _parse(response), response.headers
            except HTTPError as response:
                if response.code == 304 and etag:
                    return None, response.headers
                pause = _pause_of(response, pause)
                error = _error_of(response)
            except ChainInsightsError:
                raise
            # Unreachable or disconnected, or not a URL.
            except (OSError, HTTPException, ValueError) as cause:
                # A URLError wraps what failed before the request was sent.
                reason = cause.reason if isinstance(cause, URLError) else cause
                error = ChainInsightsError(f"Cannot reach the service at {self._url}: {reason}. Check the URL.")
                pause = None if _is_wrong_url(reason) else pause
            if attempt == self._retries or pause is None:
                raise error
            time.sleep(pause)
        raise AssertionError("unreachable")


def _names(given: Union[str, Sequence[str]]) -> list[str]:
    return given.split(",") if isinstance(given, str) else list(given)


def _is_in(column: str, fields: Sequence[str]) -> bool:
    """Returns whether a column of a frame is a field or a part of one, such as `median_fee_from` of `median_fee`."""
    return any(column == name or column in (f"{name}_from", f"{name}_to") for name in fields)


def _check(url: str, key: str) -> None:
    """Raises ChainInsightsError when a key or a URL cannot be used. Checked first, because errors of the library quote both."""
    if not url:
        raise ChainInsightsError("No URL of the service: set CHAIN_INSIGHTS_URL, or pass url.")
    if not key:
        raise ChainInsightsError("No key: set CHAIN_INSIGHTS_KEY, or pass key.")
    if not re.fullmatch("[ -~]+", key):
        raise ChainInsightsError(
            "The key holds a character that no HTTP header can hold, such as a line break. Copy it to CHAIN_INSIGHTS_KEY again."
        )
    # Not urlsplit, which raises for a URL of a wrong form.
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ChainInsightsError("The URL holds a user name or a password, which the API does not use. Remove them.")


def _is_wrong_url(reason: object) -> bool:
    """Returns whether no repetition can reach the URL: its form, host, port or certificate is wrong."""
    if isinstance(reason, gaierror):
        return reason.errno != EAI_AGAIN
    # A certificate that does not fit is a ValueError, a scheme that is unknown a text.
    return isinstance(reason, (ConnectionRefusedError, ValueError, InvalidURL, str))


def _parse(response: Any) -> Any:
    """Parses a body. Another type means that not the API responded but, for example, a proxy."""
    found = response.headers.get("Content-Type", "no type")
    body = response.read(MAX_BYTES + 1)
    if len(body) <= MAX_BYTES and response.length:
        # A bounded read does not notice that the connection closed early.
        raise IncompleteRead(body, response.length)
    if len(body) > MAX_BYTES:
        raise ChainInsightsError(_unexpected(response, f"more than {MAX_BYTES // 10**6} MB"), response.status)
    try:
        if found.startswith("application/json"):
            return json.loads(body)
    except ValueError:
        pass
    raise ChainInsightsError(_unexpected(response, f"expected application/json, received {found}"), response.status)


def _error_of(response: HTTPError) -> ChainInsightsError:
    try:
        problem = json.loads(response.read(MAX_BYTES))
        errors = [f"{error['field']} {error['message']}" for error in problem.get("errors", [])]
        # The detail names a single field already.
        message = "\n".join([f"{problem['title']}:", *errors] if len(errors) > 1 else [f"{problem['title']}: {problem['detail']}"])
        return ChainInsightsError(message, response.code, problem)
    except Exception:
        return ChainInsightsError(_unexpected(response, "it is not an error of the API"), response.code)


def _unexpected(response: Any, reason: str) -> str:
    return f"Unexpected response ({response.status}) from {response.url}: {reason}. Check the URL."


def _pause_of(response: HTTPError, pause: float) -> Optional[float]:
    """Returns the seconds to wait, or None when a repetition would not help."""
    retry_after = response.headers.get("Retry-After")
    if retry_after is None:
        return pause if response.code in TRANSIENT else None
    # A date is not waited for. Zero seconds must not become a tight loop.
    seconds = int(retry_after) if re.fullmatch("[0-9]{1,5}", retry_after.strip()) else MAX_RETRY_AFTER_S + 1
    return max(pause, seconds) if seconds <= MAX_RETRY_AFTER_S else None
