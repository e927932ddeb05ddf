/* Types of the parts of dynalite that this project uses; the package has none. */

declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** `path` is the folder of a LevelDB store; without it, tables are kept in memory. */
  export interface DynaliteOptions {
    readonly path?: string;
    readonly createTableMs?: number;
  }

  export default function dynalite(options?: DynaliteOptions): Server;
}

declare module 'dynalite/db/index.js' {
  /** An item with DynamoDB's types. */
  export type AttributeMap = Record<string, object>;

  /** A request after dynalite has checked it. */
  export interface Request {
    readonly TableName: string;
    readonly Item: AttributeMap;
    readonly Key: AttributeMap;
  }

  /** An error that is answered to the caller. */
  export interface Refusal extends Error {
    readonly statusCode?: number;
    readonly body?: object;
  }

  type Callback<T> = (error: Error | null, value: T) => void;

  interface ItemDb {
    readonly lock: (
      keys: readonly string[],
      run: (
        release: (done: (error: unknown, value: never) => void) => (error: unknown, value: unknown) => void,
      ) => void,
    ) => void;
    readonly get: (key: string, done: Callback<AttributeMap | undefined>) => void;
    readonly batch: (
      writes: readonly {
        readonly type: 'put' | 'del';
        readonly key: string;
        readonly value?: AttributeMap;
      }[],
      done: (error: Error | null) => void,
    ) => void;
  }

  export interface Store {
    readonly getTable: (name: string, done: Callback<object>) => void;
    readonly getItemDb: (name: string) => ItemDb;
  }

  const db: {
    create: (options: object) => Store;
    readonly validationError: (message: string) => Refusal;
    readonly validateItem: (item: AttributeMap, table: object) => Refusal | undefined;
    readonly validateKey: (key: AttributeMap, table: object) => Refusal | undefined;
    readonly createKey: (keyOrItem: AttributeMap, table: object) => string;
    readonly checkConditional: (
      request: Request,
      stored: AttributeMap | undefined,
    ) => Refusal | null | undefined;
  };
  export default db;
}

declare module 'dynalite/validations/index.js' {
  import type { Request, Store } from 'dynalite/db/index.js';

  export interface Validation {
    readonly types: object;
    readonly custom: (request: Request, store: Store) => string | undefined;
  }

  const validations: {
    readonly checkTypes: (request: Request, types: object) => Request;
    readonly checkValidations: (
      request: Request,
      types: object,
      custom: Validation['custom'],
      store: Store,
    ) => void;
  };
  export default validations;
}

declare module 'dynalite/validations/putItem.js' {
  import type { Validation } from 'dynalite/validations/index.js';

  const validation: Validation;
  export default validation;
}

declare module 'dynalite/validations/deleteItem.js' {
  import type { Validation } from 'dynalite/validations/index.js';

  const validation: Validation;
  export default validation;
}
