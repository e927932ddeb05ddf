"""python3 recompute.py ETHEREUM yesterday: recomputes the figures of a day from the blocks of your own node."""

import json
import os
import re
import sys
from collections import Counter
from decimal import Decimal, getcontext
from urllib.request import Request, urlopen

from chain_insights import ChainInsights, ChainInsightsError

NODE_URL = os.environ.get("NODE_URL", "http://localhost:8545")
BEACON_URL = os.environ.get("BEACON_URL")
# Headers between a day and the final block that are read at most.
MAX_LINKS = 10_000
ZERO = "0x" + "0" * 40
# L1's state, upgrades, and the deployers of EIP-4788 and EIP-2935: senders of deposits that are the protocol's own.
OP_PROTOCOL = re.compile(
    "0x(0{40}|(dead){9}0001|4210{35}[0-7]|0b799c86a49deeb90402691f1041aa3af2d3c875|3462413af4609098e1e27a490f554f260213d685)"
)
ARB_RETRYABLE_TX = "0x" + "6e".rjust(40, "0")
# Arbitrum's event RedeemScheduled. Its third topic is the hash of the redeem.
REDEEM_SCHEDULED = "0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e"
JOVIAN = 1_764_691_201
BLOB_GAS = 131_072
RANKS = (("median", 50), ("p10", 10), ("p90", 90))
PARTS = ("execution_fees", "l1_data_fees", "operator_fees", "blob_fees")

getcontext().prec = 60


