import type { Problem } from './problem.ts';
import { methods, routes } from './routes.ts';

const paths = routes.map(({ path }) => path).join(' and ');

const NOT_FOUND = {
  status: 404,
  detail: `There is nothing here. The paths are ${paths}, with ${methods.join(' or ')}.`,
};
const NOT_ALLOWED = { status: 403, detail: 'This request is not allowed.' };

/**
 * What the gateway answers by itself, before or instead of a function, by API Gateway's own name for the case.
 * Cases that are not named here fall to the two defaults.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const gatewayProblems = {
  INVALID_API_KEY: {
    status: 403,
    detail: 'The X-API-Key header is missing, or its key is not valid. Send the key that you were issued.',
  },
  // API Gateway takes a path or method that it does not know for a request to itself that is badly signed.
  MISSING_AUTHENTICATION_TOKEN: NOT_FOUND,
  INVALID_SIGNATURE: NOT_FOUND,
  RESOURCE_NOT_FOUND: NOT_FOUND,
  // The two that an authorizer can answer, where the operator has added one.
  UNAUTHORIZED: NOT_ALLOWED,
  ACCESS_DENIED: NOT_ALLOWED,
  WAF_FILTERED: NOT_ALLOWED,
  REQUEST_TOO_LARGE: {
    status: 413,
    detail: 'The request body is too large. It needs only chain, start_date and end_date.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    detail: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  THROTTLED: {
    status: 429,
    detail: 'Too many requests. Wait for the seconds in Retry-After and send the request again.',
    retryAfterSeconds: 1,
  },
  QUOTA_EXCEEDED: {
    status: 429,
    detail: "This key's quota is used up. It is renewed at the start of its next period.",
    retryAfterSeconds: 3_600,
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    detail: 'The answer took too long. Send the request again.',
  },
  DEFAULT_4XX: {
    status: 400,
    detail: 'The request could not be read. Check its address, headers and body.',
  },
  DEFAULT_5XX: {
    status: 500,
    detail: 'Something went wrong on our side. Send the request again; if it goes on, name the request_id.',
  },
} as const satisfies Record<string, Problem>;
