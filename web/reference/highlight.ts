/** A piece of a program or of JSON, and how to color it. */
export interface Segment {
  readonly kind: 'comment' | 'string' | 'keyword' | 'plain';
  readonly text: string;
}

const token =
  /(?<comment>(?:^|(?<=\n))(?:#|\/\/)[^\n]*)|(?<string>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|(?<keyword>\b(?:import|from|const|await|for|in|export|print|curl|python3|null|true|false)\b)/g;

/** Splits curl, TypeScript, Python or JSON into pieces. Together they are the text. */
export function highlight(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  const plain = (to: number) => {
    if (to > end) segments.push({ kind: 'plain', text: text.slice(end, to) });
  };
  for (const { 0: found, index, groups = {} } of text.matchAll(token)) {
    plain(index);
    const kind = (['comment', 'string', 'keyword'] as const).find((name) => groups[name]);
    segments.push({ kind: kind ?? 'plain', text: found });
    end = index + found.length;
  }
  plain(text.length);
  return segments;
}
