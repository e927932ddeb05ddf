import { createRequire } from 'node:module';

/*
 * Loads a bundle as Lambda does, with require, and calls its handler once: node bundle-process.ts <bundle> <event>. Prints the result as
 * the last line of stdout.
 */

const [bundle = '', eventJson = ''] = process.argv.slice(2);
const event = JSON.parse(eventJson);
const require = createRequire(import.meta.url);

const before = process.cpuUsage();
const startedAt = performance.now();
const { handler } = require(bundle);
const response = await handler(event, { getRemainingTimeInMillis: () => 60_000 });
const elapsedMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ response, elapsedMs, cpuMs: (user + system) / 1_000 }));
