import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 60_000,
  // WebAssembly compiles asynchronously, and test files seal blocks while they load.
  setupFiles: ['<rootDir>/test/support/load-keccak.cjs'],
  // More workers than cores, because many tests wait for processes and timers. No test measures time.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // Strips types without checking them (npm run typecheck does), and converts packages that are ESM only to CommonJS.
  transform: {
    '\\.[cm]?[jt]s$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } }],
  },
  moduleNameMapper: {
    // Middy exports itself to import only, but jest resolves as require does.
    '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js',
    // @ethereumjs/e2store uses a native module that would have to be compiled.
    '^snappy$': '<rootDir>/test/support/snappy.ts',
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(@middy|@noble|cookie|d3-[a-z-]+|internmap|marked|p-limit|p-map|parse-ms|pretty-ms|yocto-queue)/)',
  ],
};
