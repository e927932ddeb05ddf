// Generated from openapi.json by "npm run openapi". Do not edit.

/**
 * Chain Insights (v0.1.0)
 * Each figure is the sum over every finalized block of a UTC day, recomputed from data that hashes to the block wherever that is
 * possible. No figure is partial or estimated.
 *
 * Send your key with every request, in the header `X-API-Key`. The figures in the examples are invented.
 *
 * ## Meaning of the figures
 *
 * Definitions, version 1.
 *
 * **Day**: the UTC day of a block's `timestamp`.
 *
 * **`transaction_count`**: every transaction in the bodies of the chain's canonical blocks of that day, as block explorers count
 * them. Failed transactions count, and so do those that the protocol itself adds.
 *
 * **`fees`**: everything that senders paid for inclusion and execution: execution, L1 data, operator and blob fees together, in
 * whole wei, with no rounding anywhere. Burned base fees are included, because senders paid them.
 *
 * **Final**: a day is published when every block of it is proven or, where that is impossible,
 * checked, and its last block is final. A day without blocks is published as 0 only if the
 * blocks before and after it are parent and child. Nothing is estimated.
 *
 * ## Days without a row
 *
 * A day that is not final has no row; its value is never 0. `X-Days-Missing` counts such days from the chain's first day up to
 * yesterday (UTC). Days before and after have no row either, and are not counted. `X-Data-Through` is the chain's last final
 * day. A final day changes only when it is corrected by a restatement. Send `If-None-Match` to learn cheaply whether anything
 * has changed.
 *
 * With an `interval` other than `day`, a row sums up a period. A period has a row only if every day of it, from the chain's first
 * day on, is final and within the range: a partial sum never looks like a period. `X-Days-Missing` still counts days.
 *
 * ## Relative days
 *
 * `start_date` and `end_date` may be `yesterday` or a number of days before today, such as `30-days-ago` (UTC). Then
 * `X-Start-Date` and `X-End-Date` have the resolved days.
 *
 * ## Parsing fees
 *
 * `fees` is a decimal in a string. Parse it with a decimal type (Python's `Decimal`, Java's `BigDecimal`), or as whole wei with
 * a `BigInt`: a floating-point number keeps only 15 of its digits.
 *
 * ## Errors
 *
 * Every error is `application/problem+json` and states the cause and the remedy. If it has a `Retry-After` header, wait for that
 * number of seconds and send the request again. Each key has a rate limit and a monthly quota.
 *
 * ## Calls from web pages (CORS)
 *
 * Pages of other origins can call the API only if the operator has allowed their origin. Responses to them also carry
 * `Access-Control-Allow-Origin` and `Access-Control-Expose-Headers`. With several allowed origins, `Vary` also names `Origin`.
 */

/**
 * A final day and its value.
 */
export type TransactionCountDay = {
    date: Day;
    /**
     * The number of transactions in the day's blocks, as block explorers count them: failed transactions and those that the protocol itself inserted are included. An integer.
     * @minimum 0
     * @maximum 9007199254740991
     */
    transaction_count: number;
};

/**
 * A final day and its value.
 */
