import * as z from 'zod/mini';
import type { BeaconNetwork } from '../chains/finality-rules.ts';
import { text, wholeNumber } from './field-kinds.ts';

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
