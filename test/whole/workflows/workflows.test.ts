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
    [...Object.keys(exceptions), 'deploy.yml deploy-dev', 'deploy.yml deploy-prod'].toSorted(),
  );
});

test('a job that deploys runs in the environment of its stage, and no other job does', () => {
  for (const [file, text] of workflows) {
    for (const [job, lines] of jobsOf(text)) {
      const environment = lines.find((line) => /^ {4}environment:/.test(line))?.trim();
      const deploys = lines.some((line) => line.includes('AWS_DEPLOY_ROLE_ARN'));
      const expected = deploys ? `environment: ${job.replace('deploy-', '')}` : undefined;
      expect([file, job, environment]).toEqual([file, job, expected]);
    }
  }
});

test('the script of these jobs runs nothing but the CDK command, the AWS CLI and Node without packages', () => {
  expect(scriptProblems(readFileSync('.github/deploy/deploy.sh', 'utf8'))).toEqual([]);
  expect(scriptProblems('echo "$(npx cdk)"\nnode other.mjs')).toHaveLength(2);
  const imports = readFileSync('.github/deploy/assembly-before.mjs', 'utf8').matchAll(/(?<=from ')[^']*/g);
  for (const [name] of imports) expect(name).toMatch(/^node:/);
});
