import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraDaysIn, eraScene, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';
import { startNodes, startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { store, cli } = useAnnouncedTable(ERA_DAYS[0] ?? '');

const scene = eraScene();
let folder: string;
beforeEach(() => {
  folder = createFolder();
  for (const [name, bytes] of scene.files) writeFileSync(join(folder, name), bytes);
});

const start = (...more: string[]) => startWith(['--url', folder, ...more]);

async function startWith(
  more: readonly string[],
  onOutput?: (output: string, interrupt: () => void) => void,
  blocks = scene.blocks,
) {
  await using nodes = await startTwoNodes(answerFrom(blocks));
  const parameters = ['backfill', 'start', '--chain', 'ETHEREUM', '--from', 'files', '--local'];
  return await cli([...parameters, ...more], { ETHEREUM: nodes.urls }, onOutput);
}

const stored = () => eraDaysIn(store());
const expected = (...days: readonly number[]) => days.map(scene.dayAt);

test('stops reads that hang on Ctrl-C, and says how to continue with the same days', async () => {
  await using mirror = await startEraMirror(scene.files, 0);
  const days = ['--start-date', ERA_DAYS[0] ?? '', '--end-date', ERA_DAYS[1] ?? ''];
  const { stdout, stderr, code } = await startWith(
    ['--url', `${mirror.url}/`, ...days],
    (output, interrupt) => {
      if (output.includes('0 of 2 days')) interrupt();
    },
  );
  expect(stdout).toMatch(/^ETHEREUM: no day became final \(\d+ block/);
  expect(stderr).toContain(
    `To continue:\n  npx --no chain-insights backfill start --chain ETHEREUM --from files --url ${mirror.url}/ ${days.join(' ')} --local`,
  );
  expect(code).toBe(130);
});

test('names a truncated file with the reason, publishes the days of the others, and later reads only the missing', async () => {
  const name = FILE_NAMES[1] ?? '';
  const bytes = scene.files.get(name) ?? Buffer.alloc(0);
  writeFileSync(join(folder, name), bytes.subarray(0, -1));
  const { code, stdout } = await start('--json');
  const { failed, days } = JSON.parse(stdout);
  const reason = expect.stringMatching(new RegExp(`${name}: .*the file is truncated`));
  expect(failed).toEqual([
    { date: ERA_DAYS[1], reason },
    { date: ERA_DAYS[2], reason },
  ]);
  expect(days).toEqual(['2026-11-17', ERA_DAYS[0], ERA_DAYS[3]]);
  expect(code).toBe(1);
  expect(await stored()).toEqual(expected(0, 3));

  writeFileSync(join(folder, name), bytes);
  const again = await start('--json', '--concurrency', '2');
  // Block 4 is read: the run before saved it.
  expect(JSON.parse(again.stdout)).toMatchObject({ failed: [], blocks: 5, days: ERA_DAYS.slice(1, 3) });
  expect(await stored()).toEqual(expected(0, 1, 2, 3));
});

test('starts from files unless they are of another network than most endpoints, or their URL has a secret', async () => {
  const times = scene.blocks.map(({ header }) => Number(header.timestamp));
  const others = sampleChain([...times, (times.at(-1) ?? 0) + 12]);
  const { stderr, code } = await startWith(['--url', folder], undefined, others);
  expect(stderr).toMatch(/^Nothing was started: block \d+ is 0x\w+ in the files, but 0x\w+ at the nodes\./);
  expect(code).toBe(1);
  const right = answerFrom(scene.blocks);
  await using nodes = await startNodes([answerFrom(others, { chainId: 56 }), right, right]);
  const start = ['backfill', 'start', '--chain', 'ETHEREUM', '--from', 'files', '--local', '--url', folder];
  expect(await cli(start, { ETHEREUM: nodes.urls })).toMatchObject({ code: 0 });
  const secret = await startWith(['--url', 'https://user:secret@mirror.example/era1/']);
  expect(secret.stderr).toContain('without user, password and query');
  expect([secret.stderr.includes('secret@'), secret.code]).toEqual([false, 2]);
});

test('fails without era files, and without --url', async () => {
  for (const name of FILE_NAMES) rmSync(join(folder, name));
  expect((await start()).stderr).toContain('has no era file of Ethereum');
  const { stderr, code } = await cli(
    ['backfill', 'start', '--chain', 'ETHEREUM', '--from', 'files', '--local'],
    { ETHEREUM: [] },
  );
  expect([stderr, code]).toEqual([expect.stringContaining('with --url'), 2]);
});
