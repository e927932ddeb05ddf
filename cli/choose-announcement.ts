import type { Announcement } from '../local/announcement.ts';
import { CommandError } from './exit-codes.ts';

/**
 * Returns the announcement of the service to operate.
 * @param port selects one of several
 * @throws CommandError when none runs, or several run and `port` selects none of them
 */
export function chooseAnnouncement(
  running: ReadonlyMap<number, Announcement>,
  port: string | undefined,
): Announcement {
  const [only, ...others] = running.values();
  const selected = port ? running.get(Number(port)) : only;
  if (selected && (port || others.length === 0)) return selected;
  if (only) {
    const ports = [...running.keys()].toSorted((a, b) => a - b).join(', ');
    const advice = others.length > 0 ? `Set PORT to one of ${ports}.` : `Set PORT=${ports}.`;
    throw new CommandError(
      port
        ? `No service runs on this machine at port ${port}. ${advice}`
        : `Several services run on this machine. ${advice}`,
    );
  }
  throw new CommandError(
    'No service runs on this machine. Run npm start in another terminal, or select a deployed service with --stage.',
  );
}
