import { SOFTWARE_VERSION } from '../core/software-version.ts';
import { describeService } from './description.ts';
import { headers } from './headers.ts';
import { parameters, paths, TAG } from './operations.ts';
import { problemResponses } from './problems.ts';
import { successResponses } from './responses.ts';
import { componentSchemas } from './schemas.ts';

const SCHEME = 'ApiKey';

/** Returns the OpenAPI document of the API: https://spec.openapis.org/oas/v3.1.0. @param definitions the text of docs/definitions.md */
export function openApiDocument(definitions: string) {
  const problems = problemResponses();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chain Insights',
      version: SOFTWARE_VERSION,
      summary: 'Exact daily transaction counts and fees of EVM chains.',
      description: describeService(definitions),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      // Relative to the document, so that one document serves localhost, a stage's path and a custom domain.
      { url: '.', description: 'The service that serves this document.' },
    ],
    security: [{ [SCHEME]: [] }],
    tags: [{ name: TAG, description: 'One row per final day of a chain.' }],
    paths: paths(Object.fromEntries([...problems].map(([name, { status }]) => [status, name]))),
    components: {
      securitySchemes: {
        [SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The key that you were issued. Send it in this header only, never in a URL.',
        },
      },
      schemas: componentSchemas(),
      parameters: parameters(),
      headers,
      responses: {
        ...successResponses(),
        ...Object.fromEntries([...problems].map(([name, { response }]) => [name, response])),
      },
    },
  };
}
