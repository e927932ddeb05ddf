import type { Problem } from './problem.ts';
import { routes } from './routes.ts';

const paths = routes.map(({ path, methods }) => `${path} (${methods.join(', ')})`).join(', ');

const NOT_FOUND = {
  status: 404,
  detail: `Unknown path or method. The paths and their methods are ${paths}.`,
};
const NOT_ALLOWED = {
  status: 403,
  detail: 'The service does not allow this request. Ask its operator for access.',
};

/**
 * Problems that the gateway reports before or instead of a function, by API Gateway's names of these cases. It uses the two
 * defaults for all other cases.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const gatewayProblems = {
  INVALID_API_KEY: {
    status: 403,
    detail: 'The X-API-Key header is missing, or its key is not valid. Send the key that you were issued.',
  },
  // API Gateway treats an unknown path or method as a badly signed request to itself.
  MISSING_AUTHENTICATION_TOKEN: NOT_FOUND,
  INVALID_SIGNATURE: NOT_FOUND,
  RESOURCE_NOT_FOUND: NOT_FOUND,
  // An authorizer returns one of these two, where the operator has added one.
  UNAUTHORIZED: NOT_ALLOWED,
  ACCESS_DENIED: NOT_ALLOWED,
  WAF_FILTERED: NOT_ALLOWED,
  REQUEST_TOO_LARGE: {
    status: 413,
    detail:
      'The body is too large. Send only inputs of the path: chain, start_date, end_date, interval, evidence, fields.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    detail:
      'The body is compressed, or not declared as JSON. Send it without Content-Encoding, and with the header Content-Type: application/json.',
  },
  THROTTLED: {
    status: 429,
    detail: 'Too many requests. Wait for the number of seconds in Retry-After, then send the request again.',
    retryAfterSeconds: 1,
  },
  QUOTA_EXCEEDED: {
    status: 429,
    detail: 'This key has used up its quota. The quota resets on the first of the month (UTC).',
    retryAfterSeconds: 3_600,
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    detail: 'The service took too long to respond. Send the request again.',
  },
  DEFAULT_4XX: { status: 400, detail: 'The request is malformed. Check its URL, headers and body.' },
  DEFAULT_5XX: {
    status: 500,
    detail: 'The service failed. Send the request again; if the error persists, report its request_id.',
  },
} as const satisfies Record<string, Problem>;
