import { createServer } from 'node:http';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { deleteUnsentEvent, listUnsentEvents, noteUnsentEvent } from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { environment } from '#lambda/environment.ts';
import { type ExportGiven, useExport } from '#test/support/aws/run-export.ts';
import { fillTable } from '#test/support/generators/rows/filled-table.ts';
import { useServer } from '#test/support/servers/serve.ts';

/* Proves what the morning's email says, that it is sent only for a reason, and that what cannot be read neither hides the rest nor ends the export. */

const { table, runExport } = useExport();

describe('sendDailyMail', () => {
  async function fillWithoutEvents(): Promise<void> {
    await fillTable(table());
    for (const chain of ['BSC', 'BASE'] as const) {
      const store = chainStore(table(), chain);
      for (const event of await listUnsentEvents(store)) await deleteUnsentEvent(store, event);
    }
  }

  const bodyOf = async (given: ExportGiven) => {
    const { result, mails } = await runExport(given);
    expect(result).toMatchObject({ format: 1 });
    expect(mails().length).toBeLessThanOrEqual(1);
    return mails()[0];
  };

  test('has the notices that are active, and asks for no other alarm', async () => {
    await fillWithoutEvents();
    const alarms = [
      { AlarmName: 'ChainInsights-prod-notice-run-lost', AlarmDescription: 'A run was lost. Read it.' },
    ];
    const { mails, asked } = await runExport({ alarms });
    expect(asked()[0]).toMatchObject({ AlarmNamePrefix: 'ChainInsights-prod-notice-', StateValue: 'ALARM' });
    expect(mails()).toEqual([
      {
        TopicArn: 'arn:aws:sns:eu-central-1:111122223333:notices',
        Subject: 'ChainInsights-prod: 1 notice',
        Message: 'Nothing here needs anyone at night.\n\n- run-lost: A run was lost. Read it.\n',
      },
    ]);
  });

  test('is sent each Monday, with the newest day of each chain', async () => {
    await fillWithoutEvents();
    expect(await bodyOf({})).toBeUndefined();
    jest.resetModules();
    jest.setSystemTime(new Date('2026-01-05T02:30:00Z'));
    const mail = await bodyOf({});
    expect(mail).toMatchObject({
      Subject: 'ChainInsights-prod: all is well',
      Message: expect.stringMatching(
        /^There are no notices\.\n\nThe newest final day of each chain:\nBSC \d{4}-\d\d-\d\d\nBASE \d{4}-\d\d-\d\d\n$/,
      ),
    });
  });

  test.each([[[]], [['PendingConfirmation']], [['Deleted']]])(
    'says that nobody gets the pages, of subscriptions %j',
    async (subscribers) => {
      await fillWithoutEvents();
      const mail = await bodyOf({ subscribers });
      expect(mail?.Subject).toBe('ChainInsights-prod: 1 notice');
      expect(mail?.Message).toContain(
        'Nobody is subscribed to the pages (docs/operate/deploy.md#alarms). First: npx --no chain-insights doctor --stage prod',
      );
    },
  );

  test('says which chains have conflicts and events that are not sent', async () => {
    await fillWithoutEvents();
    const store = chainStore(table(), 'BASE');
    await saveConflict(store, {
      day: '2025-11-19',
      reason: 'Other figures.',
      since: Date.parse('2026-01-01'),
    });
    await store.table.commit([noteUnsentEvent(store, { day: '2025-11-19', revision: 1, position: 1 })]);
    const mail = await bodyOf({});
    expect(mail?.Subject).toBe('ChainInsights-prod: 2 notices');
    expect(mail?.Message).toContain(
      'BASE 2025-11-19, since 2026-01-01T00:00:00.000Z: Other figures. First: npx --no chain-insights status --stage prod --chain BASE',
    );
    expect(mail?.Message).toContain('BASE: 1 event not sent, the first of 2025-11-19.');
  });

  test.each<[string, ExportGiven, string]>([
    [
      'the alarms',
      { alarms: new Error('AccessDenied') },
      'Nobody knows whether the alarms has notices: Error: AccessDenied',
    ],
    [
      'the export of yesterday',
      {
        fault: ({ operation }) =>
          operation === 'GetObject' ? { status: 403, code: 'AccessDenied' } : undefined,
      },
      'The export of yesterday cannot be read',
    ],
  ])('says that %s could not be read, and the export succeeds', async (_, given, text) => {
    await fillWithoutEvents();
    expect((await bodyOf(given))?.Message).toContain(text);
  });

  describe('with the public files of another service', () => {
    let served = new Map<string, Buffer>();
    const url = useServer(
      createServer(({ url = '' }, response) => {
        const bytes = served.get(url.slice(1));
        return response.writeHead(bytes ? 200 : 404).end(bytes);
      }),
    );

    /** Serves what this service would, after a change of one file. */
    async function serveOwn(change: (csv: string) => string) {
      const { objects } = await runExport({ variables: { [environment.publicFiles]: 'CC0-1.0' } });
      jest.resetModules();
      const changed = Buffer.from(change(String(objects.get('public/BSC.csv'))));
      served = objects.set('public/BSC.csv', changed);
    }

    test('says which day differs by one wei, and with which command all do', async () => {
      await fillWithoutEvents();
      await serveOwn((csv) => csv.replaceAll('1.000000000000000001', '1.000000000000000002'));
      const mail = await bodyOf({ variables: { [environment.compareWith]: url() } });
      expect(mail?.Message).toMatch(
        /BSC: \d days of \S+ differ\. 2025-11-\d\d: \w+ 1\.0{17}1 here, 1\.0{17}2 there; evidence proven here, proven there\./,
      );
      expect(mail?.Message).toContain(
        `First: npx --no chain-insights compare --stage prod --chain BSC --with ${url()}`,
      );
    });

    test('says nothing of equal days', async () => {
      await fillWithoutEvents();
      await serveOwn((csv) => csv);
      expect(await bodyOf({ variables: { [environment.compareWith]: url() } })).toBeUndefined();
    });

    test('says that the files cannot be read, and the export succeeds', async () => {
      await fillWithoutEvents();
      served.clear();
      const mail = await bodyOf({ variables: { [environment.compareWith]: url() } });
      expect(mail?.Message).toContain(
        `Nobody knows whether the comparison with ${url()} has notices: Error: ${url()}/public/index.json cannot be read: status 404.`,
      );
    });
  });

  test('says that a broken chain was not checked, and checks the others', async () => {
    await fillWithoutEvents();
    await table().putIf({ chain: 'BSC', date: 'coverage', from_day: 7 });
    const mail = await bodyOf({ before: { BASE: 2 } });
    expect(mail?.Message).toContain('Nobody knows whether BSC has notices: InvalidItemError');
    expect(mail?.Message).toContain('BASE: the export shrank from 2 to 1 day.');
  });
});
