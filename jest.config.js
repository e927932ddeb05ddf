import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
const project = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
    '/node_modules/(?!(@middy|@noble|cookie|d3-[a-z-]+|hyparquet[a-z-]*|internmap|marked|p-limit|p-map|parse-ms|pretty-ms|yocto-queue)/)',
  ],
};

/** Path of the jar of Amazon's DynamoDB Local, which needs Java. With it, the tests of the store run on both tables. */
const dynamoDbLocal = process.env.DYNAMODB_LOCAL_JAR;

/** @type {import('jest').Config} */
export default {
  testTimeout: 120_000,
  // One more than cores, because many tests wait for processes and timers. With more, calls of busy servers would time out.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.js',
  projects: [
    { ...project, displayName: 'dynalite' },
    ...(dynamoDbLocal
      ? [
          {
            ...project,
            displayName: 'DynamoDB Local',
            testMatch: ['<rootDir>/test/{unit/core,whole}/store/**/*.test.ts'],
            globals: { dynamoDbLocal },
          },
        ]
      : []),
  ],
};
