/* The rules that keep credentials of AWS from the code of packages. Reads the subset of YAML that our workflows use. */

/** Jobs that may take a role and also run packages, with the reason. Each takes only the role that its workflow's variable names. */
export const exceptions: Readonly<Record<string, { readonly role: string; readonly reason: string }>> = {
  'deploy.yml doctor': { role: 'AWS_READ_ROLE_ARN', reason: 'only reads' },
  'deployed.yml account': { role: 'AWS_TRIAL_ROLE_ARN', reason: 'is for an account of trials' },
};

const PINNED = /^\s*(- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
/** The only commands of a job that can take a role: none runs the code of a package, except for the CDK command. */
const ALLOWED =
  /^\s*(- )?run: (npm ci --ignore-scripts --no-progress|\.github\/deploy\/deploy\.sh (\w+) assembly\/\3|aws cloudformation get-template [-\w ="$>.]+)$/;
const RUNS_PACKAGES = /\b(npm|npx)\b|\.ci\/|\bnode (?!-p )|\bnode_modules\b/;

/** Splits a block at its keys, which have the given indentation. Text before the first key gets the key ''. */
function blocksOf(lines: readonly string[], indentation: number): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>([['', []]]);
  const key = new RegExp(`^ {${indentation}}([\\w-]+):`);
  let current = '';
  for (const line of lines) {
    current = key.exec(line)?.[1] ?? current;
    blocks.set(current, [...(blocks.get(current) ?? []), line]);
  }
  return blocks;
}

/** Lists the jobs of a workflow by name, each with its lines. */
export const jobsOf = (workflow: string): ReadonlyMap<string, readonly string[]> => {
  const [, ...lines] = blocksOf(workflow.split('\n'), 0).get('jobs') ?? [];
  return new Map([...blocksOf(lines, 2)].filter(([name]) => name !== ''));
};

/** Returns the permissions of a block, from the line that grants them to the next key. */
const permissionsOf = (lines: readonly string[], indentation: number): readonly string[] | undefined =>
  blocksOf(lines, indentation).get('permissions');

const grantsToken = (permissions: readonly string[] = []) =>
  permissions.some((line) => /\bid-token\W*write\b|\bwrite-all\b/.test(line));

/** Returns true when a job can ask for a token with which it takes a role. */
export function canTakeRole(workflow: string, job: readonly string[]): boolean {
  const own = permissionsOf(job, 4);
  return grantsToken(own ?? permissionsOf(workflow.split('\n'), 0));
}

/** Lists the lines of a workflow that break a rule. @param file its name, in which `exceptions` looks it up */
export function workflowProblems(file: string, workflow: string): readonly string[] {
  const jobs = [...jobsOf(workflow)].filter(([, lines]) => canTakeRole(workflow, lines));
  return [
    ...workflow.split('\n').filter((line) => /\buses\b/.test(line) && !PINNED.test(line)),
    ...jobs.flatMap(([name, lines]) => {
      const exception = exceptions[`${file} ${name}`];
      const roles = exception ? lines.filter((line) => /\bvars\.\w+ROLE/.test(line)) : [];
      return exception
        ? roles.filter((line) => !line.includes(`vars.${exception.role}`))
        : lines.filter((line) => /\brun:/.test(line) && !ALLOWED.test(line));
    }),
  ].map((line) => line.trim());
}

/** Lines that run no package: the place of the CDK command, our script beside it, and messages. */
const HARMLESS = /^ *(cdk=|node "\$here\/assembly-before\.mjs" |echo "[^`]*"$)/;

/** Lists the lines of a shell script that run packages, other than the CDK command. */
export const scriptProblems = (script: string): readonly string[] =>
  script
    .split('\n')
    .filter((line) => RUNS_PACKAGES.test(line) && !(HARMLESS.test(line) && !line.includes('$(')));
