import { createRequire } from 'node:module';

/*
 * Loads a bundle as Lambda does, with require, and calls its handler once: node bundle-process.ts <bundle> <event>. Its last
 * line on stdout is what came of it.
 */

const [bundle = '', event = ''] = process.argv.slice(2);
const given = JSON.parse(event);
const require = createRequire(import.meta.url);

const before = process.cpuUsage();
const startedAt = performance.now();
const { handler } = require(bundle);
const answer = await handler(given, { getRemainingTimeInMillis: () => 60_000 });
const waitedMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ answer, waitedMs, processorMs: (user + system) / 1_000 }));
