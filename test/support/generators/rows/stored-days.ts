import fc from 'fast-check';
import { chainNames } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { blockEvidences } from '#core/figures/day-figures.ts';
import { mapFeeAttributes } from '#core/figures/fee-parts.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';

/** Returns the hash of the block before a day. A day without blocks has that block as its last. */
const parentOf = ({ first_block = blockAt(1), last_block, block_count }: Partial<StoredDay>): string =>
  block_count === 0 && last_block ? last_block.hash : blockAt(first_block.number - 1).hash;

/** A proven day of BSC with blocks 1 to 4, with some attributes overridden. */
export const storedDay = (given: Partial<StoredDay> = {}): StoredDay => ({
  chain: 'BSC',
  date: '2025-11-18',
  block_count: 4,
  transaction_count: 9,
  protocol_transaction_count: 4,
  ...mapFeeAttributes(() => 0n),
  execution_fees: 1_000_000_000_000_000_001n,
  blob_fees: 7n,
  parent_hash: parentOf(given),
  first_block: blockAt(1),
  last_block: blockAt(4),
  definition_version: 1,
  revision: 1,
  software_version: '1.2.3',
  ingested_at: '2025-11-21T00:05:00.000Z',
  endpoint_hosts: ['a.example', 'b.example:8545'],
  evidence: 'proven',
  proven_blocks: given.block_count ?? 4,
  confirmed_by: ['a.example', 'b.example:8545'],
  ...given,
});

/** The attributes of a day without blocks, after a block. */
export const emptyAfter = (number: number): Partial<StoredDay> => ({
  block_count: 0,
  transaction_count: 0,
  protocol_transaction_count: 0,
  execution_fees: 0n,
  blob_fees: 0n,
  first_block: undefined,
  last_block: blockAt(number),
});

/** Contiguous days with four blocks each. */
export const storedDays = (days: number, given: Partial<StoredDay> = {}): StoredDay[] =>
  Array.from({ length: days }, (_, index) =>
    storedDay({
      date: addDays('2025-11-18', index),
      first_block: blockAt(4 * index + 1),
      last_block: blockAt(4 * index + 4),
      ...given,
    }),
  );

/** A restated day, whose reason needs escaping in every format. */
export const restatedDay = (given: Partial<StoredDay> = {}): StoredDay => {
  const { chain: _chain, date: _date, ...old } = storedDay({ execution_fees: 10n ** 38n - 1n });
  const reason = 'a node "lied",\r\nand = \u2028 said 数 😀 so;\n';
  const times = { requested_at: '2025-11-22T08:00:00Z', restated_at: '2025-11-22T09:00:00.000Z' };
  return storedDay({ revision: 2, restated: [{ ...old, reason, ...times }], ...given });
};

const wei = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n });
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
// Like fast-check's unit `binary`, which takes a second to build.
const character = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'",\r\n;\'\\=[]{} \u2028\u0085\ufeffa'), maxLength: 12 }),
);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const hash = fc
  .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  .map((hex) => `0x${hex}`);
const block = fc.record({ number: count, hash });

const hosts = fc.array(fc.webAuthority({ withPort: true }), { maxLength: 3 });
const version = fc
  .tuple(fc.nat(), fc.string({ unit: fc.constantFrom(...'019.az+-_'), maxLength: 12 }))
  .map((parts) => parts.join(''));

const revision = {
  block_count: count,
  transaction_count: count,
  protocol_transaction_count: count,
  ...mapFeeAttributes(() => wei),
  parent_hash: hash,
  first_block: fc.option(block, { nil: undefined }),
  last_block: block,
  definition_version: fc.integer({ min: 1 }),
  revision: fc.integer({ min: 1 }),
  software_version: version,
  ingested_at: time,
  endpoint_hosts: hosts,
  evidence: fc.constantFrom(...blockEvidences),
  proven_blocks: count,
  confirmed_by: hosts,
};

const earlier = fc.record({ ...revision, reason: text, requested_at: time, restated_at: time });

/** Any stored day. */
export const anyStoredDay: fc.Arbitrary<StoredDay> = fc.record({
  chain: fc.constantFrom(...chainNames),
  date: time.map((iso) => iso.slice(0, 10)),
  ...revision,
  restated: fc.option(fc.array(earlier, { maxLength: 3 }), { nil: undefined }),
});