def rpc(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    try:
        with urlopen(Request(NODE_URL, body, {"Content-Type": "application/json"})) as response:
            answer = json.load(response)
    except (OSError, ValueError) as error:
        sys.exit(f"The node in NODE_URL gave no answer: {error}. Correct the variable, or start the node.")
    if answer.get("result") is None:
        sys.exit(f"The node has no {method} {params[0]}: {answer.get('error')}")
    return answer["result"]


def integer(receipt, name):
    """Reads a quantity. Nodes leave out what a chain or a type does not have."""
    return int(receipt.get(name) or "0x0", 16)


def is_protocol(chain, block, receipt):
    """Returns whether the protocol itself added a transaction. Types of transactions have one meaning on all chains."""
    kind, sender, to = integer(receipt, "type"), receipt["from"], receipt["to"] or ""
    # Arbitrum's own transactions, and Polygon's state-syncs, which were of no type once.
    if kind in (0x6a, 0x7f) or (chain == "POLYGON" and sender == ZERO and to == ZERO):
        return True
    if kind == 0x7e:
        return bool(OP_PROTOCOL.fullmatch(sender))
    # System contracts of BSC, such as 0x…1000, called at price 0 by the block's own validator.
    is_system = chain == "BSC" and re.fullmatch("0x0{36}(100[0-7]|200[02456]|3000)", to)
    return bool(is_system) and integer(receipt, "effectiveGasPrice") == 0 and sender == block["miner"]


def donated_by(block, receipt):
    """Returns what a transaction gave to redeems of Arbitrum's retryables, in wei: the gas of its receipt contains their gas limits."""
    logs = [log["topics"] for log in receipt["logs"] if log["address"] == ARB_RETRYABLE_TX]
    scheduled = {topics[2] for topics in logs if topics[0] == REDEEM_SCHEDULED}
    gas = sum(int(one["gas"], 16) for one in block["transactions"] if one["hash"] in scheduled)
    return gas * integer(block, "baseFeePerGas")


def fees_of(block, receipt, donated):
    """Returns the parts of what the sender of a transaction paid, in wei, in the order of PARTS."""
    kind = integer(receipt, "type")
    # Deposits and state-sync transactions.
    if kind in (0x7e, 0x7d, 0x7f):
        return 0, 0, 0, 0
    gas = int(receipt["gasUsed"], 16)
    execution = gas * int(receipt["effectiveGasPrice"], 16) - donated
    blob = integer(receipt, "blobGasUsed") * integer(receipt, "blobGasPrice") if kind == 0x3 else 0
    # Chains of the OP stack alone have an L1 fee and an operator fee.
    scaled = gas * integer(receipt, "operatorFeeScalar")
    scaled = scaled // 1_000_000 if int(block["timestamp"], 16) < JOVIAN else scaled * 100
    return execution, integer(receipt, "l1Fee"), scaled + integer(receipt, "operatorFeeConstant"), blob


def measures_of(block, receipt, execution):
    """Returns the priority fees in wei, the number of blobs, whether it failed, and the gas of a transaction."""
    gas, price = int(receipt["gasUsed"], 16), int(receipt["effectiveGasPrice"], 16)
    tip = max(0, price - integer(block, "baseFeePerGas")) if execution > 0 else 0
    blobs = integer(receipt, "blobGasUsed") // BLOB_GAS if integer(receipt, "type") == 0x3 else 0
    return gas * tip, int(receipt.get("status") == "0x0"), blobs, gas


def bounds_of(fee):
    """Returns the first fee of a fee's bucket and that of the next one: each begins 4% above the one before, in three digits."""
    digits = str(fee)
    if len(digits) < 3:
        return fee, fee + 1
    unit, start = 10 ** (len(digits) - 3), 100
    while True:
        end = min(1000, start * 104 // 100)
        if int(digits[:3]) < end:
            return start * unit, end * unit
        start = end


def typical_fee(counts, percent):
    """Returns the bounds of the fee at a rank, from the number of transactions by the first fee of their bucket."""
    left = -(-percent * sum(counts.values()) // 100)
    for start in sorted(counts):
        left -= counts[start]
        if left <= 0:
            return bounds_of(start)
    return None


def recompute(chain, first, last, parent):
    """Sums up the blocks of a day, each of which must be the child of the one before."""
    counts = {"block_count": 0, "transaction_count": 0, "protocol_transaction_count": 0}
    fees, measures, buckets = [0, 0, 0, 0], [0, 0, 0, 0, 0], Counter()
    for number in range(first["number"], last["number"] + 1):
        block = rpc("eth_getBlockByNumber", hex(number), True)
        receipts = {receipt["transactionHash"]: receipt for receipt in rpc("eth_getBlockReceipts", hex(number))}
        is_other = number == first["number"] and block["hash"] != first["hash"]
        if is_other or block["parentHash"] != parent:
            sys.exit(f"Your node's block {number} or its parent differs. Try another node.")
        parent = block["hash"]
        counts["block_count"] += 1
        counts["transaction_count"] += len(block["transactions"])
        for transaction in block["transactions"]:
            receipt = receipts.get(transaction["hash"])
            # Without a receipt: Polygon's old state-sync transaction, on some nodes.
            if receipt is None or is_protocol(chain, block, receipt):
                counts["protocol_transaction_count"] += 1
            if receipt is None:
                continue
            donated = donated_by(block, receipt)
            paid = fees_of(block, receipt, donated)
            fees = [sum(pair) for pair in zip(fees, paid)]
            measures = [sum(pair) for pair in zip(measures, (*measures_of(block, receipt, paid[0]), donated))]
            if sum(paid) > 0:
                buckets[bounds_of(sum(paid))[0]] += 1
    if parent != last["hash"]:
        sys.exit(f"Your node has another block {last['number']}.")
    priority, failed, blobs, gas, donated = measures
    figures = {**counts, "fees": sum(fees), **dict(zip(PARTS, fees))}
    return figures, {
        **{"gas_used": str(gas), "failed_transaction_count": failed},
        **{"base_fees": fees[0] - priority, "priority_fees": priority, "blob_count": blobs},
        "retryable_double_count": donated,
        **{f"{name}_fee": typical_fee(buckets, percent) for name, percent in RANKS},
    }


def shown(name, value):
    """Returns a figure as text: served ones are amounts of coins, recomputed ones are wei."""
    is_number = name.endswith("count") and name != "retryable_double_count" or name == "gas_used"
    if value is None or is_number:
        return value
    if isinstance(value, dict):
        return " to ".join(amount(value[end]) for end in ("from", "to"))
    if isinstance(value, tuple):
        return " to ".join(amount(end) for end in value)
    return amount(value)


def amount(value):
    """Formats coins (text) or wei as the API does, without trailing zeros."""
    coins = Decimal(value) if isinstance(value, str) else Decimal(value).scaleb(-18)
    return f"{coins:.18f}".rstrip("0").rstrip(".")


def header(number):
    return rpc("eth_getBlockByNumber", hex(number), False)


def link_to(last, final):
    """Follows the blocks from the last one of a day to a final one. Returns what that shows."""
    count = final["number"] - last["number"]
    if count < 0:
        sys.exit(f"Block {final['number']} is before the end of the day.")
    if header(final["number"])["hash"] != final["hash"]:
        sys.exit(f"Your node has another block {final['number']} than the final one.")
    if count > MAX_LINKS:
        return "your node has it too"
    parent = last["hash"]
    for number in range(last["number"] + 1, final["number"] + 1):
        block = header(number)
        if block["parentHash"] != parent:
            sys.exit(f"Block {number} does not continue the day.")
        parent = block["hash"]
    return f"{count} headers lead to it"


def block_of_beacon(slot, root):
    """Reads the block that a beacon block contains, from a beacon node of your choice."""
    try:
        with urlopen(f"{BEACON_URL}/eth/v1/beacon/light_client/bootstrap/{root}") as response:
            answer = json.load(response)["data"]["header"]
    except (OSError, ValueError) as error:
        sys.exit(f"The beacon node in BEACON_URL does not have {root}: {error}")
    if int(answer["beacon"]["slot"]) != slot:
        sys.exit(f"Your beacon node has {root} at slot {answer['beacon']['slot']}.")
    return {"number": int(answer["execution"]["block_number"]), "hash": answer["execution"]["block_hash"]}


def finality_of(row):
    """Returns why the last block of a day is final, by what your own nodes say."""
    finality, last = row.get("finality"), row["last_block"]
    if finality is None:
        return "not stated"
    if finality["kind"] == "reported":
        return f"reported by {', '.join(finality['hosts']) or 'hosts whose names were not kept'}"
    if finality["kind"] == "fast finality":
        source, target = finality["source"], finality["target"]
        if header(target["number"])["parentHash"] != source["hash"]:
            sys.exit(f"Block {target['number']} is not the child of block {source['number']}.")
        return f"votes for block {source['number']}; {link_to(last, source)}"
    name = f"sync committee, slot {finality['slot']}, {finality['root']}"
    if not BEACON_URL:
        return f"{name}; set BEACON_URL to a beacon node to check it"
    return f"{name}; {link_to(last, block_of_beacon(finality['slot'], finality['root']))}"


def main(chain="ETHEREUM", date="yesterday"):
    rows = ChainInsights().days(chain, date, date).rows
    if not rows or "first_block" not in rows[0]:
        sys.exit(f"{chain} {date} is not final, or has no block.")
    is_exact = True
    row = rows[0]
    figures, measures = recompute(chain, row["first_block"], row["last_block"], row.get("parent_hash"))
    for name, value in {**figures, **measures}.items():
        text, served = shown(name, value), shown(name, row.get(name))
        # A row may lack a measure.
        is_skipped = name in measures and name not in row
        is_same = text == served and not is_skipped
        result = "as served" if is_same else "not served" if is_skipped else f"OTHER THAN SERVED: {served}"
        print(f"{name:28}{'none' if text is None else text}  {result}")
        is_exact = is_exact and (is_same or is_skipped)
    print(f"{'finality':28}{finality_of(row)}")
    sys.exit(0 if is_exact else 1)


try:
    main(*sys.argv[1:])
except ChainInsightsError as error:
    sys.exit(str(error))
