import type { RefusalRow } from '#core/rpc/refusals.ts';
import type { NodeResponse } from './json-rpc-server.ts';

/** Returns an answer in each form of a row: every status, code and message that it names. */
export function answersOf({ status = [200], codes, says = ['words of no row'] }: RefusalRow): NodeResponse[] {
  const body = (code: number | undefined, message: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: null, error: code === undefined ? message : { code, message } });
  return status.flatMap((one) =>
    (codes ?? [undefined]).flatMap((code) => says.map((words) => ({ status: one, body: body(code, words) }))),
  );
}
