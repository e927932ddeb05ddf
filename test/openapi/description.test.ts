import { readFileSync } from 'node:fs';
import { describeService } from '../../openapi/description.ts';

const description = describeService(readFileSync('docs/definitions.md', 'utf8'));

test('what the figures mean is told as in docs/definitions.md, without what no caller can see', () => {
  expect(description).toContain('**`fees`**: everything that senders paid');
  expect(description).not.toMatch(/\btable\b|protocol_transaction_count/);
});

test('days that X-Days-Missing does not count are named', () => {
  expect(description).toMatch(/`X-Days-Missing`[^.]* up to\s+yesterday \(UTC\)/);
});
