import type { Optional, RlpWriter } from './rlp.ts';

/** Writes one member of an answer as RLP. */
export type Field<T> = (writer: RlpWriter, source: T) => void;

/** Names of the members that hold a single value. Nodes may leave them out. */
type Name<T> = { [K in keyof T]-?: T[K] extends Optional ? K : never }[keyof T] & string;

const memberOf = <T>(source: T, name: Name<T>): Optional => source[name] as Optional;

export const quantity =
  <T>(name: Name<T>): Field<T> =>
  (writer, source) =>
    writer.quantity(memberOf(source, name), name);

export const data =
  <T>(name: Name<T>): Field<T> =>
  (writer, source) =>
    writer.data(memberOf(source, name), name);

export const fixed =
  <T>(name: Name<T>, length: number): Field<T> =>
  (writer, source) =>
    writer.fixed(memberOf(source, name), length, name);

/** Writes the list of `fields`, from the last to the first. */
export function writeList<T>(writer: RlpWriter, fields: readonly Field<T>[], source: T): void {
  const mark = writer.size();
  for (let index = fields.length - 1; index >= 0; index--) (fields[index] as Field<T>)(writer, source);
  writer.list(mark);
}
