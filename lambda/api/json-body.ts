import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayProblems } from './gateway-problems.ts';
import { functionProblems, ProblemError } from './problem.ts';

/** Maximum size of a body. A query takes about 90 bytes; the limit keeps parsing time negligible. */
export const MAX_BODY_BYTES = 16_384;

/** Media types are case-insensitive; the parser's own check is not. */
const JSON_MEDIA_TYPE = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;

/** The parser's types lack the first option, and so require the second. */
const PARSER_OPTIONS = { disableContentTypeCheck: true, disableContentTypeError: true };

/** Creates the middleware that decodes a JSON body. It expects lowercase header names, and skips empty bodies. */
export function jsonBody(): MiddlewareObj<APIGatewayProxyEvent> {
  const parser = httpJsonBodyParser(PARSER_OPTIONS);
  return {
    before: async (request) => {
      const { body, headers, isBase64Encoded } = request.event;
      if (!body) return;
      const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
      if (size > MAX_BODY_BYTES) throw new ProblemError(gatewayProblems.REQUEST_TOO_LARGE);
      if (!JSON_MEDIA_TYPE.test(headers['content-type'] ?? ''))
        throw new ProblemError(gatewayProblems.UNSUPPORTED_MEDIA_TYPE);
      try {
        await parser.before?.(request);
      } catch {
        throw new ProblemError(functionProblems.NOT_JSON);
      }
    },
  };
}
