import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayProblems } from './gateway-problems.ts';
import { functionProblems, ProblemError } from './problem.ts';
import { conflictingMembers } from './query.ts';

/** Maximum size of a body. A query takes about 90 bytes; the limit keeps parsing time negligible. */
export const MAX_BODY_BYTES = 16_384;

/** Media types are case-insensitive; the parser's own check is not. */
const JSON_MEDIA_TYPE = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;

const IDENTITY = /^(identity)?$/i;

/** The parser's types lack the first option, and so require the second. */
const PARSER_OPTIONS = { disableContentTypeCheck: true, disableContentTypeError: true };

/** Creates the middleware that decodes a JSON body. It expects lowercase header names, and skips empty bodies and byte order marks. */
export function jsonBody(): MiddlewareObj<APIGatewayProxyEvent> {
  const parser = httpJsonBodyParser(PARSER_OPTIONS);
  return {
    before: async (request) => {
      const { body, headers, isBase64Encoded } = request.event;
      if (!body) return;
      const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
      if (size > MAX_BODY_BYTES) throw new ProblemError(gatewayProblems.REQUEST_TOO_LARGE);
      if (
        !JSON_MEDIA_TYPE.test(headers['content-type'] ?? '') ||
        !IDENTITY.test(headers['content-encoding'] ?? '')
      )
        throw new ProblemError(gatewayProblems.UNSUPPORTED_MEDIA_TYPE);
      const text = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
        .toString()
        .replace(/^\uFEFF/, '');
      Object.assign(request.event, { body: text, isBase64Encoded: false });
      try {
        await parser.before?.(request);
      } catch {
        throw new ProblemError(functionProblems.NOT_JSON);
      }
      const conflicts = findConflicts(text);
      if (conflicts.length > 0) throw conflictingMembers(conflicts);
    },
  };
}

/** A string, and its value if it is the name of a member; of an object or array, only the bracket. */
const STRING_OR_MEMBER = /("(?:[^"\\]|\\.)*")(?:\s*:\s*("(?:[^"\\]|\\.)*"|[[{]|[^\s,[\]{}]+))?/g;

/** Returns members with different values, of which `JSON.parse` takes the last. Depth does not matter: a nested query is refused anyway. */
function findConflicts(json: string): string[] {
  const values = new Map<string, string>();
  const conflicts = new Set<string>();
  for (const [, name = '', value] of json.matchAll(STRING_OR_MEMBER)) {
    if (value === undefined) continue;
    const member: string = JSON.parse(name);
    const given = (value.startsWith('"') ? JSON.stringify(JSON.parse(value)) : value).toLowerCase();
    if ((values.get(member) ?? given) !== given) conflicts.add(member);
    values.set(member, given);
  }
  return [...conflicts];
}
