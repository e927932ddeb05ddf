import * as z from 'zod/mini';
import {
  EVIDENCE_POLICIES,
  type EvidencePolicy,
  finalityPolicies,
  isEvidencePolicy,
} from '../figures/day-figures.ts';
import { beaconNetworkSchema } from './beacon-network.ts';
import { date, oneOf, strictObject, text, wholeNumber } from './field-kinds.ts';

/*
 * The settings of one chain that an operator chooses. Stages, the events of the ingest function and the variables of `npm start` have the
 * same ones. `npm run generate` copies the comments to docs/operate/settings.md, so their links begin there.
 */

/** Settings that decide which blocks a run accepts as final. */
export const sourceSettings = {
  /** For nodes without the tag `finalized`: blocks that must follow a final one. */
  confirmations: z.optional(wholeNumber(1, 100_000)),
  /**
   * `checked` also accepts nodes whose blocks [cannot be proven](../definitions.md#what-is-proven); `checked from
   * <block>` [unknown rules](forks.md#the-way-on).
   */
  evidence: z._default(z.custom<EvidencePolicy>(isEvidencePolicy, `expected ${EVIDENCE_POLICIES}`), 'proven'),
  /** Hosts that must support a final block: by default 2, or 1 where all nodes are of one host. */
  quorum: z.optional(wholeNumber(1, 10)),
  /** Of `ETHEREUM` and `BSC`: `proven` waits for the chain’s [proof](../definitions.md#proofs-of-finality), `reported` asks for none. */
  finality: z.optional(oneOf(finalityPolicies)),
};

export const chainSettings = {
  /** In place of the stage’s value, for this chain. */
  startDate: z.optional(date),
  /** [Archived days](../history.md#prove-on) to prove each day, with the time that scheduled runs have left; by default none. */
  provePerDay: z.optional(wholeNumber(1, 100)),
  ...sourceSettings,
  /** Of `ETHEREUM`: `urls` of [light-client servers](#light-client-servers), and a [private](../local.md#private-networks) `network`. */
  beacon: z.optional(
    strictObject({
      urls: z.optional(
        z
          .array(text(/^https:\/\/[^@?#\s]+$/, 'an https URL without credentials'), 'expected a list of URLs')
          .check(z.minLength(1, 'expected at least one URL')),
      ),
      network: z.optional(beaconNetworkSchema),
    }),
  ),
  /** Of `ETHEREUM` and `BSC`: [where proofs begin](#light-client-servers), 32 bytes in hex. */
  checkpoint: z.optional(text(/^0x[0-9a-f]{64}$/, '32 bytes in hex, such as 0x…')),
  /** Name of the SSM parameter with [its nodes](#nodes-of-your-own); by default public nodes. */
  endpointsParameter: z.optional(
    text(/^\/[\w.\-/]{1,1000}$/, 'the name of an SSM parameter, beginning with /'),
  ),
};

const [sourceSchema, chainSchema] = [z.object(sourceSettings), z.object(chainSettings)];

export type SourceSettings = Readonly<z.input<typeof sourceSchema>>;
export type ChainSettings = Readonly<z.input<typeof chainSchema>>;
