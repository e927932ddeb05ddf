import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { bundleEntry, entries } from '#lib/bundle.ts';
import { stages } from '#lib/stages/stages.ts';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';
import { stackOf } from '#test/support/stack.ts';

const folder = createFolder();

beforeAll(() => {
  for (const entry of entries) {
    if (entry !== 'pages') bundleEntry(entry, join(folder, entry));
  }
  runNode(['bin/bundle.ts', 'pages', join(folder, 'pages')]);
}, 120_000);

/** Returns the Node of Lambda's runtime, or that of the tests where npm has installed none for this platform. */
function runtimeNode(): string {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return process.execPath;
  }
}

/** Lists the functions of a stage with their variables. What only a deployment knows is text here. */
function functionsOf(stage: string) {
  const template = Template.fromStack(stackOf(stages[stage] ?? {}));
  return Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => ({
    entry: entries.find((entry) => id.toLowerCase().includes(`${entry.replaceAll('-', '')}function`)) ?? id,
    variables: Object.fromEntries(
      Object.entries(Properties.Environment.Variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : 'arn:of:a:resource',
      ]),
    ),
  }));
}

test.each(Object.keys(stages))(
  'each function of %s starts from its bundle alone',
  (stage) => {
    const started = functionsOf(stage).map(({ entry, variables }) => {
      const { stdout, stderr } = spawnSync(runtimeNode(), ['-p', 'typeof require("./index.js").handler'], {
        cwd: join(folder, entry),
        env: { AWS_REGION: 'eu-central-1', ...variables },
        encoding: 'utf8',
      });
      return [entry, stdout.trim() || stderr];
    });
    const all = stage === 'prod' ? entries : entries.filter((entry) => entry !== 'probe');
    expect(Object.fromEntries(started)).toEqual(Object.fromEntries(all.map((entry) => [entry, 'function'])));
  },
  60_000,
);
