import {
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { queryDays } from '#core/store/days/days.ts';
import { createQueryTable, TableUnavailableError } from '#core/store/table/client.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';

const details = { $metadata: {}, message: 'said the service' };

describe.each([
  ['createQueryTable', createQueryTable],
  ['createDocumentTable', createDocumentTable],
])('%s', (_, open) => {
  test.each([
    new ProvisionedThroughputExceededException(details),
    new RequestLimitExceeded(details),
    new ResourceNotFoundException(details),
    new DynamoDBServiceException({ ...details, name: 'ThrottlingException', $fault: 'client' }),
    new DynamoDBServiceException({
      name: 'InternalServerError',
      $fault: 'server',
      $metadata: { httpStatusCode: 500 },
      message: 'broken',
    }),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('name'), { code: 'EAI_AGAIN' }),
    Object.assign(new Error('slow'), { name: 'TimeoutError' }),
  ])('throws TableUnavailableError for %s', async (error) => {
    const requestHandler = { handle: () => Promise.reject(error) };
    const store = chainStore(open('metrics', { ...embeddedAccess, maxAttempts: 1, requestHandler }), 'BSC');
    await expect(queryDays(store, '2026-11-18', '2026-11-20')).rejects.toThrow(TableUnavailableError);
    await expect(getCoverage(store)).rejects.toThrow(
      `The table is unavailable: ${error.name}, ${error.message}. Try again later.`,
    );
  });
});
