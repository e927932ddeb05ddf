import type { IngestEvent } from '../../lambda/ingest.ts';
import type { Config } from '../config.ts';

/** Returns the event with which a chain's schedule invokes the ingest function. */
export const ingestEventOf = ({ name, ...settings }: Config['chains'][number]): IngestEvent => ({
  job: 'ingest',
  chain: name,
  ...settings,
});
