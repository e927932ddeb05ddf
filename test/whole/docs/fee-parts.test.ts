import { readFileSync } from 'node:fs';
import { feeParts } from '#core/figures/fee-parts.ts';

const definitions = readFileSync('docs/definitions.md', 'utf8').replaceAll(/ +/g, ' ');

test.each(Object.values(feeParts))(
  'docs/definitions.md describes $attribute',
  ({ attribute, description }) => {
    expect(definitions).toContain(`| \`${attribute}\` | ${description} |`);
  },
);
