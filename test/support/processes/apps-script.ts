import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/*
 * node apps-script.ts <file> <function> <arguments>: calls a function of a Google Apps Script, with stubs for the Google services
 * that it uses, and prints the result.
 */

interface Fetched {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Options {
  readonly headers: Record<string, string>;
  readonly followRedirects?: boolean;
}

/** Apps Script requests are synchronous, so another process sends them. */
const send = `
  const [url, options] = process.argv.slice(1);
  const response = await fetch(url, JSON.parse(options));
  const body = await response.text();
  console.log(JSON.stringify({ status: response.status, headers: Object.fromEntries(response.headers), body }));`;

const services = {
  PropertiesService: {
    getScriptProperties: () => ({ getProperty: (name: string) => process.env[name] ?? null }),
  },
  Utilities: {
    sleep: (milliseconds: number) =>
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
  },
  UrlFetchApp: {
    fetch: (url: string, { headers, followRedirects = true }: Options) => {
      const options = JSON.stringify({ headers, redirect: followRedirects ? 'follow' : 'manual' });
      const parameters = ['--input-type=module', '--eval', send, url, options];
      const fetched: Fetched = JSON.parse(execFileSync(process.execPath, parameters).toString());
      return {
        getResponseCode: () => fetched.status,
        getAllHeaders: () => fetched.headers,
        getContentText: () => fetched.body,
      };
    },
  },
};

const [file = '', name = '', ...parameters] = process.argv.slice(2);
try {
  const code = `${readFileSync(file, 'utf8')}\n${name}(...parameters)`;
  console.log(JSON.stringify(runInNewContext(code, { ...services, parameters })));
} catch (error) {
  console.error(error instanceof Object && 'message' in error ? error.message : error);
  process.exitCode = 1;
}
