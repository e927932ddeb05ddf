import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { readAnnouncements } from '../../local/announcement.ts';
import { copyExamples, run, testWith } from '../support/client-process.ts';
import {
  chainsBut,
  endServicesAfterEach,
  READY,
  startServiceProcess,
  waitForDay,
  withKey,
} from '../support/service-process.ts';

/* A stranger with a key and a node recomputes a day: the programs of docs/recompute.md against development chains. */

endServicesAfterEach();
const dataDir = mkdtempSync(join(tmpdir(), 'chain-insights-'));
const folder = copyExamples();
afterAll(() => {
  rmSync(dataDir, { recursive: true });
  rmSync(folder, { recursive: true });
});

/** One chain of each family. */
const names: readonly ChainName[] = ['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'];

testWith('python3')('each figure of a day follows from the blocks of a node', async () => {
  const service = startServiceProcess({
    ...chainsBut(Object.fromEntries(names.map((name) => [`RPC_URLS_${name}`, '']))),
    ...withKey,
    DATA_DIR: dataDir,
  });
  const url = await service.says(READY);
  const chains = readAnnouncements().get(Number(new URL(url).port))?.chains ?? [];
  for (const chain of names) {
    await waitForDay(url, chain);
    const node = chains.find(({ name }) => name === chain)?.urls[0];
    const recompute = (command: string) =>
      run(`NODE_URL=${node} ${command} ${chain} yesterday`, { folder, url, key: withKey.API_KEY });
    const byNode = await recompute('node recompute.ts');
    expect(byNode).toMatchObject({ code: 0, stdout: expect.not.stringContaining('OTHER'), stderr: '' });
    expect(byNode.stdout.match(/as served/g)).toHaveLength(8);
    expect(await recompute('python3 recompute.py')).toEqual(byNode);
  }
  for (const command of ['node recompute.ts', 'python3 recompute.py']) {
    const failed = run(`NODE_URL=http://localhost:9 ${command} ETHEREUM yesterday`, {
      ...{ folder, url, key: withKey.API_KEY },
    });
    expect(await failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The node in NODE_URL gave no answer: .+\. Correct the variable/),
    });
  }
});
