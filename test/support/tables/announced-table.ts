import type { ChainName } from '#core/chains/chains.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import { announce } from '#local/announcement.ts';
import { type CliResult, runCli } from '#test/support/processes/cli-process.ts';
import { useStore } from './table.ts';

export interface Announced extends ReturnType<typeof useStore> {
  /** Runs a command on a service with this table and these chains, with the URLs of their nodes. */
  readonly cli: (
    parameters: readonly string[],
    chains: Partial<Record<ChainName, readonly string[]>>,
    onOutput?: (output: string, interrupt: () => void) => void,
  ) => Promise<CliResult>;
}

/**
 * Announces a new table for each test as a service on this machine, without an API, and opens it as the store of a chain.
 * @param from first day of its schedule
 * @param gap a day that one of its chains leaves out on purpose
 * @param firstDay of its chains, if they are development chains
 */
export function useAnnouncedTable(
  from: UtcDay,
  chain: ChainName = 'ETHEREUM',
  gap?: { readonly chain: ChainName; readonly day: UtcDay },
  firstDay?: UtcDay,
): Announced {
  const { table, store } = useStore(chain);
  return {
    table,
    store,
    cli: async (parameters, chains, onOutput) => {
      const { port } = new URL(table().endpoint);
      const withdraw = announce({
        pid: process.pid,
        url: `http://localhost:${port}`,
        tableUrl: table().endpoint,
        from,
        chains: Object.entries(chains).map(([name, urls]) => ({
          name: name as ChainName,
          urls: [...urls],
          gap: gap?.chain === name ? gap.day : undefined,
          firstDay,
        })),
      });
      try {
        const { code, stdout, stderr } = await runCli(parameters, { PORT: port }, onOutput);
        // Printed commands name the port, which differs in each run.
        const unported = (text: string) => text.replaceAll(`PORT=${port} npx`, 'npx');
        return { code, stdout: unported(stdout), stderr: unported(stderr) };
      } finally {
        withdraw();
      }
    },
  };
}
