/* Text that fits a terminal of 80 columns. */

export const MAX_WIDTH = 80;

/** Joins parts with spaces into lines of a width. A part that is longer than a line, such as a URL, stays whole. */
function fill(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + part.length > width) lines.push(part);
    else lines[lines.length - 1] = `${last} ${part}`;
  }
  return lines;
}

const HANGING = '    ';

/** Wraps the lines of a text at spaces. What continues a line is indented by four more. */
export const wrapText = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      if (line.length <= MAX_WIDTH) return line;
      const indent = ' '.repeat(line.search(/\S/));
      const width = MAX_WIDTH - indent.length - HANGING.length;
      return `${indent}${fill(line.trim().split(' '), width).join(`\n${indent}${HANGING}`)}`;
    })
    .join('\n');

const INDENT = '  ';

/** Indents a command line, and wraps it before options and `>`. Each line but the last ends with a backslash, so that a shell joins them. */
export function wrapCommand(line: string): string {
  const parts = line.split(/ (?=--[a-z]|> )/);
  // Room for two indents and the backslash.
  return INDENT + fill(parts, MAX_WIDTH - 6).join(` \\\n${INDENT}${INDENT}`);
}
