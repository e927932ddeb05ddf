import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

const BUNDLES = 'test/fixtures/releases/0.1.0';

export type QueryFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

interface Functions {
  readonly 'get-fees': QueryFunction;
  readonly 'get-transaction-count': QueryFunction;
  readonly ingest: (event: object, context: Context) => Promise<unknown>;
}

/** Loads a function of the last release from its bundle, with the environment as it is now. */
export function loadFunction<Name extends keyof Functions>(name: Name): Functions[Name] {
  const code = gunzipSync(readFileSync(`${BUNDLES}/${name}.js.gz`)).toString();
  const module: { exports: { handler?: Functions[Name] } } = { exports: {} };
  // In the scope of the tests, where requests to nodes are redirected; node:vm would run it in another.
  new Function('module', 'exports', 'require', code)(module, module.exports, require);
  if (!module.exports.handler) throw new Error(`The bundle ${name} exports no handler.`);
  return module.exports.handler;
}
