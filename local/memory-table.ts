import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { wrapNumber } from '../core/store/table/client.ts';
import { type Condition, type Item, keyOfWrite, type Table } from '../core/store/table/table.ts';

/* The table in which a new chain's past is ingested: in DynamoDB each day takes 40 requests, of a millisecond each in dynalite. */

/** As many as DynamoDB writes at once. */
const BATCH_SIZE = 25;

/**
 * Creates a table in memory for the items of one chain. It knows only the expressions that the core uses.
 * @param target the table that has no items of this chain yet
 * @param last sort key of the item that is written after all others, which tells a later start that they are complete
 */
export function createMemoryTable(target: Table, last: string) {
  const items = new Map<string, Item>();
  const keyOf = (key: object) => String(Object.entries(key).find(([name]) => name === 'date')?.[1]);
  const isAllowed = (key: object, condition?: Condition) =>
    !condition || holds(items.get(keyOf(key)), condition);
  const table: Table = {
    ...target,
    getItem: async (key) => items.get(keyOf(key)),
    async *queryPages({ ExpressionAttributeValues: values }) {
      const { ':prefix': prefix, ':first': first, ':last': end } = values;
      const isSelected = (key: string) =>
        prefix === undefined ? String(first) <= key && key <= String(end) : key.startsWith(String(prefix));
      const keys = [...items.keys()].filter(isSelected).sort();
      yield keys.map((key) => items.get(key) ?? {});
    },
    putIf: async (item, condition) => {
      if (!isAllowed(item, condition)) return false;
      items.set(keyOf(item), storedForm(item));
      return true;
    },
    deleteItem: async (key, condition) => {
      if (isAllowed(key, condition)) items.delete(keyOf(key));
    },
    commit: async (writes) => {
      if (!writes.every((write) => isAllowed(keyOfWrite(write), write.condition))) return false;
      for (const write of writes) {
        if ('put' in write) items.set(keyOf(write.put), storedForm(write.put));
        if ('delete' in write) items.delete(keyOf(write.delete));
      }
      return true;
    },
  };
  const write = async (batch: readonly Item[]) => {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await target.documents.send(
      new BatchWriteCommand({ RequestItems: { [target.name]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0)
      throw new Error('The table has not written all days. Start again.');
  };
  /** Writes all items to the table that was given. */
  const save = async () => {
    const { [last]: final, ...others } = Object.fromEntries(items);
    const all = Object.values(others);
    for (let start = 0; start < all.length; start += BATCH_SIZE)
      await write(all.slice(start, start + BATCH_SIZE));
    if (final) await write([final]);
  };
  return { table, save };
}

/** Returns an item or values as they are read from DynamoDB. */
const storedForm = (item: object): Item =>
  unmarshall(marshall({ ...item }, { removeUndefinedValues: true }), { wrapNumbers: wrapNumber });

function holds(item: Item = {}, condition: Condition): boolean {
  const { ConditionExpression, ExpressionAttributeNames: names = {} } = condition;
  const values = storedForm(condition.ExpressionAttributeValues ?? {});
  const isTrue = (term: string) => {
    const [, absent] = /^attribute_not_exists\((\w+)\)$/.exec(term) ?? [];
    if (absent !== undefined) return item[absent] === undefined;
    const [, name = '', operator, value = ''] = /^([#\w]+) (=|<=) (:\w+)$/.exec(term) ?? [];
    if (!operator) throw new Error(`The table in memory does not know the condition ${term}.`);
    const [stored, expected] = [item[names[name] ?? name], values[value]];
    return operator === '='
      ? stored === expected
      : stored !== undefined && Number(stored) <= Number(expected);
  };
  return ConditionExpression.split(' OR ').some((terms) => terms.split(' AND ').every(isTrue));
}
