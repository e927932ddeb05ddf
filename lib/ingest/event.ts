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
  beaconUrls,
  beaconNetwork,
  checkpoint,
  endpointsParameter,
}: Config['chains'][number]): IngestEvent => ({
  chain: name,
  start_date: startDate,
  confirmations,
  evidence,
  quorum,
  finality,
  beacon_urls: beaconUrls,
  beacon_network: beaconNetwork,
  checkpoint,
  endpoints_parameter: endpointsParameter,
});
