import type { ChainName } from '../../core/chains/chains.ts';
import { askSchedule } from '../../core/ingest/ask-schedule.ts';
import { ParameterError } from '../../core/rpc/endpoints-parameter.ts';
import { getLag, OldTableError } from '../../core/store/chain/coverage.ts';
import { TableUnavailableError } from '../../core/store/table/client.ts';
import { configOf, stackNameOf } from '../deployed-service.ts';
import { checkAccount, hasFailed, showAccount } from '../doctor/account.ts';
import { findTargetAnchor } from '../doctor/anchor.ts';
import { checkEndpoint } from '../doctor/checks.ts';
import { reportChain, showReports } from '../doctor/report.ts';
import { chooseTargets, type Target, targetsOfEnvironment, targetsOfStage } from '../doctor/targets.ts';
import { CommandError, exitCodes, explainAwsError, orStopped, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import {
  type ChainsOptions,
  chainsOption,
  createCommand,
  type RpcUrlOptions,
  rpcUrlOption,
} from '../options.ts';
import { printNote, printResult } from '../print.ts';
import { wrapText } from '../wrap.ts';

export const doctorCommand = () =>
  createCommand(
    'doctor',
    'Checks a configuration before you deploy or start it: its RPC endpoints, which chains they can serve, and with --stage the AWS account. Writes nothing.',
    [
      'doctor --stage prod',
      'doctor --chain BASE --rpc-url https://node.example/my-key https://other.example',
    ],
  )
    .option(
      '--stage <name>',
      'check what the file of this stage needs, deployed or not: its endpoints and, without --chain, the AWS account (default: the endpoints in RPC_URLS_<CHAIN>, and the public ones of other chains)',
    )
    .option(
      '--release',
      'with --stage: fail only if a deployment would, not because of nodes or emails, which the fix may be about',
      false,
    )
    .option('--json', 'print one JSON document, for scripts', false)
    .addOption(chainsOption('only these chains (default: all)'))
    .addOption(rpcUrlOption('check these endpoints instead, for the one chain named with --chain'))
    .action(doctor);

type DoctorOptions = ChainsOptions & RpcUrlOptions & { readonly release: boolean };

async function doctor({ rpcUrl = [], release, ...options }: DoctorOptions): Promise<void> {
  const { stage, chain } = options;
  if (release && (stage === undefined || chain))
    throw usageError('--release checks a whole stage: name it with --stage, without --chain.');
  const now = Date.now() / 1_000;
  const known =
    stage === undefined ? targetsOfEnvironment(process.env, now, chain) : targetsOfStage(stage, now);
  const targets = chooseTargets(known, chain, rpcUrl);
  const names = targets.map(({ name }) => name).join(', ');
  printNote(wrapText(`Checking the endpoints of ${names}. This can take two minutes.`));
  const refused = await refusedBlocks(options);
  const [chains, account] = await orStopped(
    Promise.all([
      Promise.all(targets.map((target) => checkTarget(target, now, refused))),
      stage !== undefined && !chain ? checkAccount(configOf(stage), stackNameOf(stage)) : undefined,
    ]),
    'Stopped before the checks were complete. Run the command again.',
  );
  const shown = [showReports(chains, now), ...(account ? [wrapText(showAccount(account))] : [])];
  printResult(options, { ...(account && { account }), chains }, shown.join('\n\n'));
  if (hasFailed(chains, account ?? [], release)) process.exitCode = exitCodes.checkFailed;
}

type RefusedBlocks = ReadonlyMap<ChainName, number>;

/** Returns the first block of each chain that the last run of the service refused; none where no service runs yet. */
async function refusedBlocks(options: ChainsOptions): Promise<RefusedBlocks> {
  try {
    const { chains } = await findService(options);
    const lags = chains.map(async ({ name, store }) => [name, (await getLag(store))?.refused_block] as const);
    return new Map(
      (await Promise.all(lags)).flatMap(([name, block]) => (block === undefined ? [] : [[name, block]])),
    );
  } catch (error) {
    const isKnown = [CommandError, OldTableError, TableUnavailableError].some(
      (kind) => error instanceof kind,
    );
    if (isKnown || explainAwsError(error) !== undefined) return new Map();
    throw error;
  }
}

async function checkTarget(target: Target, now: number, refused: RefusedBlocks) {
  try {
    const endpoints = await target.readEndpoints();
    // First: the last check of an endpoint exceeds its limits.
    const anchor = await findTargetAnchor(target, endpoints);
    const checks = endpoints.map((endpoint) => checkEndpoint(target, endpoint));
    const reports = await Promise.all(checks);
    const asked = endpoints.filter((_, index) => reports[index]?.finalized);
    const hosts = { endpoints: asked, servers: target.proof.servers };
    const answers = await askSchedule(target.chain, hosts, now * 1_000);
    const scheduled = answers.flatMap(({ host, forks = [] }) => forks.map((fork) => ({ ...fork, host })));
    return reportChain(target, reports, anchor, now, { refused: refused.get(target.name), scheduled });
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    return reportChain(target, [], { reason: error.message }, now);
  }
}
