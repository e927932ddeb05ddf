import { marked } from 'marked';

/** A piece of HTML, which is not escaped again. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | undefined | readonly Content[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const textOf = (content: Content): string => {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return String(content).replace(/[&<>"]/g, (character) => escapes[character] ?? '');
};

/** Builds HTML from a template, and escapes what is inserted. */
export const html = (texts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(texts.map((text, index) => text + textOf(contents[index])).join(''));

/**
 * Converts the Markdown of a description.
 * @param level of its highest headings
 */
export const markdown = (text: string, level = 2): Html =>
  new Html(marked.parse(text.replaceAll(/^##(?=#* )/gm, '#'.repeat(level)), { async: false, gfm: true }));

/** Converts Markdown within a line. */
export const inline = (text = ''): Html => new Html(marked.parseInline(text, { async: false, gfm: true }));
