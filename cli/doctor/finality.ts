import type { Source } from '../../core/anchor/network.ts';
import { ageProblem, beginFinality, timeOf } from '../../core/anchor/prove-final.ts';
import { checkpointIn } from '../../core/finality/sync-committee/light-client.ts';
import { EndpointError } from '../../core/rpc/endpoint.ts';
import { type LightClientServer, readLightClientData } from '../../core/rpc/light-client-server.ts';
import { formatDuration } from '../print.ts';
import type { Target } from './targets.ts';

/** The block with which the proofs of a chain's finality would begin now. */
export interface FinalityReport {
  /** Absent when proofs cannot begin. */
  readonly checkpoint?: string;
  /** Of its block, in seconds since 1970. */
  readonly timestamp?: number;
  /** The reason that proofs cannot begin. */
  readonly problem?: string;
  /** The block that each light-client server calls final now, or the reason that it names none. */
  readonly servers: readonly { readonly server: string; readonly answer: string }[];
}

/** @returns undefined for a chain without such proofs, or a stage that wants none */
export async function checkFinality(
  { chain, finality: policy, proof = { servers: [] } }: Target,
  source: Source,
): Promise<FinalityReport | undefined> {
  const { finality } = chain;
  if (!finality || policy === 'reported') return undefined;
  const { signal, clock } = source.context;
  const [begun, servers] = await Promise.all([
    beginFinality(finality, source, proof),
    Promise.all(proof.servers.map((server) => answerOf(server, signal))),
  ]);
  if (begun.kind === 'not begun') return { problem: begun.reason, servers };
  const problem = ageProblem(finality, begun.state, clock.now());
  const { checkpoint, state } = begun;
  return { checkpoint, timestamp: timeOf(finality, state), ...(problem && { problem }), servers };
}

async function answerOf(server: LightClientServer, signal: AbortSignal) {
  try {
    const root = checkpointIn(await readLightClientData(server, 'finality_update', signal));
    return { server: server.host, answer: root ?? 'it answers with no update' };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return { server: server.host, answer: error.message };
  }
}

/** @param now seconds since 1970 */
export function describeFinality(report: FinalityReport, now: number): string[] {
  const { checkpoint, timestamp, problem, servers } = report;
  const begins =
    checkpoint === undefined || timestamp === undefined
      ? []
      : [`Proofs of finality would begin at ${checkpoint}, ${formatDuration(now - timestamp)} ago.`];
  const answers = servers.map(({ server, answer }) =>
    answer.startsWith('0x') ? `${server} calls ${answer} final.` : `${answer}.`,
  );
  return [
    ...begins,
    ...(problem === undefined
      ? []
      : [
          `Proofs of finality cannot begin: ${problem}. A service that has proven blocks continues from them; status shows the newest.`,
        ]),
    ...answers,
  ];
}
