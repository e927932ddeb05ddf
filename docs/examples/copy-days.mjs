/* Copies the days, with their details, of one table that another lacks: node copy-days.mjs <from> <to>. See docs/operate/releases.md#copy-days-back. */

import { DynamoDBClient, PutItemCommand, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

const [from, to] = process.argv.slice(2);
const client = new DynamoDBClient();
const items = { copied: 0, there: 0 };
const chains = new Set();
const scan = {
  TableName: from,
  // Sort keys that are not days begin with a letter.
  FilterExpression: '#date < :letter OR begins_with(#date, :details)',
  ExpressionAttributeNames: { '#date': 'date' },
  ExpressionAttributeValues: { ':letter': { S: 'A' }, ':details': { S: 'details#' } },
};
for await (const { Items = [] } of paginateScan({ client }, scan)) {
  for (const Item of Items) {
    const put = new PutItemCommand({
      TableName: to,
      Item,
      ConditionExpression: 'attribute_not_exists(chain)',
    });
    chains.add(Item.chain.S);
    try {
      await client.send(put);
      items.copied++;
    } catch (error) {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
      items.there++;
    }
  }
}
// Functions of the API may keep days that were deleted: this lets them read all days again.
for (const chain of chains) {
  const update = new UpdateItemCommand({
    TableName: to,
    Key: { chain: { S: chain }, date: { S: 'coverage' } },
    UpdateExpression: 'SET revision = revision + :one, changes_since = revision + :one, changes = :none',
    ConditionExpression: 'attribute_exists(chain)',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':none': { L: [] } },
  });
  await client.send(update).catch((error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
  });
}
console.log(items);
