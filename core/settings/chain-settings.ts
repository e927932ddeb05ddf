import * as z from 'zod/mini';
import type { BeaconNetwork } from '../chains/finality-rules.ts';
import {
  EVIDENCE_POLICIES,
  type EvidencePolicy,
  finalityPolicies,
  isEvidencePolicy,
} from '../figures/day-figures.ts';
import { date, flag, oneOf, strictObject, text, wholeNumber } from './field-kinds.ts';

/*
 * The settings of one chain that an operator chooses. Stages and the events of the ingest function have all of them, and the variables of
 * `npm start` those that make sense there. `npm run generate` copies the comments to docs/operate/settings.md, so their links begin there.
 */

/** Settings that decide which blocks a run accepts as final. */
export const sourceSettings = {
  /** For nodes without the tag `finalized`: blocks that must follow a final one. */
  confirmations: z.optional(wholeNumber(1, 100_000)),
  /**
   * `checked` also accepts nodes whose blocks [cannot be proven](../definitions.md#what-is-proven); `checked from
   * <block>` accepts [unknown rules](forks.md#the-way-on) from that block on.
   */
  evidence: z._default(z.custom<EvidencePolicy>(isEvidencePolicy, `expected ${EVIDENCE_POLICIES}`), 'proven'),
  /** Hosts that must support a final block: by default 2, or 1 where all nodes are of one host. */
  quorum: z.optional(wholeNumber(1, 10)),
  /** For [chains with proofs](../chains.md): `proven` waits for the [proof](../definitions.md#proofs-of-finality), `reported` asks for none. */
  finality: z.optional(oneOf(finalityPolicies)),
};

const hex = (bytes: number) => text(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`), `${bytes} bytes in hex`);

const FORKS =
  'expected a list of forks, of capella, deneb, electra, fulu and gloas, each with epoch and version';
const forkSchema = z.strictObject(
  {
    name: z.enum(['capella', 'deneb', 'electra', 'fulu', 'gloas'], FORKS),
    epoch: wholeNumber(0),
    version: hex(4),
  },
  FORKS,
);

/** The setting of a private beacon chain: its genesis, its preset, and its forks in the order of their epochs. */
export const beaconNetworkSchema: z.ZodMiniType<BeaconNetwork, BeaconNetwork> = z.strictObject(
  {
    genesisValidatorsRoot: hex(32),
    genesisTime: wholeNumber(0),
    secondsPerSlot: wholeNumber(1),
    slotsPerEpoch: wholeNumber(1),
    epochsPerPeriod: wholeNumber(1),
    committeeSize: wholeNumber(1),
    forks: z.array(forkSchema, FORKS).check(
      z.minLength(1, FORKS),
      z.refine(
        (forks) => forks.every(({ epoch }, index) => epoch >= (forks[index - 1]?.epoch ?? 0)),
        'expected forks in the order of their epochs',
      ),
    ),
  },
  'expected genesisValidatorsRoot, genesisTime, secondsPerSlot, slotsPerEpoch, epochsPerPeriod, committeeSize, forks, and nothing else',
);

/** Each chain has its least epoch: `firstGloasEpoch`. */
export const gloasEpochSchema = wholeNumber(1);

export const chainSettings = {
  /** In place of the stage’s value, for this chain. */
  startDate: z.optional(date),
  /** [Archived days](../history.md#prove-on) to prove each day, with the time that scheduled runs have left; by default none. */
  provePerDay: z.optional(wholeNumber(1, 100)),
  ...sourceSettings,
  /**
   * For [chains with a sync committee](../chains.md): `urls` of [light-client servers](#light-client-servers); `gloasEpoch`, the first epoch of the fork Gloas, [once it is
   * announced](forks.md#gloas); and a [private](../local.md#private-networks) `network`.
   */
  beacon: z.optional(
    strictObject({
      urls: z.optional(
        z
          .array(text(/^https:\/\/[^@?#\s]+$/, 'an https URL without credentials'), 'expected a list of URLs')
          .check(z.minLength(1, 'expected at least one URL')),
      ),
      gloasEpoch: z.optional(gloasEpochSchema),
      network: z.optional(beaconNetworkSchema),
    }),
  ),
  /** Logs each request to a node and each commit: [trace](runbook.md#trace). */
  trace: z.optional(flag),
  /** For [chains with proofs](../chains.md): [where they begin](#light-client-servers), 32 bytes in hex. */
  checkpoint: z.optional(text(/^0x[0-9a-f]{64}$/, '32 bytes in hex, such as 0x…')),
  /** Name of the SSM parameter with [its nodes](#nodes-of-your-own); by default public nodes. */
  endpointsParameter: z.optional(
    text(/^\/[\w.\-/]{1,1000}$/, 'the name of an SSM parameter, beginning with /'),
  ),
};

export type SourceSettings = Readonly<z.input<z.ZodMiniObject<typeof sourceSettings>>>;
export type ChainSettings = Readonly<z.input<z.ZodMiniObject<typeof chainSettings>>>;
