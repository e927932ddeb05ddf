import { chooseAnnouncement } from '#cli/service.ts';
import type { Announcement } from '#local/announcement.ts';

const at = (port: number): [number, Announcement] => [
  port,
  {
    pid: 1,
    url: `http://localhost:${port}`,
    tableUrl: 'http://127.0.0.1:4000',
    from: '2026-11-14',
    chains: [],
  },
];
const running = (...ports: number[]) => new Map(ports.map(at));

test('selects the only running service', () => {
  expect(chooseAnnouncement(running(3_000), undefined).url).toBe('http://localhost:3000');
  expect(chooseAnnouncement(running(3_000), '').url).toBe('http://localhost:3000');
});

test('selects one of several services by PORT', () => {
  expect(chooseAnnouncement(running(3_000, 3_100), '3100').url).toBe('http://localhost:3100');
  expect(() => chooseAnnouncement(running(3_100, 3_000), undefined)).toThrow(
    'Several services run on this machine. Set PORT to one of 3000, 3100.',
  );
});

test('explains how to start a service when none runs', () => {
  expect(() => chooseAnnouncement(running(), undefined)).toThrow(
    'No service runs on this machine. Run npm start in another terminal, or select a deployed service with --stage.',
  );
  expect(() => chooseAnnouncement(running(), '3100')).toThrow(
    'No service runs on this machine. Run npm start',
  );
  expect(() => chooseAnnouncement(running(3_000, 3_200), '3100')).toThrow(
    'No service runs on this machine at port 3100. Set PORT to one of 3000, 3200.',
  );
  expect(() => chooseAnnouncement(running(3_000), '3100')).toThrow('3100. Omit PORT, or set it to 3000.');
});
