import { rowSchema } from '#web/data/rows.ts';

test('text that a file, a node or a person wrote cannot reorder or hide what is around it', () => {
  const written = '\u202Eeulav\u2066\u0007';
  const row = rowSchema.parse({
    date: '2026-11-18',
    evidence: 'archived',
    revision: 2,
    unpriced_reason: written,
    archive: { name: written, audit: { statement: written } },
    finality: { kind: 'reported', hosts: [written] },
    restatements: [
      { revision: 1, reason: written, restated_at: '2026-11-19T00:00:00Z', transaction_count: 1, fees: '1' },
    ],
  });
  expect(JSON.stringify(row).match(/ eulav /g)).toHaveLength(5);
  expect(JSON.stringify(row)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
