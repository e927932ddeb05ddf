import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import {
  FINAL_BLOCK,
  FINALITY,
  listConflicts,
  settleConflict,
  subjectOf,
} from '../../core/store/chain/conflicts.ts';
import { CommandError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { type CommonOptions, chainOption, parseDay, serviceCommand, withExamples } from '../options.ts';
import { commandLine, printResult } from '../print.ts';
import { chainIn } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly date: string;
}

export const settleCommand = (): Command =>
  withExamples(
    serviceCommand(
      'settle',
      'Settles a conflict after someone has verified its day. A restatement settles it too.',
    )
      .addOption(chainOption())
      .requiredOption(
        '--date <day>',
        `the day, ${FINAL_BLOCK} or ${FINALITY}, as shown by status`,
        (value: string) => ([FINAL_BLOCK, FINALITY].includes(value) ? value : parseDay(value)),
      )
      .action(settle),
    'settle --chain BASE --date 3-days-ago --stage prod',
  );

/** @throws CommandError when there is no such conflict */
async function settle(options: Options): Promise<void> {
  const service = await findService(options);
  const { name, store } = chainIn(service, options.chain);
  const conflict = (await listConflicts(store)).find((one) => subjectOf(one) === options.date);
  if (!conflict) {
    const list = commandLine(service.flags, 'status', '--chain', name);
    throw new CommandError(`${name} ${options.date} has no open conflict. To list them: ${list}`);
  }
  await settleConflict(store, conflict);
  printResult(
    options,
    { chain: name, date: options.date },
    `Settled the conflict of ${name} ${options.date}.`,
  );
}
