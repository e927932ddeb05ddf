import { Command } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { CHECKS } from '../doctor/examination.ts';
import { examine } from '../doctor/examine.ts';
import { type Diagnosis, showDiagnoses } from '../doctor/show.ts';
import { chosenTargets, type Target, targetsOfEnvironment, targetsOfStage } from '../doctor/targets.ts';
import { verdictOf, withoutEndpoints } from '../doctor/verdict.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { type CommonOptions, chainsOption, rpcUrlOption, validateRpcUrls, withExamples } from '../options.ts';
import { printResult } from '../print.ts';
import { type Progress, startProgress } from '../progress.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly rpcUrl?: readonly string[];
}

export const doctorCommand = (): Command =>
  withExamples(
    new Command('doctor')
      .description(
        'Looks at the nodes that a configuration names, before it is deployed or started, and says which chains would work. Nothing is written.',
      )
      .option(
        '--stage <name>',
        'the stage whose file names the nodes; it need not be deployed (default: what npm start would read by its environment)',
      )
      .option('--json', 'print one JSON document, for scripts', false)
      .addOption(chainsOption('only these chains (default: all)'))
      .addOption(rpcUrlOption('look at these nodes of the one chain that --chain names'))
      .action(doctor),
    'doctor --stage prod',
    'doctor --chain BASE --rpc-url https://node.example/my-key https://other.example',
    'doctor --json',
  );

async function doctor(options: Options): Promise<void> {
  const rpcUrls = validateRpcUrls(options.rpcUrl ?? []);
  const now = Date.now() / 1_000;
  const targets = chosenTargets(
    options.stage === undefined ? targetsOfEnvironment(process.env, now) : targetsOfStage(options.stage),
    options.chain,
    rpcUrls,
  );
  const diagnoses = await diagnoseAll(targets).catch((error: unknown) => {
    if (!interrupted.aborted) throw error;
    throw new CommandError(
      'Stopped. Nothing was written; run it again for all of it.',
      exitCodes.interrupted,
    );
  });
  printResult(options, diagnoses, showDiagnoses(diagnoses, now));
  if (diagnoses.some(({ works }) => !works)) process.exitCode = exitCodes.checkFailed;
}

/** All endpoints of all chains at once: none of them is asked much at a time. */
async function diagnoseAll(targets: readonly Target[]): Promise<Diagnosis[]> {
  const progress = startProgress('checks');
  const checks = { done: 0, known: 0 };
  try {
    return await Promise.all(targets.map((target) => diagnose(target, progress, checks)));
  } finally {
    progress.end();
  }
}

async function diagnose(
  target: Target,
  progress: Progress,
  checks: { done: number; known: number },
): Promise<Diagnosis> {
  const endpoints = await openEndpoints(target);
  if (typeof endpoints === 'string') return { ...withoutEndpoints(target, endpoints), endpoints: [] };
  checks.known += endpoints.length * CHECKS.length;
  const examined = await Promise.all(
    endpoints.map((endpoint) =>
      examine(target, endpoint, interrupted, () => {
        checks.done += 1;
        progress.update(checks.done / checks.known, checks.done);
      }),
    ),
  );
  return { ...verdictOf(target, examined, Date.now() / 1_000), endpoints: examined };
}

/** @returns the reason in place of endpoints where they cannot be had */
async function openEndpoints({ openEndpoints }: Target) {
  try {
    return await openEndpoints();
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
