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
 * **Final**: a day is published when the chain's `finalized` block is at or past the next midnight UTC and every block of the day
 * was proven or, where that is impossible, checked. A day without blocks is published as 0
 * only if the blocks before and after it are parent and child. Nothing is estimated.
 *
 * ## Days without a row
 *
 * A day that is not final has no row; its value is never 0. `X-Days-Missing` counts such days from the chain's first day up to
 * yesterday (UTC). Days before and after have no row either, and are not counted. `X-Data-Through` is the chain's last final
 * day. A final day changes only when it is corrected by a restatement. Send `If-None-Match` to learn cheaply whether anything
 * has changed.
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
 * A calendar day (UTC).
 * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
 * @format date
 */
export type Day = string;

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
 * A chain, and the days from `start_date` to `end_date`, both included.
 */
export type Query = {
    chain: Chain;
    start_date: Day;
    end_date: Day;
};

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
