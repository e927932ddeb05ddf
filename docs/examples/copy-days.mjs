/* Copies the days of one table that another lacks: node copy-days.mjs <from> <to>. See docs/operate/releases.md#copy-days-back. */

import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';

const [from, to] = process.argv.slice(2);
const client = new DynamoDBClient();
const days = { copied: 0, there: 0 };
const scan = {
  TableName: from,
  // Sort keys that are not days begin with a letter.
  FilterExpression: '#date < :letter',
  ExpressionAttributeNames: { '#date': 'date' },
  ExpressionAttributeValues: { ':letter': { S: 'A' } },
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
      days.copied++;
    } catch (error) {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
      days.there++;
    }
  }
}
console.log(days);