export type FeesDay = {
    date: Day;
    /**
     * Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob fees, including burned base fees. The unit is the coin of the chain (`X-Fees-Currency`). The value is an exact decimal with up to 18 fractional digits, sent as a string because a floating-point number would lose digits.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    fees: string;
};

/**
 * A block.
 */
export type Block = {
    /**
     * The number of the block.
     * @minimum 0
     * @maximum 9007199254740991
     */
    number: number;
    /**
     * The hash of the block.
     */
    hash: string;
};

/**
 * The reason why the day's last block is final; each block before it follows by hash.
 */
export type Finality = {
    /**
     * Hosts reported the day's last block as final.
     */
    kind: "reported";
    /**
     * Those hosts, sorted.
     * @minItems 1
     */
    hosts: string[];
} | {
    /**
     * The next day continues this one: its `parent_hash` is the hash of `last_block`.
     */
    kind: "later day";
    date: Day;
};

/**
 * The figures of a final day before they were replaced on purpose.
 */
export type Restatement = {
    /**
     * The revision that was replaced.
     * @minimum 0
     * @maximum 9007199254740991
     */
    revision: number;
    /**
     * The operator's reason.
     * @maxLength 500
     */
    reason: string;
    /**
     * The time of the replacement (UTC).
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     * @format date-time
     */
    restated_at: string;
    /**
     * The count until then.
     * @minimum 0
     * @maximum 9007199254740991
     */
    transaction_count: number;
    /**
     * The fees until then.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    fees: string;
};

/**
 * A final day with everything that its figures rest on. Without blocks it has no `first_block`, and `last_block` is the last block before it. A day that an earlier version read may lack `parent_hash` and `finality`. A period has the sums of its days, the first and the last block of all, the weakest evidence, the lowest `definition_version`, and the latest `revision` and `ingested_at`.
 */
export type DayDetails = {
    date: Day;
    /**
     * The number of days in the period. Absent from rows of a day.
     * @minimum 0
     * @maximum 9007199254740991
     */
    day_count?: number;
    /**
     * As in `TransactionCountDay`.
     * @minimum 0
     * @maximum 9007199254740991
     */
    transaction_count: number;
    /**
     * `transaction_count` without `protocol_transaction_count`.
     * @minimum 0
     * @maximum 9007199254740991
     */
    user_transaction_count: number;
    /**
     * The transactions that the protocol itself inserted.
     * @minimum 0
     * @maximum 9007199254740991
     */
    protocol_transaction_count: number;
    /**
     * As in `FeesDay`, the sum of the next four.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    fees: string;
    /**
     * A part of `fees`. Gas used times its price, base fee and tip together.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    execution_fees: string;
    /**
     * A part of `fees`. OP Stack: posting the transaction data to L1.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    l1_data_fees: string;
    /**
     * A part of `fees`. OP Stack since Isthmus: the operator fee.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    operator_fees: string;
    /**
     * A part of `fees`. EIP-4844: blob gas used times its price.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    blob_fees: string;
    /**
     * The number of blocks.
     * @minimum 0
     * @maximum 9007199254740991
     */
    block_count: number;
    first_block?: Block;
    last_block: Block;
    /**
     * `proven` if every block was recomputed from data that hashes to the finalized block, else `checked`.
     */
    evidence: "proven" | "checked";
    /**
     * The version of the definitions that the figures follow.
     * @minimum 0
     * @maximum 9007199254740991
     */
    definition_version: number;
    /**
     * 1, and one more for each restatement.
     * @minimum 0
     * @maximum 9007199254740991
     */
    revision: number;
    /**
     * The time at which these figures became final (UTC).
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     * @format date-time
     */
    ingested_at: string;
    /**
     * The hash of the last block before the day. Only for a day.
     */
    parent_hash?: string;
    finality?: Finality;
    /**
     * Only for a restated day, the oldest first.
     */
    restatements?: Restatement[];
};

/**
 * A chain and the state of its data. A field without a known value is null.
 */
export type ChainStatus = {
    chain: Chain;
    /**
     * The name for people.
     */
    name: string;
    /**
     * The chain ID (EIP-155).
     * @minimum 0
     * @maximum 9007199254740991
     */
    chain_id: number;
    /**
     * The coin of the fees.
     */
    coin: "ETH" | "BNB" | "POL";
    first_day: Day;
    /**
     * The first final day.
     */
    first_final_day: Day | null;
    /**
     * The last final day.
     */
    last_final_day: Day | null;
    /**
     * The number of days without a figure, from the first final day or the ingest's first day, whichever is earlier, to yesterday (UTC).
     */
    missing_days: number | null;
    /**
     * The number of days of which every block is read, and that become final once the day after them is. They have no figure yet.
     * @minimum 0
     * @maximum 9007199254740991
     */
    waiting_days: number;
    /**
     * The number of final days with each evidence.
     */
    days_by_evidence: {
        /**
         * @minimum 0
         * @maximum 9007199254740991
         */
        proven: number;
        /**
         * @minimum 0
         * @maximum 9007199254740991
         */
        checked: number;
    } | null;
    /**
     * The time at which the last final day became final (UTC).
     */
    last_final_at: string | null;
    /**
     * Seconds from the newest counted block to the finalized block that the ingest saw last. Null if no run has ended in the last hour.
     */
    seconds_behind: number | null;
};

/**
 * A calendar day (UTC).
 * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
 * @format date
 */
export type Day = string;

/**
 * A calendar day (UTC), `yesterday`, or a number of days before today, such as `30-days-ago`.
 */
export type DayInput = Day | "yesterday" | string;

/**
 * A chain. In brackets: the coin of its fees, and its first day. `ETHEREUM` (ETH, 2015-07-30), `ARBITRUM` (ETH, 2021-05-28), `BSC` (BNB, 2020-08-29), `OPTIMISM` (ETH, 2021-11-11), `BASE` (ETH, 2023-06-15), `POLYGON` (POL, 2020-05-30).
 */
export type Chain = "ETHEREUM" | "ARBITRUM" | "BSC" | "OPTIMISM" | "BASE" | "POLYGON";

export const Chain = {
    ETHEREUM: "ETHEREUM",
    ARBITRUM: "ARBITRUM",
    BSC: "BSC",
    OPTIMISM: "OPTIMISM",
    BASE: "BASE",
    POLYGON: "POLYGON"
} as const;

/**
 * The length of the period that each row sums up. Weeks are ISO weeks, which begin on Monday.
 */
export type Interval = "day" | "week" | "month" | "quarter" | "year";

export const Interval = {
    day: "day",
    week: "week",
    month: "month",
    quarter: "quarter",
    year: "year"
} as const;

/**
 * A chain, the days from `start_date` to `end_date`, both included, and the interval of the rows.
 */
export type Query = {
    chain: Chain;
    start_date: DayInput;
    end_date: DayInput;
    interval?: Interval;
};

/**
 * An error (RFC 9457).
 */
export type Problem = {
    /**
     * The reason phrase of the status.
     */
    title: string;
    /**
     * The status code of the response.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * The cause, and the remedy.
     */
    detail: string;
    /**
     * For invalid input: every invalid field.
     */
    errors?: {
        field: string;
        message: string;
    }[];
    /**
     * Quote it when you report a problem.
     */
    request_id: string;
};
