import {
  chainsBut,
  createDataDir,
  endServicesAfterEach,
  READY,
  startServiceProcess,
  withKey,
} from '#test/support/processes/service-process.ts';

const dataDir = createDataDir();
endServicesAfterEach();

test('the demo has six weeks of a chain and one gap, also after a restart', async () => {
  for (let start = 0; start < 2; start++) {
    const service = startServiceProcess({
      ...chainsBut({ RPC_URLS_BASE: '' }),
      ...withKey,
      DATA_DIR: dataDir,
      INGEST_START_DATE: '',
    });
    const url = await service.says(READY);
    const gap = await service.says(/gap: +BASE (\S+)/);
    const query = new URLSearchParams({ chain: 'BASE', start_date: '42-days-ago', end_date: 'yesterday' });
    const response = await fetch(`${url}/api/chain-insights/days?${query}`, {
      headers: { 'X-API-Key': withKey.API_KEY },
    });
    const rows = (await response.json()) as { date: string }[];
    expect(rows.map(({ date }) => date)).not.toContain(gap);
    expect([rows.length, response.headers.get('X-Days-Missing')]).toEqual([41, '1']);
    service.child.kill('SIGINT');
    await service.exit;
  }
});
