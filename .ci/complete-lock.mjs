/*
 * npm install leaves optional packages of other platforms out of package-lock.json when it cannot load them
 * (https://github.com/npm/cli/issues/4828), and npm ci then refuses the lock file. This adds an entry for each: what
 * their names and versions say is all that npm needs in order to pass them over, or to install them where they fit.
 * It prints what it added; with --check it changes nothing and fails if there is something to add.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const architectures = {
  amd64: 'x64',
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  loong64: 'loong64',
  mips64el: 'mips64el',
};

function entryOf(name, version, dev) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = Object.entries(architectures).flatMap(([word, name]) => (words.includes(word) ? [name] : []));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    version,
    ...(cpu.length > 0 && { cpu: cpu.slice(0, 1) }),
    ...(dev && { dev }),
    ...(libc.length > 0 && os.includes('linux') && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

const added = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const isThere = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
      (place) => place in packages,
    );
    const isExact = /^\d+\.\d+\.\d+/.test(version);
    if (isThere || !isExact) continue;
    packages[`node_modules/${name}`] = entryOf(name, version, dev);
    added.push(`${name}@${version}`);
  }
}

const missing =
  added.length > 0 ? `package-lock.json: ${added.length} entries were missing: ${added.join(', ')}` : '';
if (missing) console.log(missing);
if (missing && process.argv.includes('--check')) {
  console.error('Run: npm run lock');
  process.exit(1);
}
const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
