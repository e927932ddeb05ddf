import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Served, serve } from './serve.ts';

/** A request to S3, as a test scripts and checks it. */
export interface S3Request {
  readonly operation: 'ListObjectsV2' | 'HeadObject' | 'GetObject' | 'PutObject';
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly range: string | undefined;
  /** Region that the request is signed for. */
  readonly region: string | undefined;
}

/** A response other than the ordinary one. */
export type S3Fault =
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  /** Breaks the connection after this number of bytes of the body. */
  | { readonly cutAfter: number }
  /** Sends the headers and this number of bytes of the body, and then nothing. */
  | { readonly hangAfter: number }
  /** Never answers. */
  | { readonly hang: true };

export interface S3Server extends Served {
  /** Environment of a process whose S3 client uses this server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly S3Request[];
}

interface Given {
  readonly bucket: string;
  /** Receives the objects that clients put. */
  readonly objects: Map<string, Buffer>;
  /** Keys on a page of a list. */
  readonly pageSize?: number;
  readonly fault?: (request: S3Request, index: number) => S3Fault | undefined;
}

/** Starts a server that speaks a part of S3: pages of keys, sizes, ranges of bytes, and small new objects with their SHA-256. */
export async function startS3Server(given: Given): Promise<S3Server> {
  const requests: S3Request[] = [];
  const server = createServer((message, response) => {
    const request = readRequest(message, given.bucket);
    if (!request) return refuse(response, 404, 'NoSuchBucket');
    requests.push(request);
    const fault = given.fault?.(request, requests.length - 1);
    if (fault && 'status' in fault) return refuse(response, fault.status, fault.code, fault.headers);
    if (fault && 'hang' in fault) return;
    if (request.operation === 'ListObjectsV2') return response.end(pageOf(given, request));
    if (request.operation === 'PutObject') return storeObject(message, response, request.key, given.objects);
    const object = given.objects.get(request.key);
    if (!object) return refuse(response, 404, 'NoSuchKey');
    return sendObject(message, response, object, fault);
  });
  const { url, ...served } = await serve(server);
  return {
    ...served,
    url,
    requests,
    environment: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'nobody',
      AWS_SECRET_ACCESS_KEY: 'nothing',
    },
  };
}

function readRequest({ method, url, headers }: IncomingMessage, bucket: string): S3Request | undefined {
  const { pathname, searchParams } = new URL(url ?? '', 'http://localhost');
  if (pathname !== `/${bucket}` && !pathname.startsWith(`/${bucket}/`)) return undefined;
  const [, region] =
    /Credential=[^/]+\/\d+\/([^/]+)\/s3\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  const isList = searchParams.get('list-type') === '2';
  return {
    operation: isList ? 'ListObjectsV2' : (OPERATIONS[method ?? ''] ?? 'GetObject'),
    key: decodeURIComponent(pathname.slice(bucket.length + 2)),
    query: Object.fromEntries(searchParams),
    range: headers.range,
    region,
  };
}

/** Operations on an object, by method. */
const OPERATIONS: Readonly<Record<string, S3Request['operation']>> = { HEAD: 'HeadObject', PUT: 'PutObject' };

function pageOf({ objects, pageSize = 1_000 }: Given, { query }: S3Request): string {
  const { prefix = '', delimiter } = query;
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && !(delimiter && key.slice(prefix.length).includes(delimiter)))
    .toSorted();
  const from = Number(query['continuation-token'] ?? 0);
  const page = keys.slice(from, from + pageSize).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const isLast = from + pageSize >= keys.length;
  const next = isLast ? '' : `<NextContinuationToken>${from + pageSize}</NextContinuationToken>`;
  return `<ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${next}${page.join('')}</ListBucketResult>`;
}

async function storeObject(
  message: IncomingMessage,
  response: ServerResponse,
  key: string,
  objects: Map<string, Buffer>,
) {
  const bytes = Buffer.concat(await message.toArray());
  const hash = createHash('sha256').update(bytes).digest('base64');
  if (message.headers['x-amz-checksum-sha256'] !== hash) return refuse(response, 400, 'BadDigest');
  objects.set(key, bytes);
  return response.writeHead(200).end();
}

function sendObject(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  object: Buffer,
  fault: S3Fault | undefined,
) {
  // Distinguishes objects of tests. Each request computes it, so a large one is not read to its end.
  const etag = `"${object.length}-${createHash('md5').update(object.subarray(0, 65_536)).digest('hex')}"`;
  if (headers['if-match'] && headers['if-match'] !== etag) return refuse(response, 412, 'PreconditionFailed');
  if (method === 'HEAD') return response.writeHead(200, { etag, 'content-length': object.length }).end();
  const [, from = 0, to = object.length - 1] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (Number(from) >= object.length) return refuse(response, 416, 'InvalidRange');
  const part = object.subarray(Number(from), Number(to) + 1);
  response.writeHead(headers.range ? 206 : 200, { etag, 'content-length': part.length });
  if (fault && 'cutAfter' in fault) {
    return response.write(part.subarray(0, fault.cutAfter), () => response.destroy());
  }
  if (fault && 'hangAfter' in fault) return response.write(part.subarray(0, fault.hangAfter));
  return response.end(part);
}

function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
) {
  response.writeHead(status, headers).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
