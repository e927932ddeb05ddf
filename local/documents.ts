import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../lambda/store/table.ts';

/** A client that takes and gives items as they are, with every number a bigint: slower and larger, which matters only on AWS. */
export const documentsOf = ({ client }: Pick<Table, 'client'>): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: BigInt },
  });
