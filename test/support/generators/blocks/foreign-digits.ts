/**
 * Replaces a character of hex by one that is not a digit, but has the digit's code in its low byte. `Buffer.write(text, 'hex')` reads both
 * alike: `İ` (U+0130) is 0.
 */
export const withForeignDigit = (hex: unknown, at: number): string => {
  const text = String(hex);
  return `${text.slice(0, at)}${String.fromCharCode(0x100 + text.charCodeAt(at))}${text.slice(at + 1)}`;
};

/** Returns JSON in ASCII, with escapes for all other characters. */
export const escaped = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
