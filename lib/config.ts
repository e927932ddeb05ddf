import * as z from 'zod/mini';
import { firstGloasEpoch } from '../core/chains/beacon-choice.ts';
import { type ChainName, chainNames, chainOf } from '../core/chains/chains.ts';
import { countHosts } from '../core/rpc/endpoint.ts';
import { commaSeparated } from '../core/settings/field-kinds.ts';
import { regionsWithoutBudgets } from './stages/budget-regions.ts';
import { NO_MAIL, stageSchema } from './stages/stage-schema.ts';

/* Must not import aws-cdk-lib: the command line reads stages too. */

type ParsedStage = z.output<typeof stageSchema>;

type Problem = [path: PropertyKey[], message: string];

/** Yields errors of fields that are valid alone, but not together. */
function* contradictions(stage: ParsedStage): Iterable<Problem> {
  const { tiers, requestsPerSecond, corsOrigins, kmsKeyArn, env } = stage;
  if (Object.keys(tiers).length === 0) yield [['tiers'], 'expected at least one tier'];
  for (const [name, { ratePerSecond }] of Object.entries(tiers)) {
    if (ratePerSecond <= requestsPerSecond) continue;
    yield [
      ['tiers', name, 'ratePerSecond'],
      'expected no more than requestsPerSecond, the limit of all keys',
    ];
  }
  if (corsOrigins.length > 1 && corsOrigins.includes('*')) {
    yield [['corsOrigins'], 'expected no other origin beside *'];
  }
  if (chainNames.every((name) => !isEnabled(stage, name))) {
    yield [['chains'], 'expected at least one chain that is enabled'];
  }
  if (kmsKeyArn && !env)
    yield [['kmsKeyArn'], 'expected env too, because a key belongs to an account and region'];
  if (stage.budgetUsd !== undefined && env && regionsWithoutBudgets.includes(env.region))
    yield [['budgetUsd'], `expected none: CloudFormation has no budgets in ${env.region}`];
  yield* unreachableQuorums(stage);
  yield* meaninglessProofs(stage);
  yield* foreignArns(stage);
}

/** Yields errors of quorums that the public endpoints can never reach. Those of a parameter are not known here. */
function* unreachableQuorums({ chains }: ParsedStage): Iterable<Problem> {
  for (const name of chainNames) {
    const { quorum = 1, endpointsParameter } = chains[name];
    const hosts = countHosts(chainOf(name).publicEndpoints);
    if (endpointsParameter !== undefined || quorum <= hosts) continue;
    yield [
      ['chains', name, 'quorum'],
      `expected no more than ${hosts}, the number of hosts of its public endpoints`,
    ];
  }
}

/** Yields errors of settings for proofs that a chain does not carry. */
function* meaninglessProofs({ chains }: ParsedStage): Iterable<Problem> {
  for (const name of chainNames) {
    const { finality, beacon, checkpoint, evidence } = chains[name];
    if (finality === 'proven' && evidence !== 'proven')
      yield [
        ['chains', name, 'finality'],
        'expected evidence proven too: only a hash ties blocks to a proof',
      ];
    if (beacon?.network && beacon.gloasEpoch !== undefined)
      yield [
        ['chains', name, 'beacon', 'gloasEpoch'],
        'expected none beside network, whose forks have Gloas',
      ];
    const firstEpoch = firstGloasEpoch(chainOf(name));
    if ((beacon?.gloasEpoch ?? firstEpoch) < firstEpoch)
      yield [['chains', name, 'beacon', 'gloasEpoch'], `expected a whole number of at least ${firstEpoch}`];
    const proof = chainOf(name).finality?.kind;
    const foreign = proof === undefined ? { finality, checkpoint, beacon } : { beacon };
    const wrong = proof === 'sync committee' ? {} : foreign;
    for (const [field, value] of Object.entries(wrong))
      if (value !== undefined)
        yield [['chains', name, field], `expected none: ${name} has no such proof of finality`];
  }
}

