/* Text that people, files or a proxy wrote may have characters that reorder or hide other text. */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns one line of text without such characters. */
export const withoutControls = (text: string): string => text.replaceAll(UNPRINTABLE, ' ');

/** Escapes such characters in JSON, which does not change its meaning. Keeps the line feeds of its layout. */
export const escapedJson = (json: string): string =>
  json.replaceAll(UNPRINTABLE, (run) =>
    run.replaceAll(/[^\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
