import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { paginateListSubscriptionsByTopic, paginateListTopics, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import cdk from '../../cdk.json' with { type: 'json' };
import { createParameterStore } from '../../core/rpc/endpoints-parameter.ts';
import { shareConcurrency } from '../../lib/concurrency.ts';
import type { Config } from '../../lib/config.ts';
import { NO_MAIL } from '../../lib/stages/stage-schema.ts';
import { CONCURRENCY_QUOTA, readConcurrencyLimit } from '../concurrency-limit.ts';
import type { Access } from '../deployed-service.ts';
import { explainAwsError } from '../exit-codes.ts';
import { formatCount } from '../print.ts';

/* Prerequisites of a deployment. CloudFormation would report most of them after minutes, and leave a stack that must be deleted. */

/** A prerequisite of a stage in its account and region. The summary has advice when it fails. */
export type AccountCheck = Awaited<ReturnType<typeof checkAccount>>[number];

/** The oldest bootstrap that the templates of CDK accept. */
export const MIN_BOOTSTRAP_VERSION = 6;

const { '@aws-cdk/core:bootstrapQualifier': qualifier = 'hnb659fds' }: Record<string, unknown> = cdk.context;
/** The parameter that the template reads. CDK's own qualifier is the default. */
export const bootstrapParameter = `/cdk-bootstrap/${qualifier}/version`;

const works = (summary: string, works = true) => ({ works, summary });
const fails = (summary: string) => works(summary, false);

const checkers = {
  bootstrap: async (_: Config, access: Access) => {
    const get = new GetParameterCommand({ Name: bootstrapParameter });
    const found = await createParameterStore(access)
      .send(get)
      .catch((error: unknown) => {
        if (!(error instanceof ParameterNotFound)) throw error;
      });
    const version = Number(found?.Parameter?.Value ?? 0);
    if (version >= MIN_BOOTSTRAP_VERSION) return works(`version ${version}`);
    return fails(
      `version ${version}, ${MIN_BOOTSTRAP_VERSION} needed. Run npx cdk bootstrap -c stage=<stage>.`,
    );
  },

  'log role': async ({ apiLogRole }: Config, access: Access) => {
    if (apiLogRole === 'none') return works('not needed');
    const { cloudwatchRoleArn: arn } = await new APIGatewayClient(access).send(new GetAccountCommand({}));
    if (apiLogRole === 'create') return works(arn ? `replaces ${arn}` : 'will be created');
    const advice = 'Set one (docs/operate/settings.md#the-log-role-of-the-account), or change apiLogRole.';
    if (arn) return works(arn);
    return fails(`API Gateway has none, and the stage sets apiLogRole to existing. ${advice}`);
  },

  concurrency: async (config: Config, access: Access) => {
    const limit = await readConcurrencyLimit(access);
    const shared = shareConcurrency(config, limit);
    if (shared.isEnough) return works(`${formatCount(limit)} executions at once`);
    const advice = `${shared.summary}. Ask for more under ${CONCURRENCY_QUOTA}`;
    return shared.works ? works(`${advice} before that`) : fails(`${advice}, or ingest fewer chains.`);
  },

  'alarm email': async (config: Config, access: Access, stackName: string) => {
    if (config.alarmEmail === NO_MAIL) return works('nobody wants one');
    const sns = new SNSClient(access);
    const topics = await Array.fromAsync(paginateListTopics({ client: sns }, {}));
    const pager = topics
      .flatMap(({ Topics = [] }) => Topics)
      .find(({ TopicArn = '' }) => isPagerOf(stackName, TopicArn))?.TopicArn;
    if (pager === undefined) return works('nobody yet');
    const pages = await Array.fromAsync(
      paginateListSubscriptionsByTopic({ client: sns }, { TopicArn: pager }),
    );
    const all = pages.flatMap(({ Subscriptions = [] }) => Subscriptions);
    const confirmed = all.filter(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:'));
    if (confirmed.length > 0) return works(confirmed.map(({ Endpoint }) => Endpoint).join(', '));
    const pending = all.filter(({ SubscriptionArn }) => SubscriptionArn === 'PendingConfirmation');
    const problem =
      pending.length > 0
        ? `${pending.map(({ Endpoint }) => Endpoint).join(', ')} has not confirmed the subscription`
        : 'nobody is subscribed to the pages';
    return fails(
      `${problem}: no alarm arrives. Subscribe and confirm (docs/operate/deploy.md#alarms), or set alarmEmail to none.`,
    );
  },
};

/** CloudFormation names a topic by its stack, its ID and a random part. The name of another stack may begin with that of this one. */
const isPagerOf = (stackName: string, arn: string): boolean =>
  new RegExp(`:${stackName}-MonitoringPages[A-Za-z0-9]+(-[A-Za-z0-9]+)?$`).test(arn);

/** Checks the account and region that a stage is deployed to. Needs no stack. */
export function checkAccount(config: Config, stackName: string) {
  const access = config.env ? { region: config.env.region } : {};
  return Promise.all(
    Object.entries(checkers).map(async ([check, run]) => {
      const result = await run(config, access, stackName).catch((error: unknown) => {
        const reason = explainAwsError(error);
        if (reason === undefined) throw error;
        return fails(`not checked. ${reason}`);
      });
      // A deployment needs no subscriber.
      return { check, blocks_release: check !== 'alarm email', ...result };
    }),
  );
}

/** Returns whether a check failed. Only what a deployment needs counts for a release: nodes and emails must not hold back their fix. */
export const hasFailed = (
  chains: readonly { readonly works: boolean }[],
  account: readonly AccountCheck[],
  isRelease: boolean,
): boolean =>
  (isRelease ? account.filter(({ blocks_release }) => blocks_release) : [...chains, ...account]).some(
    ({ works }) => !works,
  );

export const showAccount = (checks: readonly AccountCheck[]): string =>
  checks.map(({ check, works, summary }) => `${check}: ${works ? 'ok' : 'failed'}, ${summary}`).join('\n');
