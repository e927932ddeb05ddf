import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayProblems } from './gateway-problems.ts';
import { ProblemError } from './problem.ts';

/** A query takes about 90 bytes; this leaves room for any spelling of it, and nobody is made to wait for more. */
export const MAX_BODY_BYTES = 16_384;

/** Middleware that decodes a JSON body, where there is one: the parser refuses a GET without, for its missing type. */
export function jsonBody(): MiddlewareObj<APIGatewayProxyEvent> {
  const parser = httpJsonBodyParser();
  return {
    before: (request) => {
      const { body, isBase64Encoded } = request.event;
      if (!body) return;
      const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
      if (size > MAX_BODY_BYTES) throw new ProblemError(gatewayProblems.REQUEST_TOO_LARGE);
      return parser.before?.(request);
    },
  };
}
