// Generated from openapi.json by "npm run generate". Do not edit.

/** A block. */
export type Block = {
    /** The number of the block. */
    number: number;
    /** The hash of the block. */
    hash: string;
};

/** A chain and the state of its data. A field without a known value is null. */
export type ChainStatus = {
    chain: Chain;
    /** The name for people. */
    name: string;
    /** The chain ID (EIP-155). */
    chain_id: number;
    /** The coin of the fees. */
    coin: "ETH" | "BNB" | "POL" | "xDAI";
    first_day: Day;
    /** The first final day. */
    first_final_day: Day | null;
    /** The last final day. */
    last_final_day: Day | null;
    /** The number of days without a figure, from the first final day or the ingest's first day, whichever is earlier, to yesterday (UTC). */
    missing_days: number | null;
    /** The number of days of which every block is read, and that become final once the day after them is. They have no figure yet. Null if the service cannot read the state of the chain. */
    waiting_days: number | null;
    /** The number of days with each evidence. Without archived days, `archived` is absent. */
    days_by_evidence: {
        proven: number;
        checked: number;
        archived?: number;
    } | null;
    /** The time at which the last final day became final (UTC). */
    last_final_at: string | null;
    /** Seconds from the newest counted block to the finalized block that the ingest saw last. Null if no run has measured it in the last hour. */
    seconds_behind: number | null;
    /** The newest block that the chain itself proves to be final. Null where only nodes report it. */
    proven_block: Block | null;
    /** The forks that hosts say are scheduled. Each is the word of one host, and changes no figure. */
    scheduled: {
        /** The name that the host gives the fork, or its number of blobs; null if it gives none. */
        name: string | null;
        /** The time at which it begins (UTC). */
        at: string;
        /** The host that says so. */
        host: string;
        /** True if this version follows it. */
        followed: boolean;
    }[];
    /** Open contradictions between final days and nodes, disputes about the final block, and missing proofs of finality. */
    conflicts: {
        /** The day whose figures may be wrong; null where it concerns no day. */
        date: Day | null;
        /** When it began (UTC). */
        since: string;
    }[];
    /** True for a development chain of `npm start`, whose figures are invented. Else absent. */
    sample?: boolean;
};

/** A final day and its value. */
export type TransactionCountDay = {
    /** Only if the request names several chains. */
    chain?: Chain;
    /** A day (UTC), such as `2026-11-21`; of a period its first day; with the interval `hour`, an hour such as `2026-11-21T13`. */
    date: string;
    /** The number of transactions in the day's blocks, as block explorers count them: failed transactions and those that the protocol itself inserted are included. An integer. */
    transaction_count: number;
};

/** A final day and its value. */
export type FeesDay = {
    /** Only if the request names several chains. */
    chain?: Chain;
    /** A day (UTC), such as `2026-11-21`; of a period its first day; with the interval `hour`, an hour such as `2026-11-21T13`. */
    date: string;
    /** Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob fees, including burned base fees. The unit is the coin of the chain (`X-Fees-Currency`). The value is an exact decimal with up to 18 fractional digits, sent as a string because a floating-point number would lose digits. */
    fees: string;
    /** As in `DayDetails`. Only if `fields` names it. */
    fees_usd?: string;
};

/** The reason why the block to which the day links is final. Each block from there back to the day follows by hash, except for an archived day. */
export type Finality = {
    /** Two thirds of a sync committee of the chain's validators signed that this beacon block is final. */
    kind: "sync committee";
    /** The slot of the beacon block. */
    slot: number;
    /** The root of the beacon block. */
    root: string;
} | {
    /** Two thirds of BSC's validators voted for two blocks in a row, which makes the first final. */
    kind: "fast finality";
    source: Block;
    target: Block;
} | {
    /** Hosts called the block final, and no proof is known. */
    kind: "reported";
    /** Those hosts, sorted. */
    hosts: string[];
};

/** Only for an archived day: its archive, and the audit of the file. */
export type Archive = {
    /** The archive. */
    name: string;
    /** The SHA-256 of the file. */
    file_sha256: string;
    /** The SHA-256 of the query that made the file. */
    query_sha256?: string;
    audit: {
        /** The time of the audit (UTC). */
        audited_at: string;
        /** The ranges of blocks that were read from nodes, proven and compared. */
        ranges_compared: number;
        /** The ranges of blocks in the file. */
        ranges: number;
        /** The sentence that the audit supports. */
        statement: string;
    };
    /** The time at which a proof contradicted a day of the file, so that its audit is void (UTC). */
    void_since?: string;
};