/** Yields errors of ARNs that are not in the stage's region and account. */
function* foreignArns(stage: ParsedStage): Iterable<Problem> {
  const { env, webAclArn, authorizerFunctionArn, kmsKeyArn, customDomain } = stage;
  if (!env) return;
  const certificate = { 'customDomain.certificateArn': customDomain?.certificateArn };
  const arns = { webAclArn, authorizerFunctionArn, kmsKeyArn, ...certificate };
  for (const [field, value] of Object.entries(arns)) {
    const [region, account] = value?.split(':').slice(3) ?? [];
    if (!value || (region === env.region && account === env.account)) continue;
    yield [
      [field],
      `expected an ARN in the region and account of the stage, ${env.region} and ${env.account}`,
    ];
  }
}

const isEnabled = ({ chains }: ParsedStage, name: ChainName): boolean =>
  chains[name].enabled ?? !chainOf(name).isOptional;

/** Lists the enabled chains, each with the stage's first day where it has none of its own. */
function enabledChains(stage: ParsedStage) {
  return chainNames.flatMap((name) => {
    const { enabled: _, ...own } = stage.chains[name];
    return isEnabled(stage, name) ? [{ ...own, name, startDate: own.startDate ?? stage.startDate }] : [];
  });
}

const configSchema = z.pipe(
  stageSchema.check(({ value, issues }) => {
    for (const [path, message] of contradictions(value)) {
      issues.push({ code: 'custom', path, message, input: value });
    }
  }),
  z.transform((stage) => {
    const { startDate: _, ...rest } = stage;
    return { ...rest, chains: enabledChains(stage) };
  }),
);

/** Choices of a deployment, as a file of lib/stages states them. */
export type Stage = z.input<typeof stageSchema>;
/** A stage after validation, with every default applied. */
export type Config = z.output<typeof configSchema>;

/** Returns the names of a stage's chains, for the environment of a function. */
export const chainList = ({ chains }: Config): string => chains.map(({ name }) => name).join(',');

/** Returns the name of the SSM SecureString with the probe's key. The command `keys probe` writes it. */
export const probeKeyParameter = (stackName: string): string => `/chain-insights/${stackName}/probe-key`;

/** Returns the address that gets emails about alarms; undefined where nobody does. */
export const mailedAddress = ({ alarmEmail }: Pick<Config, 'alarmEmail'>): string | undefined =>
  alarmEmail === NO_MAIL ? undefined : alarmEmail;

/**
 * Checks that a protected stage names its account, and that someone learns of its alarms, and of a budget. Commands need neither, so this is
 * a check apart.
 */
export function requireOwner(stackName: string, config: Config): void {
  const { protect, alarmEmail, budgetUsd, env } = config;
  if (protect && !env)
    throw new Error(
      `${stackName} is protected, but would be deployed wherever the shell points: env is not set. Set env: { account, region } in the ` +
        "stage's file, or pass -c env=111122223333/eu-central-1.",
    );
  if (budgetUsd !== undefined && !mailedAddress(config))
    throw new Error(
      `${stackName} has budgetUsd, but nobody receives its emails: set alarmEmail to an address.`,
    );
  if (!protect || alarmEmail !== undefined) return;
  throw new Error(
    `${stackName} is protected, but nobody receives its alarms: alarmEmail is not set. Set it in the stage's file, or pass ` +
      "-c alarmEmail=you@example.com. A stage that wants no email sets alarmEmail: 'none'.",
  );
}

/** Validates a stage, which errors call `name`. @throws Error that lists each wrong field with its allowed values */
export function parseStage(stage: unknown, name: string, place: string): Config {
  const config = configSchema.safeParse(stage);
  if (config.success) return config.data;
  const problems = config.error.issues.map(
    ({ path, message }) => `  ${[name, ...path].join('.')}: ${message}`,
  );
  throw new Error(`The stage ${place} is not valid:\n${problems.join('\n')}`);
}

/** Validates a stage of lib/stages. @throws Error as `parseStage` and `stageOf` */
export const readConfig = (name: string, stages: Readonly<Record<string, unknown>>): Config =>
  parseStage(stageOf(name, stages), name, `${name} (lib/stages/${name}.ts)`);

/** @throws Error that lists the known stages */
export function stageOf<T>(name: string, stages: Readonly<Record<string, T>>): T {
  const own = Object.entries(stages).find(([known]) => known === name);
  if (!own) throw new Error(`Unknown stage ${name}: expected one of ${commaSeparated(Object.keys(stages))}.`);
  return own[1];
}
