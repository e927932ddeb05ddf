import type { IngestEvent } from '../../lambda/ingest.ts';
import type { Config } from '../config.ts';

/** What starts a run of the ingest for a chain: the input of its schedule. */
export const ingestEventOf = ({
  name,
  startDate,
  confirmations,
  endpointsParameter,
}: Config['chains'][number]): IngestEvent => ({
  chain: name,
  start_date: startDate,
  confirmations,
  endpoints_parameter: endpointsParameter,
});