/** The figures of a final day before they were replaced on purpose. */
export type Restatement = {
    /** The revision that was replaced. */
    revision: number;
    /** The operator's reason. */
    reason: string;
    /** The time of the replacement (UTC). */
    restated_at: string;
    /** The count until then. */
    transaction_count: number;
    /** The fees until then. */
    fees: string;
};

/** The bounds of the bucket that a fee is in. */
export type FeeBounds = {
    /** The lowest fee in the bucket. */
    from: string;
    /** The end of the bucket: all fees in it are lower. */
    to: string;
};

/** The prices of the coin that a Chainlink feed recorded on the chain. The hashes of the chain prove that they were recorded; whether they were right depends on the operators of the feed. */
export type Price = {
    /** The first price in dollars that the feed recorded in these blocks. */
    first: string;
    /** The last one. */
    last: string;
    /** The number of prices that it recorded. */
    updates: number;
    /** The contract that recorded them. Absent from a period in which the feed moved to another one. */
    aggregator?: string;
    /** The evidence that the feed used this contract: `proven` by the state of final blocks before and after, or `reported` by two hosts. */
    evidence: "proven" | "reported";
};

/** A final day with everything that its figures rest on. Without blocks it has no `first_block`, and `last_block` is the last block before it. A period has the sums of its days, the first and the last block of all, the weakest evidence, the lowest `definition_version`, and the latest `revision` and `ingested_at`. */
export type DayDetails = {
    /** Only if the request names several chains. */
    chain?: Chain;
    /** A day (UTC), such as `2026-11-21`; of a period its first day; with the interval `hour`, an hour such as `2026-11-21T13`. */
    date: string;
    /** The number of days in the period. Absent from rows of a day. */
    day_count?: number;
    /** As in `TransactionCountDay`. */
    transaction_count: number;
    /** `transaction_count` without `protocol_transaction_count`. */
    user_transaction_count: number;
    /** The transactions that the protocol itself inserted. */
    protocol_transaction_count: number;
    /** As in `FeesDay`, the sum of the next four. */
    fees: string;
    /** A part of `fees`. Gas used times its price, base fee and tip together. */
    execution_fees: string;
    /** A part of `fees`. OP Stack: posting the transaction data to L1. */
    l1_data_fees: string;
    /** A part of `fees`. OP Stack since Isthmus: the operator fee. */
    operator_fees: string;
    /** A part of `fees`. EIP-4844: blob gas used times its price. */
    blob_fees: string;
    /** Arbitrum: fees for gas donated to redeems, which receipts report twice; not in `fees`. */
    retryable_double_count: string;
    /** The part of `execution_fees` at the base fee of each block. Absent where it is not known. */
    base_fees?: string;
    /** The rest of `execution_fees`: what is paid above the base fee. Absent where it is not known. */
    priority_fees?: string;
    /** The sum of the gas of all receipts, an integer, as a string because a number would lose digits. */
    gas_used?: string;
    /** The transactions whose receipt has the status 0. Absent where it is not known. */
    failed_transaction_count?: number;
    /** The number of blobs. Absent where it is not known. */
    blob_count?: number;
    /** The version of the definitions of gas, failures, blobs, base and priority fees, and hours. Absent where it is not known. */
    measures_version?: number;
    /** The number of blocks. */
    block_count: number;
    /** The fee that half of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    median_fee?: FeeBounds;
    /** The fee that a tenth of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    p10_fee?: FeeBounds;
    /** The fee that nine tenths of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    p90_fee?: FeeBounds;
    /** The version of the buckets of `median_fee`, `p10_fee` and `p90_fee`. Absent where it is not known. */
    distribution_version?: number;
    /** The sum of each block's fees times the price of the coin that a feed had recorded last on the same chain, an exact decimal. The price is an oracle's word. Absent where no recent price was recorded, and from a period in which a day has none. */
    fees_usd?: string;
    price?: Price;
    /** The reason why a day has no `fees_usd`, such as `no state`, `changed` or `stale`, with details after a colon. */
    unpriced_reason?: string;
    first_block?: Block;
    last_block?: Block;
    /** `proven` if every block was recomputed from data that hashes to the finalized block; `archived` if the day comes from an archive whose file was audited; else `checked`. */
    evidence: "proven" | "checked" | "archived";
    /** The version of the definitions of transactions and fees that the figures follow. */
    definition_version: number;
    /** 1, and one more for each restatement. */
    revision: number;
    /** The time at which these figures became final (UTC). */
    ingested_at: string;
    /** The hash of the last block before the day. Only for a day. */
    parent_hash?: string;
    finality?: Finality;
    archive?: Archive;
    /** Only for a restated day, the oldest first. */
    restatements?: Restatement[];
};

