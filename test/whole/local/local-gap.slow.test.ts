import { createFolder } from '#test/support/folders.ts';
import { API_KEY, startServiceProcess } from '#test/support/processes/service-process.ts';

const dataDir = createFolder();

test('the demo has six weeks of a chain and one gap, also after a restart', async () => {
  for (let start = 0; start < 2; start++) {
    using service = startServiceProcess({ RPC_URLS_BASE: '', DATA_DIR: dataDir, INGEST_START_DATE: '' });
    const url = await service.ready();
    await service.says(/nodes: +BASE +http:\/\/127\S+\n/);
    const gap = await service.says(/gap: +BASE (\S+)/);
    const query = new URLSearchParams({ chain: 'BASE', start_date: '42-days-ago', end_date: 'yesterday' });
    const response = await fetch(`${url}/api/chain-insights/days?${query}`, {
      headers: { 'X-API-Key': API_KEY },
    });
    const rows = (await response.json()) as { date: string }[];
    expect(rows.map(({ date }) => date)).not.toContain(gap);
    expect([rows.length, response.headers.get('X-Days-Missing')]).toEqual([41, '1']);
    service.child.kill('SIGINT');
    await service.exit;
  }
});
