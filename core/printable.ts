/*
 * Foreign text in messages and logs: from nodes, files, tables, AWS. Control characters could command a terminal, format characters
 * reorder a line, and separators forge one.
 */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const RUNS_OF_UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns one line of text without characters that a terminal acts on. */
export const printable = (text: string): string => text.replaceAll(RUNS_OF_UNPRINTABLE, ' ');

/** Replaces such characters in JSON by escapes, which mean the same. Keeps the line feeds of its layout. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)));

/** Escapes UTF-16 units: a character beyond U+FFFF has two. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16);
    return `\\u${unit.padStart(4, '0')}`;
  }).join('');
