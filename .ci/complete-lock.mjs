/*
 * npm install omits optional packages of other platforms from package-lock.json when it cannot load them
 * (https://github.com/npm/cli/issues/4828), and npm ci then refuses the lock file. This script adds an entry for each, with the platform
 * that its name contains, so that npm can skip or install it. It prints the added entries. With --check, it changes nothing and fails if
 * an entry is missing, or has no hash although docs/operate/security.md promises one.
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
const architectures = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'loong64',
  'mips64el',
];

function entryOf(name, version, dev) {
  // Some packages name x64 amd64.
  const words = name.split('/').at(-1).replace('amd64', 'x64').split(/[-.]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = architectures.filter((architecture) => words.includes(architecture));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && os.includes('linux') && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

const added = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const isPresent = [`${path}/node_modules/${name}`, `node_modules/${name}`].some((key) => key in packages);
    const isExact = /^\d+\.\d+\.\d+/.test(version);
    if (isPresent || !isExact) continue;
    packages[`node_modules/${name}`] = entryOf(name, version, dev);
    added.push(`${name}@${version}`);
  }
}

/** True on the platform of CI and of most deployments. npm adds the hashes of its packages. */
const isForLinuxX64 = ({ os, cpu, libc }) =>
  (!os || os.includes('linux')) && (!cpu || cpu.includes('x64')) && !libc?.includes('musl');

/** Returns the path of the package whose archive contains this one. */
const bundlingPackage = (path) => path.slice(0, path.lastIndexOf('/node_modules/'));

/** Returns true for entries that npm installs without comparing a hash. */
function isUnprotected([path, entry]) {
  if (path === '' || entry.integrity) return false;
  if (entry.inBundle) return isUnprotected([bundlingPackage(path), packages[bundlingPackage(path)] ?? {}]);
  return !entry.optional || isForLinuxX64(entry);
}

const isCheck = process.argv.includes('--check');
const unprotected = Object.entries(packages).filter(isUnprotected);
if (isCheck && unprotected.length > 0) {
  console.error(`package-lock.json: entries without a hash: ${unprotected.map(([path]) => path).join(', ')}`);
  console.error('Pin packages whose hash npm can record. docs/operate/security.md lists the exceptions.');
  process.exit(1);
}

if (added.length > 0) {
  console.log(`package-lock.json: ${added.length} entries were missing: ${added.join(', ')}`);
  if (isCheck) {
    console.error('Run: npm run lock');
    process.exit(1);
  }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
}
