/*
 * Messages and logs contain text from nodes, files, tables and AWS. Its control characters could drive a terminal, its format characters
 * could reorder a line, and its separators could fake a new one.
 */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const RUNS_OF_UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns one line of text without characters that a terminal acts on. */
export const printable = (text: string): string => text.replaceAll(RUNS_OF_UNPRINTABLE, ' ');

/** Ends a reason as a sentence: some are several sentences, which have their full stop. */
export const asSentence = (reason: string): string => (reason.endsWith('.') ? reason : `${reason}.`);

/** Escapes such characters in JSON, which does not change its meaning. Keeps the line feeds of its layout. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)));

/** Escapes UTF-16 units: a character beyond U+FFFF has two. */
const escaped = (character: string): string =>
  character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
