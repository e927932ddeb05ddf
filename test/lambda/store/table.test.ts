import {
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  QueryCommand,
  RequestLimitExceeded,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { queryDays } from '../../../lambda/store/days.ts';
import { openTable, TableUnavailableError } from '../../../lambda/store/table.ts';

const dynamo = mockClient(DynamoDBClient);
const table = openTable('metrics', { region: 'local' });
const details = { $metadata: {}, message: 'said the service' };

afterEach(() => dynamo.reset());

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
])('%s means that the table is not available for now', async (error) => {
  dynamo.on(QueryCommand).rejects(error);
  dynamo.on(GetItemCommand).rejects(error);
  await expect(queryDays(chainStore(table, 'BSC'), '2026-11-18', '2026-11-20')).rejects.toThrow(
    TableUnavailableError,
  );
  await expect(getCoverage(chainStore(table, 'BSC'))).rejects.toThrow(
    `The table is not available: ${error.name}, ${error.message}`,
  );
});

test('an error that waiting does not mend stays what it is', async () => {
  const denied = new DynamoDBServiceException({
    ...details,
    name: 'AccessDeniedException',
    $fault: 'client',
  });
  dynamo.on(QueryCommand).rejects(denied);
  await expect(queryDays(chainStore(table, 'BSC'), '2026-11-18', '2026-11-20')).rejects.toBe(denied);
});
