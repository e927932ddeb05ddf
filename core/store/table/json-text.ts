import * as z from 'zod/mini';

/** Returns the schema of a value that is stored as JSON. Other text is invalid. */
export const jsonText = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(z.string(), z.pipe(z.transform(parseJson), schema));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
