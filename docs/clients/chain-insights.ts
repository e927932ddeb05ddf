// Made of openapi.json by npm run openapi.

/**
 * Chain Insights (v0.1.0)
 * Exact daily figures of a blockchain over a range of dates: how many transactions it carried each day, and what people paid in
 * fees. No figure is ever wrong, partial or invented: each is a sum over every block of a UTC day, and each of those blocks was
 * checked and is finalized.
 *
 * Every request carries a key in the header `X-API-Key`. The figures in the examples are made up.
 *
 * ## What the figures mean
 *
 * Definitions, version 1.
 *
 * **Day**: the UTC day that a block's `timestamp` falls in.
 *
 * **`transaction_count`**: every transaction in the bodies of the chain's canonical blocks of that day, as block explorers count
 * them: failed ones too, and those that the protocol itself put there.
 *
 * **`fees`**: everything that senders paid for inclusion and execution: execution, L1 data, operator and blob fees together, in
 * whole wei, with no rounding anywhere. Burned base fees are part of it: they were paid.
 *
 * **Final**: a day is published when the chain's `finalized` block is at or past the next midnight UTC and every block of the day
 * was read and checked. A day without blocks is published as 0 only because the blocks before and after it are parent and
 * child. Nothing is estimated.
 *
 * ## Days without a row
 *
 * A day that is not final has no row; it is never 0. `X-Days-Missing` says how many days of the range that is, from the chain's
 * first day up to yesterday (UTC): days before and after have no row either, and are not counted. `X-Data-Through` says how
 * far the data goes. Final days change only where one turned out wrong and was read again, so ask again with
 * `If-None-Match` to learn cheaply whether anything is new.
 *
 * ## Reading fees
 *
 * `fees` is a decimal in a string. Read it with a decimal type (Python's `Decimal`, Java's `BigDecimal`), or as whole wei in
 * a `BigInt`: a floating-point number keeps 15 of its digits.
 *
 * ## When something goes wrong
 *
 * Every error is `application/problem+json` and says what was wrong and what to do. Where it has `Retry-After`, wait for that many
 * seconds and send the request again: a key has a rate and a monthly quota.
 *
 * ## From web pages of other origins
 *
 * They can call only where the operator has named their origin (CORS). Then answers to them also carry
 * `Access-Control-Allow-Origin` and `Access-Control-Expose-Headers`, and where there are several origins, `Vary` names `Origin` too.
 */

/**
 * A day of the calendar, UTC.
 * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
 * @format date
 */
export type Day = string;

/**
 * A chain, with the coin of its fees and its first day: `ETHEREUM` (ETH, 2015-07-30), `ARBITRUM` (ETH, 2021-05-28), `BSC` (BNB, 2020-08-29), `OPTIMISM` (ETH, 2021-11-11), `BASE` (ETH, 2023-06-15), `POLYGON` (POL, 2020-05-30).
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
 * A chain, and the days from `start_date` to `end_date`, both included. There may be any number of them.
 */
export type Query = {
    chain: Chain;
    start_date: Day;
    end_date: Day;
};

/**
 * A final day and its figure.
 */
export type TransactionCountDay = {
    date: Day;
    /**
     * How many transactions the blocks of the day hold, as block explorers count them: failed ones too, and those that the protocol itself put there. An integer.
     * @minimum 0
     * @maximum 9007199254740991
     */
    transaction_count: number;
};

/**
 * A final day and its figure.
 */
export type FeesDay = {
    date: Day;
    /**
     * Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob fees, burned base fees too. In whole coins of the chain (`X-Fees-Currency`), as a decimal that is exact to the last of up to 18 digits. It is a string, because a floating-point number would lose digits.
     * @pattern ^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$
     */
    fees: string;
};

/**
 * What was wrong and what to do (RFC 9457).
 */
export type Problem = {
    /**
     * The name of the status.
     */
    title: string;
    /**
     * The status of the response, once more.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * What was wrong and what to do.
     */
    detail: string;
    /**
     * For bad values: every bad field at once, with what is wrong with it.
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
