const token =
  /(?<comment>(?:^|(?<=\n))(?:#|\/\/)[^\n]*)|(?<string>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|(?<keyword>\b(?:import|from|const|await|for|in|export|print|curl|python3|null|true|false)\b)/g;

/** Splits curl, TypeScript, Python or JSON into pieces. Together they are the text. */
export function highlight(text: string) {
  let end = 0;
  const plain = (to: number) => ({ kind: 'plain', text: text.slice(end, to) });
  const segments = [...text.matchAll(token)].flatMap(({ 0: found, index, groups = {} }) => {
    const before = plain(index);
    end = index + found.length;
    const kind = Object.keys(groups).find((name) => groups[name]) ?? 'plain';
    return [before, { kind, text: found }];
  });
  return [...segments, plain(text.length)].filter((segment) => segment.text !== '');
}
