import { createServer } from 'node:http';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { askSchedule, noteSchedule } from '#core/ingest/ask-schedule.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { getSchedule } from '#core/store/chain/schedule.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Proves how often hosts are asked about scheduled forks, and how long each one's word is kept. scheduled-forks.test.ts reads answers. */

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-28T00:00:00Z');
const at = NOW + 20 * DAY_MS;
const fork = {
  activationTime: at / 1_000,
  blobSchedule: { target: 21, max: 32, baseFeeUpdateFraction: 20_609_697 },
};
const word = (value: number) => value.toString(16).padStart(64, '0');

let calls: string[] = [];
let isSilent = false;
beforeEach(() => {
  [calls, isSilent] = [[], false];
});

const results: Readonly<Record<string, unknown>> = {
  eth_config: { next: fork, last: fork },
  // ArbOwnerPublic's scheduled upgrade: a version and a time.
  eth_call: `0x${word(99)}${word(at / 1_000)}`,
};
const url = useServer(
  createServer(async (request, response) => {
    if (request.method === 'GET') {
      calls.push(request.url ?? '');
      response.end(JSON.stringify({ data: { HEZE_FORK_EPOCH: '500000' } }));
      return;
    }
    const { id, method } = JSON.parse((await Array.fromAsync(request)).join(''));
    calls.push(method);
    const error = { code: -32601, message: `the method ${method} does not exist` };
    const answer = isSilent ? { error } : { result: results[method] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }),
);

const table = useMemoryTable();
const store = () => chainStore(table(), 'ETHEREUM');
const ethereum = chainOf('ETHEREUM');
const endpoint = (host = 'a.example', chain = ethereum) => endpointOf(chain, url(), host);
/** @param hosts the configured ones @param isOnItsChain false for endpoints that no run has reached */
const note = (now: number, { hosts = ['a.example'], isOnItsChain = true } = {}) =>
  noteSchedule(
    ethereum,
    store(),
    async () => ({
      upstreams: hosts.map((host) => ({ ...createUpstream(endpoint(host)), isOnItsChain })),
      servers: [],
    }),
    now,
  );

describe('askSchedule', () => {
  const forksOf = async (name: ChainName, servers: readonly string[] = [], now = NOW) => {
    const chain = chainOf(name);
    const asked = {
      endpoints: [endpoint('a.example', chain)],
      servers: servers.map((host) => endpoint(host)),
    };
    const answers = await askSchedule(chain, asked, now);
    return answers.map(({ host, forks }) => [host, forks?.map((one) => one.name)]);
  };

  test.each<[ChainName, unknown, readonly string[]]>([
    ['ETHEREUM', ['blobs 21/32'], ['eth_config']],
    ['ARBITRUM', ['ArbOS 99'], ['eth_call']],
    ['BASE', undefined, []],
  ])('asks endpoints of %s for %j', async (name, forks, asked) => {
    expect(await forksOf(name)).toEqual([['a.example', forks]]);
    expect(calls).toEqual(asked);
  });

  test('asks light-client servers for the epochs of forks', async () => {
    expect(await forksOf('ETHEREUM', ['b.example'])).toEqual([
      ['a.example', ['blobs 21/32']],
      ['b.example', ['heze']],
    ]);
    expect(calls).toContain('/eth/v1/config/spec');
  });

  test.each([
    [at - 1, ['ArbOS 99']],
    [at, []],
  ])('at %i, the upgrades ahead are %j', async (now, forks) => {
    expect(await forksOf('ARBITRUM', [], now)).toEqual([['a.example', forks]]);
  });

  test('has no answer of a host that lacks the method', async () => {
    isSilent = true;
    expect(await forksOf('ETHEREUM')).toEqual([['a.example', undefined]]);
  });
});

describe('noteSchedule', () => {
  test('asks once a day, and keeps the last word of a host that no longer has the method', async () => {
    const forks = await note(NOW);
    expect(forks).toMatchObject([{ name: 'blobs 21/32', host: 'a.example', followed: false }]);
    expect(await note(NOW + DAY_MS - 1)).toEqual(forks);
    expect(calls).toHaveLength(1);
    isSilent = true;
    expect(await note(NOW + DAY_MS)).toEqual(forks);
    expect(calls).toHaveLength(2);
    expect((await getSchedule(store()))?.asked_at).toBe('2026-11-29T00:00:00.000Z');
  });

  test('asks again after a run that reached no node, and forgets nothing', async () => {
    const forks = await note(NOW);
    expect(await note(NOW + DAY_MS, { isOnItsChain: false })).toEqual(forks);
    expect(calls).toHaveLength(1);
    await note(NOW + DAY_MS + 1);
    expect(calls).toHaveLength(2);
  });

  test.each([
    [at - 1, 1],
    [at, 0],
  ])('keeps what a silent host said until the fork begins: at %i, %i forks', async (now, count) => {
    await note(NOW);
    isSilent = true;
    expect(await note(now)).toHaveLength(count);
  });

  test('replaces what a host said, and forgets one that is no longer configured', async () => {
    await note(NOW, { hosts: ['a.example', 'b.example'] });
    const forks = await note(NOW + DAY_MS, { hosts: ['b.example'] });
    expect(forks.map(({ host }) => host)).toEqual(['b.example']);
  });

  test('knows of no fork while the table fails', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const broken = {
      ...store(),
      table: { ...table(), getItem: () => Promise.reject(new Error('throttled')) },
    };
    expect(await noteSchedule(ethereum, broken, async () => ({ upstreams: [], servers: [] }), NOW)).toEqual(
      [],
    );
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
