import { APIGatewayClient, paginateGetApiKeys, paginateGetRestApis } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { paginateListStateMachines, SFNClient } from '@aws-sdk/client-sfn';

/**
 * Lists what an account still has of a stack, by name. CloudFormation's own list has only what it knows of.
 * @param stackName part of the names of everything that the stack and the trial create, in any letter case
 */
export async function findLeftovers(stackName: string): Promise<readonly string[]> {
  const kinds = Object.entries(lists).map(async ([kind, list]) => {
    const names = (await list()).flat().filter((name = '') => isOfStack(name, stackName));
    return names.map((name) => `${kind} ${name}`);
  });
  return (await Promise.all(kinds)).flat();
}

/** Returns whether a name has that of a stack in it, in any letter case, and not only the beginning of another stack's. */
const isOfStack = (name: string, stackName: string): boolean =>
  new RegExp(`(?<![a-z0-9])${stackName}(?![a-z0-9])`, 'i').test(name);

type Names = readonly (string | undefined)[];

const lists: Readonly<Record<string, () => Promise<readonly Names[]>>> = {
  table: () => {
    const pages = paginateListTables({ client: new DynamoDBClient() }, {});
    return Array.fromAsync(pages, ({ TableNames = [] }) => TableNames);
  },
  function: () => {
    const pages = paginateListFunctions({ client: new LambdaClient() }, {});
    return Array.fromAsync(pages, ({ Functions = [] }) => Functions.map(({ FunctionName }) => FunctionName));
  },
  API: () => {
    const pages = paginateGetRestApis({ client: new APIGatewayClient() }, {});
    return Array.fromAsync(pages, ({ items = [] }) => items.map(({ name }) => name));
  },
  key: () => {
    const pages = paginateGetApiKeys({ client: new APIGatewayClient() }, {});
    return Array.fromAsync(pages, ({ items = [] }) => items.map(({ description }) => description));
  },
  'state machine': () => {
    const pages = paginateListStateMachines({ client: new SFNClient() }, {});
    return Array.fromAsync(pages, ({ stateMachines = [] }) => stateMachines.map(({ name }) => name));
  },
  bucket: async () => {
    const { Buckets = [] } = await new S3Client().send(new ListBucketsCommand());
    return [Buckets.map(({ Name }) => Name)];
  },
};
