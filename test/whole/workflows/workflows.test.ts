import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  canTakeRole,
  exceptions,
  jobsOf,
  scriptProblems,
  workflowProblems,
} from '#test/support/workflow-problems.ts';

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map(
  (file) => [file, readFileSync(join(FOLDER, file), 'utf8')] as const,
);

/** Every job that can take a role, as `exceptions` names jobs. */
const trusted = workflows.flatMap(([file, text]) =>
  [...jobsOf(text)].filter(([, lines]) => canTakeRole(text, lines)).map(([job]) => `${file} ${job}`),
);

test.each(workflows)('%s pins each action, and keeps roles from the code of packages', (file, text) => {
  expect(jobsOf(text).size).toBeGreaterThan(0);
  expect(workflowProblems(file, text)).toEqual([]);
});

test('only these jobs can take a role', () => {
  expect(trusted.toSorted()).toEqual(
    [
      ...Object.keys(exceptions),
      'cdk-diff.yml deployed',
      'deploy.yml deploy-dev',
      'deploy.yml deploy-prod',
    ].toSorted(),
  );
});

/** Environments of a job, by the variable with its role: a role trusts its environment alone, and each stage may have an account of its own. */
const environmentOf = (job: string, text: string): string | undefined => {
  if (text.includes('vars.AWS_DEPLOY_ROLE_ARN')) return job.replace('deploy-', '');
  if (text.includes('vars.AWS_READ_ROLE_ARN')) return '<stage>-read';
  return text.includes('vars.AWS_DIFF_ROLE_ARN') ? '<stage>-diff' : undefined;
};

test('a job with a role of a stage runs in the environment that this role trusts, and no other job does', () => {
  for (const [file, text] of workflows) {
    for (const [job, lines] of jobsOf(text)) {
      const line = lines.find((one) => /^ {4}environment:/.test(one));
      const environment = line?.replace(/^ *environment: /, '').replace(/\$\{\{ matrix\.(\w+) \}\}/, '<$1>');
      expect([file, job, environment]).toEqual([file, job, environmentOf(job, lines.join('\n'))]);
    }
  }
});

/** Returns the commands of a job, without its messages. */
const commandsOf = (file: string, job: string): readonly string[] =>
  jobsOf(new Map(workflows).get(file) ?? '')
    .get(job)
    ?.flatMap((line) => /\brun: (.*)$/.exec(line)?.[1] ?? []) ?? [];

test('what is deployed is built where nothing but the packages of the lock file is installed', () => {
  const [install, ...others] = commandsOf('deploy.yml', 'build');
  expect(install).toBe('npm ci --ignore-scripts --no-progress');
  expect(others).not.toEqual([]);
  for (const command of others) expect(command).toMatch(/^npm run synth -- -c stage=\w+ /);
  expect(commandsOf('deploy.yml', 'check')).toEqual(['.ci/run']);
});

test('installs each Python package by its hashes', () => {
  expect(readFileSync('.ci/lint-templates', 'utf8')).toContain(' --require-hashes ');
  const packages = readFileSync('.ci/cfn-lint.txt', 'utf8').split(/\n(?=\w)/);
  expect(packages.length).toBeGreaterThan(1);
  for (const lines of packages) expect(lines).toMatch(/^\S+==\S+( \\\n {4}--hash=sha256:[0-9a-f]{64})+\n?$/);
});

test('a release waits for no node', () => {
  expect(commandsOf('deploy.yml', 'doctor').at(-1)).toContain(' doctor --release ');
  expect(commandsOf('deploy.yml', 'build').join()).not.toContain('doctor');
});

test('the script of these jobs runs nothing but the CDK command, the AWS CLI and Node without packages', () => {
  expect(scriptProblems(readFileSync('.github/deploy/deploy.sh', 'utf8'))).toEqual([]);
  expect(scriptProblems('echo "$(npx cdk)"\nnode other.mjs')).toHaveLength(2);
  const imports = readFileSync('.github/deploy/assembly-before.mjs', 'utf8').matchAll(/(?<=from ')[^']*/g);
  for (const [name] of imports) expect(name).toMatch(/^node:/);
});
