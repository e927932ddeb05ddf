/**
 * A line that does something next, for a message.
 * @param flags what leads to the same service, as Service has it
 * @param words the command and its parameters, which are quoted where a shell would take them apart
 */
export const commandLine = (flags: string, ...words: readonly string[]): string =>
  `npx chain-insights ${words.map(quoted).join(' ')}${flags}`;

const quoted = (word: string): string =>
  /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
