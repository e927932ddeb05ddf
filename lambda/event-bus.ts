import {
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import type { SendEvent } from '../core/events/day-events.ts';

/**
 * Returns a function that puts an event on the account's default bus. It tries three times, for ten seconds at most. A call has one event,
 * because EventBridge may accept some events of a call and refuse others, which would change their order.
 * @param stackId ARN of the stack, by which rules tell stages apart
 */
export function createEventBus(stackId: string, config: EventBridgeClientConfig = {}): SendEvent {
  const client = new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  return async ({ source, 'detail-type': type, detail }, abortSignal) => {
    const entry = { Source: source, DetailType: type, Detail: JSON.stringify(detail), Resources: [stackId] };
    const put = new PutEventsCommand({ Entries: [entry] });
    const { FailedEntryCount, Entries } = await client.send(put, { abortSignal });
    if (!FailedEntryCount) return;
    const [refused] = Entries ?? [];
    throw new Error(`EventBridge refused it (${refused?.ErrorCode}: ${refused?.ErrorMessage})`);
  };
}
