import { readFileSync } from 'node:fs';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const own = read('.github/deploy/package.json');
const { packages } = read('.github/deploy/package-lock.json');

test('the deployment installs the CDK command of package.json and nothing else, with the hash of package-lock.json', () => {
  const { dev: _, ...cdk } = read('package-lock.json').packages['node_modules/aws-cdk'];
  expect(cdk.integrity).toMatch(/^sha512-/);
  expect(own.dependencies).toEqual({ 'aws-cdk': read('package.json').devDependencies['aws-cdk'] });
  expect(packages).toEqual({
    '': { name: own.name, dependencies: own.dependencies },
    'node_modules/aws-cdk': cdk,
  });
});
