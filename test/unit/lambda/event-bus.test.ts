import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import type { DayEvent } from '#core/events/day-events.ts';
import { createEventBus } from '#lambda/event-bus.ts';

const STACK = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Test/1';
const { signal } = new AbortController();
const access = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

const detail = { chain: 'BSC', date: '2026-11-18', fees: '1.5', revision: 1 };
const event = { source: 'chain-insights', 'detail-type': 'Day Final', detail } as DayEvent;

describe('with responses of EventBridge', () => {
  const bus = mockClient(EventBridgeClient);
  beforeEach(() => bus.reset());
  afterAll(() => bus.restore());

  test('puts one event a call on the default bus, with the stack and the row as JSON', async () => {
    bus.on(PutEventsCommand).resolves({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
    await createEventBus(STACK, access)(event, signal);
    const entry = {
      Source: 'chain-insights',
      DetailType: 'Day Final',
      Detail: JSON.stringify(detail),
      Resources: [STACK],
    };
    expect(bus.calls().map(({ args }) => args[0].input)).toEqual([{ Entries: [entry] }]);
  });

  test('fails when the call succeeds but the event is refused', async () => {
    bus
      .on(PutEventsCommand)
      .resolves({
        FailedEntryCount: 1,
        Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }],
      });
    await expect(createEventBus(STACK, access)(event, signal)).rejects.toThrow(
      'EventBridge refused it (ThrottlingException: slow down)',
    );
  });
});
