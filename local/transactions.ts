import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import dynalite, { type DynaliteOptions } from 'dynalite';
import db, { type AttributeMap, type Refusal, type Request, type Store } from 'dynalite/db/index.js';
import deletion from 'dynalite/validations/deleteItem.js';
import validations, { type Validation } from 'dynalite/validations/index.js';
import put from 'dynalite/validations/putItem.js';

/*
 * `TransactWriteItems` for dynalite, which lacks it. A transaction holds dynalite's own locks of all its items, dynalite checks its
 * conditions, and its writes are one batch of LevelDB, so that a kill leaves all of them or none.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */

const TARGET = 'DynamoDB_20120810.TransactWriteItems';
const MAX_ITEMS = 100;
/** A token that is repeated within this time is answered without a second write. */
const TOKEN_MS = 10 * 60_000;

/** Creates the server of dynalite with transactions. */
export function createDynalite(options: DynaliteOptions): Server {
  const { server, store } = withStore(() => dynalite(options));
  const [others] = server.listeners('request') as [RequestListener];
  const transact = createTransactions(store);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['x-amz-target'] !== TARGET) return others(request, response);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer | string) => parts.push(Buffer.from(part)));
    request.on('end', async () => {
      const { statusCode, body } = await transact(Buffer.concat(parts).toString());
      const text = JSON.stringify(body);
      response.statusCode = statusCode;
      response.setHeader('Content-Type', 'application/x-amz-json-1.0');
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.end(text);
    });
  });
  return server;
}

/** Runs a function that creates a server, and returns its store too, which dynalite keeps to itself. */
function withStore(createServer: () => Server): { readonly server: Server; readonly store: Store } {
  const { create } = db;
  let store: Store | undefined;
  db.create = (options) => {
    store = create(options);
    return store;
  };
  try {
    const server = createServer();
    if (!store) throw new Error('dynalite opened no store');
    return { server, store };
  } finally {
    db.create = create;
  }
}

interface Answer {
  readonly statusCode: number;
  readonly body: object;
}

const refusal = (type: string, message: string, more = {}): Answer => ({
  statusCode: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, Message: message, ...more },
});
const DONE: Answer = { statusCode: 200, body: {} };

function createTransactions(store: Store): (body: string) => Promise<Answer> {
  const tokens = new Map<
    string,
    { readonly at: number; readonly items: string; readonly answer: Promise<Answer> }
  >();
  return (body) => {
    const { TransactItems, ClientRequestToken: token } = JSON.parse(body);
    const run = () => transact(store, TransactItems);
    if (token === undefined) return run();
    const now = Date.now();
    for (const [old, { at }] of tokens) if (now - at > TOKEN_MS) tokens.delete(old);
    const items = JSON.stringify(TransactItems);
    const known = tokens.get(token);
    if (known && known.items !== items)
      return Promise.resolve(
        refusal('IdempotentParameterMismatchException', 'The token was used for other items.'),
      );
    if (known) return known.answer;
    const answer = run().then((given) => {
      // A canceled transaction may be tried again with its token.
      if (given !== DONE) tokens.delete(token);
      return given;
    });
    tokens.set(token, { at: now, items, answer });
    return answer;
  };
}

/** The place of one item in a transaction, with what is to be done to it. */
interface Operation {
  readonly table: string;
  readonly key: string;
  readonly request: Request;
  /** Undefined if the item is only checked. */
  readonly write:
    | { readonly type: 'put'; readonly value: AttributeMap }
    | { readonly type: 'del' }
    | undefined;
}

async function transact(store: Store, items: readonly Record<string, Request>[]): Promise<Answer> {
  if (items.length > MAX_ITEMS)
    return refusal('ValidationException', `Member must have length less than or equal to ${MAX_ITEMS}`);
  try {
    const operations = await Promise.all(items.map((item) => operationOf(store, item)));
    const keys = operations.map(({ table, key }) => `${table}~${key}`);
    if (new Set(keys).size < keys.length)
      return refusal(
        'ValidationException',
        'Transaction request cannot include multiple operations on one item',
      );
    const [table = ''] = new Set(operations.map((one) => one.table));
    return await inLock(store, table, operations);
  } catch (error) {
    const { statusCode, body } = error as Refusal;
    if (statusCode === undefined || !body) throw error;
    return { statusCode, body };
  }
}

/** @throws Refusal if a part of the request is invalid */
async function operationOf(
  store: Store,
  { Put, Delete, ConditionCheck }: Record<string, Request>,
): Promise<Operation> {
  const given = Put ?? Delete ?? ConditionCheck;
  if (!given) throw db.validationError('Only Put, Delete and ConditionCheck are known');
  const kind: Validation = Put ? put : deletion;
  const request = validations.checkTypes(given, kind.types);
  validations.checkValidations(request, kind.types, kind.custom, store);
  const name = request.TableName;
  const table = await new Promise<object>((resolve, reject) => {
    store.getTable(name, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const invalid = Put ? db.validateItem(request.Item, table) : db.validateKey(request.Key, table);
  if (invalid) throw invalid;
  const key = db.createKey(Put ? request.Item : request.Key, table);
  const write = Put
    ? ({ type: 'put', value: request.Item } as const)
    : Delete
      ? ({ type: 'del' } as const)
      : undefined;
  return { table: name, key, request, write };
}

/** Checks all conditions and writes all items while nobody else writes them. All items are of one table. */
function inLock(store: Store, table: string, operations: readonly Operation[]): Promise<Answer> {
  const items = store.getItemDb(table);
  return new Promise((resolve, reject) => {
    items.lock(
      operations.map(({ key }) => key),
      async (release) => {
        const end = release((error: unknown, answer: Answer) => (error ? reject(error) : resolve(answer)));
        try {
          const stored = await Promise.all(operations.map(({ key }) => readItem(items, key)));
          const problems = operations.map(({ request }, index) =>
            db.checkConditional(request, stored[index]),
          );
          if (problems.some(Boolean)) return end(null, canceled(problems.map(Boolean)));
          const writes = operations.flatMap(({ key, write }) => (write ? { ...write, key } : []));
          await new Promise<void>((done, fail) =>
            items.batch(writes, (error) => (error ? fail(error) : done())),
          );
          end(null, DONE);
        } catch (error) {
          end(error, DONE);
        }
      },
    );
  });
}

const readItem = (items: ReturnType<Store['getItemDb']>, key: string) =>
  new Promise<AttributeMap | undefined>((resolve, reject) => {
    items.get(key, (error, item) =>
      error && error.name !== 'NotFoundError' ? reject(error) : resolve(item),
    );
  });

function canceled(haveFailed: readonly boolean[]): Answer {
  const reasons = haveFailed.map((hasFailed) =>
    hasFailed
      ? { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
      : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return refusal('TransactionCanceledException', message, { CancellationReasons: reasons });
}
