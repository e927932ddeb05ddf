import type { ChainName } from '../../core/chains/chains.ts';
import { countDays, type UtcDay } from '../../core/figures/calendar.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { type DayWork, ingestDayFully } from '../backfill/ingest-day.ts';
import { backfillRange } from '../backfill/plan.ts';
import { readDays } from '../backfill/read-days.ts';
import { missingDays } from '../day-ranges.ts';
import { upstreamsOf } from '../endpoints.ts';
import { findService } from '../find-service.ts';
import {
  type CommonOptions,
  chainOption,
  dayOption,
  type RpcUrlOptions,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  withRpcUrl,
} from '../options.ts';
import { commandLine, printNote } from '../print.ts';
import { chainIn } from '../service.ts';

interface Options extends CommonOptions, RpcUrlOptions {
  readonly chain: ChainName;
  readonly startDate: UtcDay;
  readonly endDate: UtcDay;
  readonly daysAtOnce: number;
}

export const ingestCommand = () =>
  serviceCommand(
    'ingest',
    'Reads the missing days of a range into the table, from this machine, several at once, the newest first. Skips final days.',
    [
      'ingest --chain ETHEREUM --start-date 30-days-ago --end-date yesterday',
      'ingest --stage prod --chain BASE --start-date 30-days-ago --end-date yesterday --rpc-url https://node.example/key',
    ],
  )
    .addOption(chainOption())
    .addOption(dayOption('--start-date <day>', 'first day').makeOptionMandatory())
    .addOption(dayOption('--end-date <day>', 'last day').makeOptionMandatory())
    .option('--days-at-once <number>', 'days to read at once', readInteger(1, 32), 4)
    .addOption(rpcUrlOption('read only these endpoints, in this order (default: those of the service)'))
    .action(ingest);

async function ingest(options: Options): Promise<void> {
  const service = await findService(options);
  const { chain, daysAtOnce, rpcUrl } = options;
  const served = chainIn(service, chain);
  const { first: startDate, last: endDate } = backfillRange(served.chain, options);
  if (options.startDate < startDate) printNote(`${chain} begins on ${startDate}: earlier days are left out.`);
  if (options.endDate > endDate)
    printNote(`Days after ${endDate} are left out, because they are not over (UTC).`);
  const dates = missingDays(startDate, endDate, await listFinalDays(served.store, startDate));
  const upstreams = await upstreamsOf(served, rpcUrl);
  const again = commandLine(service.flags, 'ingest', { chain, startDate, endDate, daysAtOnce });
  await readDays(options, {
    served,
    upstreams,
    dates,
    atOnce: daysAtOnce,
    range: { start_date: startDate, end_date: endDate },
    finalBefore: countDays(startDate, endDate) - dates.length,
    read: (day, signal, onBlocks) => {
      const onBlock: DayWork['onBlock'] = (_, { timestamp }) => onBlocks({ blocks: 1, timestamp });
      return ingestDayFully({ served, upstreams, onBlock, signal }, day);
    },
    again: withRpcUrl(again, rpcUrl),
  });
}