/** A bucket of fees in which a final day or a period has transactions. */
export type FeeBucket = {
    /** Only if the request names several chains. */
    chain?: Chain;
    date: Day;
    /** The lowest fee in the bucket, as an exact decimal of the coin of the chain (`X-Fees-Currency`). */
    from: string;
    /** The end of the bucket: all fees in it are lower. */
    to: string;
    /** The number of transactions whose fee is in the bucket. */
    transaction_count: number;
};

/** An hour that is over, and whose blocks are all final. */
export type TodayHour = {
    /** The hour (UTC), such as `2026-11-28T13`. */
    date: string;
    /** As in `TransactionCountDay`. */
    transaction_count: number;
    /** `transaction_count` without `protocol_transaction_count`. */
    user_transaction_count: number;
    /** The transactions that the protocol itself inserted. */
    protocol_transaction_count: number;
    /** As in `FeesDay`, the sum of the next four. */
    fees: string;
    /** A part of `fees`. Gas used times its price, base fee and tip together. */
    execution_fees: string;
    /** A part of `fees`. OP Stack: posting the transaction data to L1. */
    l1_data_fees: string;
    /** A part of `fees`. OP Stack since Isthmus: the operator fee. */
    operator_fees: string;
    /** A part of `fees`. EIP-4844: blob gas used times its price. */
    blob_fees: string;
    /** Arbitrum: fees for gas donated to redeems, which receipts report twice; not in `fees`. */
    retryable_double_count: string;
    /** The part of `execution_fees` at the base fee of each block. Absent where it is not known. */
    base_fees?: string;
    /** The rest of `execution_fees`: what is paid above the base fee. Absent where it is not known. */
    priority_fees?: string;
    /** The sum of the gas of all receipts, an integer, as a string because a number would lose digits. */
    gas_used?: string;
    /** The transactions whose receipt has the status 0. Absent where it is not known. */
    failed_transaction_count?: number;
    /** The number of blobs. Absent where it is not known. */
    blob_count?: number;
    /** The version of the definitions of gas, failures, blobs, base and priority fees, and hours. Absent where it is not known. */
    measures_version?: number;
    /** The number of blocks. */
    block_count: number;
};

/** The sums of the last 24 hours that are over and final. Absent while one of them is not known. */
export type Last24Hours = {
    /** The first of the hours (UTC). */
    first_hour: string;
    /** The last one, 23 hours later. */
    last_hour: string;
    /** As in `TransactionCountDay`. */
    transaction_count: number;
    /** `transaction_count` without `protocol_transaction_count`. */
    user_transaction_count: number;
    /** The transactions that the protocol itself inserted. */
    protocol_transaction_count: number;
    /** As in `FeesDay`, the sum of the next four. */
    fees: string;
    /** A part of `fees`. Gas used times its price, base fee and tip together. */
    execution_fees: string;
    /** A part of `fees`. OP Stack: posting the transaction data to L1. */
    l1_data_fees: string;
    /** A part of `fees`. OP Stack since Isthmus: the operator fee. */
    operator_fees: string;
    /** A part of `fees`. EIP-4844: blob gas used times its price. */
    blob_fees: string;
    /** Arbitrum: fees for gas donated to redeems, which receipts report twice; not in `fees`. */
    retryable_double_count: string;
    /** The part of `execution_fees` at the base fee of each block. Absent where it is not known. */
    base_fees?: string;
    /** The rest of `execution_fees`: what is paid above the base fee. Absent where it is not known. */
    priority_fees?: string;
    /** The sum of the gas of all receipts, an integer, as a string because a number would lose digits. */
    gas_used?: string;
    /** The transactions whose receipt has the status 0. Absent where it is not known. */
    failed_transaction_count?: number;
    /** The number of blobs. Absent where it is not known. */
    blob_count?: number;
    /** The version of the definitions of gas, failures, blobs, base and priority fees, and hours. Absent where it is not known. */
    measures_version?: number;
    /** The number of blocks. */
    block_count: number;
    /** `proven` if every block was recomputed from data that hashes to the finalized block; `archived` if the day comes from an archive whose file was audited; else `checked`. */
    evidence: "proven" | "checked" | "archived";
};

/** The last counted block, which is final. */
export type Through = {
    /** The number of the block. */
    number: number;
    /** The hash of the block. */
    hash: string;
    /** The time of the block (UTC). */
    time: string;
};

