import { marked } from 'marked';

/** A piece of HTML, which is not escaped again. */
export interface Html {
  readonly text: string;
}

type Content = Html | string | number | undefined | readonly Content[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const textOf = (content: Content): string => {
  if (content === undefined) return '';
  if (typeof content === 'object') return 'text' in content ? content.text : content.map(textOf).join('');
  return String(content).replace(/[&<>"]/g, (character) => escapes[character] ?? '');
};

/** Builds HTML from a template, and escapes what is inserted. */
export const html = (texts: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  text: texts.map((text, index) => text + textOf(contents[index])).join(''),
});

/**
 * Converts the Markdown of a description.
 * @param level of its highest headings
 */
export const markdown = (text: string, level = 2): Html => ({
  text: marked.parse(text.replaceAll(/^##(?=#* )/gm, '#'.repeat(level)), { async: false, gfm: true }),
});

/** Converts Markdown within a line. */
export const inline = (text = ''): Html => ({ text: marked.parseInline(text, { async: false, gfm: true }) });
