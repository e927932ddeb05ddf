import { statSync } from 'node:fs';
import { join } from 'node:path';
import { announce, readAnnouncements } from '#local/announcement.ts';

/* All services on this machine share one folder, so each test uses a port of its own that no server has. */

const announcement = (port: number) => ({
  pid: process.pid,
  url: `http://localhost:${port}`,
  tableUrl: 'http://127.0.0.1:4000',
  from: '2026-11-14',
  chains: [
    {
      name: 'BSC' as const,
      urls: ['http://127.0.0.1:1/secret-token'],
      confirmations: 15,
      evidence: 'checked' as const,
      quorum: 2,
      firstDay: '2026-10-01',
    },
  ],
});

const fileOf = (port: number) => join(process.cwd(), '.local', `${port}.json`);

test('finds a service by its port until it withdraws its announcement', () => {
  const withdraw = announce(announcement(1));
  expect(readAnnouncements().get(1)).toEqual(announcement(1));
  withdraw();
  expect(readAnnouncements().has(1)).toBe(false);
});

test('lets only its owner read an announcement, because node URLs may contain secrets', () => {
  const withdraw = announce(announcement(3));
  expect(statSync(fileOf(3)).mode & 0o077).toBe(0);
  withdraw();
});
