import type { RlpWriter } from './rlp.ts';

/** Writes one member of an answer as RLP. */
export type Field<T = Readonly<Record<string, unknown>>> = (writer: RlpWriter, source: T) => void;

export const quantity =
  (name: string): Field =>
  (writer, source) =>
    writer.quantity(source[name], name);

export const data =
  (name: string): Field =>
  (writer, source) =>
    writer.data(source[name], name);

export const fixed =
  (name: string, length: number): Field =>
  (writer, source) =>
    writer.fixed(source[name], length, name);

/** Writes the list of `fields`, from the last to the first. */
export function writeList<T>(writer: RlpWriter, fields: readonly Field<T>[], source: T): void {
  const mark = writer.size();
  for (let index = fields.length - 1; index >= 0; index--) (fields[index] as Field<T>)(writer, source);
  writer.list(mark);
}
