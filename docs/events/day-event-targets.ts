import { Duration, SecretValue } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventField,
  type IApiDestination,
  Rule,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

interface Props {
  /** URL that receives each event by POST. */
  readonly webhookUrl: string;
  /** Name of a secret with the key that the webhook expects in the header `X-Webhook-Key`. */
  readonly webhookSecret: string;
  /** ID of the channel, such as C0123456789. */
  readonly slackChannel: string;
  /** Name of a secret with `Bearer ` and the token of a Slack app, which has the scope `chat:write` and is in the channel. */
  readonly slackSecret: string;
}

/** Sends the events of Chain Insights to a webhook, a queue and a Slack channel. Copy what you need into your own app. */
export class DayEventTargets extends Construct {
  /** Receives each event as a message. */
  readonly queue: Queue;
  /** Events that a target did not take for 24 hours. */
  readonly undelivered: Queue;

  constructor(scope: Construct, id: string, { webhookUrl, webhookSecret, slackChannel, slackSecret }: Props) {
    super(scope, id);
    const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.undelivered = new Queue(this, 'Undelivered', { ...secure, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Queue', {
      ...secure,
      deadLetterQueue: { queue: this.undelivered, maxReceiveCount: 5 },
    });
    const delivery = { deadLetterQueue: this.undelivered, maxEventAge: Duration.hours(24) };
    const destination = (name: string, endpoint: string, header: string, secret: string) => {
      const authorization = Authorization.apiKey(header, SecretValue.secretsManager(secret));
      const connection = new Connection(this, `${name}Connection`, { authorization });
      const properties = { endpoint, connection, rateLimitPerSecond: 1 };
      // The class does not match its interface under exactOptionalPropertyTypes.
      return new ApiDestination(this, `${name}Destination`, properties) as IApiDestination;
    };

    new Rule(this, 'DayEvents', {
      eventPattern: { source: ['chain-insights'] },
      targets: [
        new SqsQueue(this.queue, delivery),
        new ApiDestinationTarget(
          destination('Webhook', webhookUrl, 'X-Webhook-Key', webhookSecret),
          delivery,
        ),
      ],
    });
    new Rule(this, 'EthereumInSlack', {
      eventPattern: {
        source: ['chain-insights'],
        detailType: ['Day Final', 'Day Restated', 'Day Priced'],
        detail: { chain: ['ETHEREUM'] },
      },
      targets: [
        new ApiDestinationTarget(
          destination('Slack', 'https://slack.com/api/chat.postMessage', 'Authorization', slackSecret),
          { ...delivery, event: RuleTargetInput.fromObject({ channel: slackChannel, text: SLACK_TEXT }) },
        ),
      ],
    });
  }
}

const detail = (name: string) => EventField.fromPath(`$.detail.${name}`);

/** EventBridge replaces each field. */
const SLACK_TEXT =
  `${EventField.fromPath('$.detail-type')}: ${detail('chain')} ${detail('date')}, ` +
  `${detail('transaction_count')} transactions, ${detail('fees')} ETH of fees (${detail('evidence')})`;
