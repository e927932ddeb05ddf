import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 60_000,
  // More than there are cores, since many tests wait for processes and pauses. No test measures time.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // TypeScript is stripped, not checked, here (npm run typecheck checks it); packages that are ESM only become CommonJS.
  transform: {
    '\\.[cm]?[jt]s$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } }],
  },
  // These offer themselves to import only, and jest asks as require does.
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
  transformIgnorePatterns: [
    '/node_modules/(?!(@middy|@noble|cookie|p-limit|p-map|parse-ms|pretty-ms|yocto-queue)/)',
  ],
};
