/** Formats a table as Biome does, with columns of equal width, of three characters at least. @param rows the first one is the header */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const padded = rows.map((row) => line(row.map((text, at) => text.padEnd(widths[at] ?? 0))));
  return [padded[0] ?? '', line(widths.map((width) => '-'.repeat(width))), ...padded.slice(1)];
}
