import { readFileSync } from 'node:fs';
import { describeService } from '#openapi/description.ts';

const description = describeService(readFileSync('docs/definitions.md', 'utf8'));

test('includes the introduction of docs/definitions.md, without internals of the table', () => {
  expect(description).toContain('**`fees`**: everything that senders paid');
  expect(description).not.toMatch(/\btable\b|protocol_transaction_count/);
});

test('states which days X-Days-Missing counts', () => {
  expect(description).toMatch(/`X-Days-Missing` counts [^.]* up to\s+yesterday \(UTC\)/);
});