/** The running day of a chain, from midnight (UTC) through its last final block. Until there is one, it has none of the sums. */
export type Today = {
    chain: Chain;
    /** Today (UTC). */
    date: Day;
    through?: Through;
    /** As in `TransactionCountDay`. */
    transaction_count?: number;
    /** `transaction_count` without `protocol_transaction_count`. */
    user_transaction_count?: number;
    /** The transactions that the protocol itself inserted. */
    protocol_transaction_count?: number;
    /** As in `FeesDay`, the sum of the next four. */
    fees?: string;
    /** A part of `fees`. Gas used times its price, base fee and tip together. */
    execution_fees?: string;
    /** A part of `fees`. OP Stack: posting the transaction data to L1. */
    l1_data_fees?: string;
    /** A part of `fees`. OP Stack since Isthmus: the operator fee. */
    operator_fees?: string;
    /** A part of `fees`. EIP-4844: blob gas used times its price. */
    blob_fees?: string;
    /** Arbitrum: fees for gas donated to redeems, which receipts report twice; not in `fees`. */
    retryable_double_count?: string;
    /** The part of `execution_fees` at the base fee of each block. Absent where it is not known. */
    base_fees?: string;
    /** The rest of `execution_fees`: what is paid above the base fee. Absent where it is not known. */
    priority_fees?: string;
    /** The sum of the gas of all receipts, an integer, as a string because a number would lose digits. */
    gas_used?: string;
    /** The transactions whose receipt has the status 0. Absent where it is not known. */
    failed_transaction_count?: number;
    /** The number of blobs. Absent where it is not known. */
    blob_count?: number;
    /** The version of the definitions of gas, failures, blobs, base and priority fees, and hours. Absent where it is not known. */
    measures_version?: number;
    /** The number of blocks. */
    block_count?: number;
    /** The fee that half of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    median_fee?: FeeBounds;
    /** The fee that a tenth of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    p10_fee?: FeeBounds;
    /** The fee that nine tenths of the transactions that pay one do not exceed, as the bounds of its bucket. Absent where it is not known, and where none pays a fee. */
    p90_fee?: FeeBounds;
    /** The version of the buckets of `median_fee`, `p10_fee` and `p90_fee`. Absent where it is not known. */
    distribution_version?: number;
    first_block?: Block;
    /** The hash of the last block before the day. */
    parent_hash?: string;
    /** `proven` if every block was recomputed from data that hashes to the finalized block; `archived` if the day comes from an archive whose file was audited; else `checked`. */
    evidence?: "proven" | "checked" | "archived";
    finality?: Finality;
    /** The version of the definitions of transactions and fees that the figures follow. */
    definition_version?: number;
    /** Seconds from `through` to the newest final block that the ingest knew when it counted that one. */
    seconds_behind?: number;
    /** The hours of the day that are over and final. */
    hours?: TodayHour[];
    last_24_hours?: Last24Hours;
};

/** A calendar day (UTC). */
export type Day = string;

/** A chain. In brackets: the coin of its fees, and its first day. `ETHEREUM` (ETH, 2015-07-30), `ARBITRUM` (ETH, 2021-05-28), `BSC` (BNB, 2020-08-29), `OPTIMISM` (ETH, 2021-11-11), `BASE` (ETH, 2023-06-15), `POLYGON` (POL, 2020-05-30), `UNICHAIN` (ETH, 2024-11-04), `WORLD_CHAIN` (ETH, 2024-06-25), `ARBITRUM_NOVA` (ETH, 2022-06-25), `INK` (ETH, 2024-12-06), `SONEIUM` (ETH, 2024-12-02), `ZORA` (ETH, 2023-06-13), `MODE` (ETH, 2023-11-16), `BOB` (ETH, 2024-04-11), `GNOSIS` (xDAI, 2022-12-09). */
export type Chain = "ETHEREUM" | "ARBITRUM" | "BSC" | "OPTIMISM" | "BASE" | "POLYGON" | "UNICHAIN" | "WORLD_CHAIN" | "ARBITRUM_NOVA" | "INK" | "SONEIUM" | "ZORA" | "MODE" | "BOB" | "GNOSIS";

/** The length of the time that each row sums up. Weeks are ISO weeks, which begin on Monday. A range of hours has at most 92 days. */
export type Interval = "hour" | "day" | "week" | "month" | "quarter" | "year";

/** An error (RFC 9457). */
export type Problem = {
    /** The reason phrase of the status. */
    title: string;
    /** The status code of the response. */
    status: number;
    /** The cause, and the remedy. */
    detail: string;
    /** For invalid input: every invalid field. */
    errors?: {
        field: string;
        message: string;
    }[];
    /** Quote it when you report a problem. */
    request_id: string;
};
