import type { Context } from 'aws-lambda';
import { TableUnavailableError } from '#core/store/table/client.ts';
import { InvalidItemError } from '#core/store/table/decode-item.ts';
import { httpHandler } from '#lambda/api/http-handler.ts';
import { ProblemError } from '#lambda/api/problem.ts';
import { apiEvent } from '#test/support/servers/api-event.ts';

/* Proves how an error of an endpoint becomes a response, and which errors an operator finds in the log. */

/** Answers one request with an endpoint that throws. Returns the problem, its status, and what was logged. */
async function answerOf(thrown: Error) {
  const error = jest.spyOn(console, 'error').mockImplementation();
  const handler = httpHandler(async () => {
    throw thrown;
  });
  const { statusCode, headers, body } = await handler(apiEvent(), {} as Context);
  const logged = error.mock.calls.map(([line]) => line);
  error.mockRestore();
  return { status: statusCode, type: headers?.['Content-Type'], logged, problem: JSON.parse(body) };
}

describe('httpHandler', () => {
  test('logs a bug as a 500 with the ID of its request, and tells the caller no more than that', async () => {
    const bug = new TypeError('x is undefined');
    const { status, type, logged, problem } = await answerOf(bug);
    expect([status, type]).toEqual([500, 'application/problem+json']);
    expect(logged).toEqual([{ request_id: problem.request_id, status: 500, error: bug }]);
    expect(JSON.stringify(problem)).not.toContain('undefined');
  });

  test('logs which item cannot be read', async () => {
    const { status, logged } = await answerOf(
      new InvalidItemError({ chain: 'BASE', date: '2026-11-18' }, 'no fees'),
    );
    expect(status).toBe(500);
    expect(logged).toMatchObject([{ chain: 'BASE', item: '2026-11-18' }]);
  });

  test('answers 503 while the table is unavailable, and logs it', async () => {
    const { status, logged } = await answerOf(new TableUnavailableError(new Error('throttled')));
    expect([status, logged.length]).toEqual([503, 1]);
  });

  test.each([400, 404, 499])('does not log a %i, which the caller repairs', async (status) => {
    const answer = await answerOf(new ProblemError({ status, detail: 'Invalid fields: chain.' }));
    expect(answer).toMatchObject({ status, logged: [], problem: { detail: 'Invalid fields: chain.' } });
  });
});
