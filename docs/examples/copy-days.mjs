/* Copies the days, with their details, of one table that another lacks: node copy-days.mjs <from> <to>. See docs/operate/releases.md#copy-days-back. */

import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';

const [from, to] = process.argv.slice(2);
const client = new DynamoDBClient();
const items = { copied: 0, there: 0 };
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
    try {
      await client.send(put);
      items.copied++;
    } catch (error) {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
      items.there++;
    }
  }
}
console.log(items);
