import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { functionProblems } from './function-problems.ts';
import { gatewayProblems } from './gateway-problems.ts';
import { ProblemError } from './problem.ts';

/** A query takes about 90 bytes; 16 KiB leaves room for any spelling of it. */
export const MAX_BODY_BYTES = 16_384;

/** Media types whose bodies are JSON, in any letter case: Middy 6 itself accepts lower case only. */
const JSON_BODY = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;

/** Turns off the parser's own check of the media type. Its types lack the first option, and so require the second. */
const PARSER_OPTIONS = { disableContentTypeCheck: true, disableContentTypeError: true };

/** Middleware that decodes a JSON body where there is one, so that a GET needs no Content-Type. */
export function jsonBody(): MiddlewareObj<APIGatewayProxyEvent> {
  const parser = httpJsonBodyParser(PARSER_OPTIONS);
  return {
    before: async (request) => {
      const { body, headers, isBase64Encoded } = request.event;
      if (!body) return;
      const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
      if (size > MAX_BODY_BYTES) throw new ProblemError(gatewayProblems.REQUEST_TOO_LARGE);
      if (!JSON_BODY.test(headers['content-type'] ?? '')) {
        throw new ProblemError(gatewayProblems.UNSUPPORTED_MEDIA_TYPE);
      }
      try {
        await parser.before?.(request);
      } catch {
        throw new ProblemError(functionProblems.NOT_JSON);
      }
    },
  };
}
