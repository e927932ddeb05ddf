import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dayOf, type UtcDay } from '#core/figures/calendar.ts';
import type { Stage } from '#lib/config.ts';
import { type KnownChain, knownChain } from '../known-chain.ts';
import { putNodes } from '../node-parameters.ts';
import { startNodes } from '../nodes.ts';
import type { Options, Target } from '../options.ts';
import { copyProject, type Project } from '../project.ts';
import type { Report } from '../report.ts';
import type { Place } from '../run-process.ts';
import { firstSettings, parameterOf } from '../stage-settings.ts';

/** Everything that the parts of a trial share. */
export interface Trial {
  readonly options: Options;
  readonly target: Target;
  readonly report: Report;
  readonly stackName: string;
  readonly project: Project;
  readonly today: UtcDay;
  /** The chain of the backfill, and the one that the update disables. */
  readonly ethereum: KnownChain;
  readonly bsc: KnownChain;
  /** True when nodes of both chains run. */
  readonly hasNodes: boolean;
  readonly settings: Stage;
  /** Returns where the commands of a copy of the project run. */
  readonly placeOf: (copy: string) => Place;
}

/** Folder of copies of the project and logs. Git ignores it. */
const FOLDER = resolve('test-output/deployed');

/** A URL at which nobody answers. */
const NOBODY = 'https://nodes.invalid/';

/** Adds the certificate of the nodes to those that this machine trusts already, such as that of a proxy. Returns the file with all. */
function trustAlso(certificate: string): string {
  const before = process.env.NODE_EXTRA_CA_CERTS;
  const files = [...(before ? [before] : []), certificate];
  const file = join(FOLDER, 'trusted.pem');
  writeFileSync(file, files.map((one) => readFileSync(one, 'utf8')).join('\n'));
  return file;
}

/** Generates the chains and writes a copy of the project with the stage. Changes nothing in AWS. */
export async function prepareTrial(options: Options, target: Target, report: Report): Promise<Trial> {
  mkdirSync(FOLDER, { recursive: true });
  const today = dayOf(Date.now() / 1_000);
  const [ethereum, bsc] = await Promise.all([knownChain('ETHEREUM', today), knownChain('BSC', today)]);
  const settings = firstSettings(options, target, [ethereum, bsc], today);
  const certificate = options['node-cert'];
  const trusted = certificate === undefined ? '' : trustAlso(certificate);
  const placeOf = (copy: string): Place => ({
    folder: join(FOLDER, copy),
    logFile: join(FOLDER, `${options.stage}.log`),
    environment: { AWS_REGION: target.region, ...(certificate && { NODE_EXTRA_CA_CERTS: trusted }) },
  });
  const project = copyProject(placeOf('project'), options.stage);
  project.writeStage(settings);
  const trial = { options, target, report, project, today, ethereum, bsc, settings, placeOf };
  return {
    ...trial,
    stackName: `ChainInsights-${options.stage}`,
    hasNodes: certificate !== undefined && options['node-key'] !== undefined,
  };
}

/** Starts the nodes, if there are any, and stores their URLs for the ingest. */
export async function connectNodes({ options, ethereum, bsc }: Trial): Promise<void> {
  const { 'node-cert': certFile, 'node-key': keyFile, 'node-host': host, stage } = options;
  for (const chain of [ethereum, bsc]) {
    const urls = certFile && keyFile ? await startNodes(chain, { certFile, keyFile, host }) : [NOBODY];
    await putNodes(parameterOf(stage, chain.name), urls);
  }
}
