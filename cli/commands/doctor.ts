import { Command, InvalidArgumentError } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import type { Endpoint } from '../../core/rpc/endpoint.ts';
import { configOf, stackNameOf } from '../deployed-service.ts';
import { checkAccount, showAccount } from '../doctor/account.ts';
import { findTargetAnchor } from '../doctor/anchor.ts';
import { checkEndpoint } from '../doctor/check-endpoint.ts';
import { CHECKS } from '../doctor/checks.ts';
import { type ChainReport, reportChain, reportWithoutEndpoints, showReports } from '../doctor/report.ts';
import {
  chooseTargets,
  developmentNote,
  type Target,
  targetsOfEnvironment,
  targetsOfStage,
} from '../doctor/targets.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { type CommonOptions, chainsOption, rpcUrlOption, validateRpcUrls, withExamples } from '../options.ts';
import { printNote, printResult } from '../print.ts';
import { type ProgressBar, startProgressBar } from '../progress.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly rpcUrl?: readonly string[];
  /** The address for alarms. Empty is none, as a variable of a workflow that is not set. */
  readonly context?: string;
}

export const doctorCommand = (): Command =>
  withExamples(
    new Command('doctor')
      .description(
        'Checks a configuration before you deploy or start it: its RPC endpoints, which chains they can serve, and with --stage the AWS account. Writes nothing.',
      )
      .option(
        '--stage <name>',
        'check what the file of this stage needs, deployed or not: its endpoints and, without --chain, the AWS account (default: the endpoints in RPC_URLS_<CHAIN>, and the public ones of other chains)',
      )
      .option(
        '-c, --context <alarmEmail=address>',
        'the address for alarms that you give to CDK with the same option',
        readAlarmEmail,
      )
      .option('--json', 'print one JSON document, for scripts', false)
      .addOption(chainsOption('only these chains (default: all)'))
      .addOption(rpcUrlOption('check these endpoints instead, for the one chain named with --chain'))
      .action(doctor),
    'doctor --stage prod -c alarmEmail=on-call@example.com',
    'doctor --chain BASE --rpc-url https://node.example/my-key https://other.example',
    'doctor --json',
  );

function readAlarmEmail(value: string): string {
  const [, address] = /^alarmEmail=(.*)$/.exec(value) ?? [];
  if (address === undefined) throw new InvalidArgumentError('Expected alarmEmail=<address>.');
  return address;
}

async function doctor(options: Options): Promise<void> {
  const rpcUrls = validateRpcUrls(options.rpcUrl ?? []);
  const now = Date.now() / 1_000;
  const targets = chooseTargets(
    options.stage === undefined
      ? targetsOfEnvironment(process.env, now, options.chain)
      : targetsOfStage(options.stage, now),
    options.chain,
    rpcUrls,
  );
  const note = developmentNote(targets);
  if (note) printNote(note);
  const { stage, chain } = options;
  const isWholeStage = stage !== undefined && chain === undefined;
  const [chains, account] = await orStopped(
    Promise.all([
      checkAll(targets),
      isWholeStage
        ? checkAccount(configOf(stage, options.context || undefined), stackNameOf(stage))
        : undefined,
    ]),
    'Stopped before the checks were complete. Run the command again.',
  );
  const shown = [showReports(chains, now), ...(account ? [showAccount(account)] : [])];
  printResult(options, { ...(account && { account }), chains }, shown.join('\n\n'));
  if ([...chains, ...(account ?? [])].some(({ works }) => !works)) process.exitCode = exitCodes.checkFailed;
}

/** Checks all endpoints of all chains in parallel, since most checks make one call at a time. */
async function checkAll(targets: readonly Target[]): Promise<ChainReport[]> {
  using progress = startProgressBar('checks');
  const checks = { done: 0, known: 0 };
  return await Promise.all(targets.map((target) => checkTarget(target, progress, checks)));
}

async function checkTarget(
  target: Target,
  progress: ProgressBar,
  checks: { done: number; known: number },
): Promise<ChainReport> {
  const endpoints = await readEndpoints(target);
  if (typeof endpoints === 'string') return reportWithoutEndpoints(target, endpoints);
  checks.known += endpoints.length * CHECKS.length;
  const check = (endpoint: Endpoint) =>
    checkEndpoint(target, endpoint, interrupted, () => {
      checks.done += 1;
      progress.update(checks.done / checks.known, checks.done);
    });
  // First: the last check of an endpoint exceeds its limits.
  const anchor = await findTargetAnchor(target, endpoints, interrupted);
  const reports = await Promise.all(endpoints.map(check));
  return reportChain(target, reports, anchor, Date.now() / 1_000);
}

/** @returns the endpoints, or the reason why they cannot be read */
async function readEndpoints({ readEndpoints }: Target) {
  try {
    return await readEndpoints();
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
