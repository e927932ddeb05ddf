import type { IngestEvent } from '../../lambda/ingest.ts';
import type { Config } from '../config.ts';

/** Returns the event with which a chain's schedule invokes the ingest function. */
export const ingestEventOf = ({
  name,
  startDate,
  confirmations,
  evidence,
  quorum,
  finality,
  beacon,
  checkpoint,
  endpointsParameter,
}: Config['chains'][number]): IngestEvent => ({
  chain: name,
  start_date: startDate,
  confirmations,
  evidence,
  quorum,
  finality,
  beacon_urls: beacon?.urls,
  beacon_network: beacon?.network,
  checkpoint,
  endpoints_parameter: endpointsParameter,
});
