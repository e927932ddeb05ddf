/* Renders the charts as a PNG: a copy of their SVG with the page's styles, and text above and below. */

/** Pixels of the image per CSS pixel. */
const SCALE = 2;
const MARGIN = 24;
const LINE = 20;
const FONT = 'system-ui, sans-serif';

/**
 * @param charts elements with one SVG each, and a caption
 * @param notes lines below the charts
 */
export async function renderImage(charts: readonly HTMLElement[], title: string, notes: readonly string[]) {
  const { svg, width, height } = composeImage(charts, title, notes);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {
    width: width * SCALE,
    height: height * SCALE,
  });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Cannot create the image: this browser provides no canvas.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise<Blob>((resolve, reject) => {
    const failure = new Error('Cannot create the image: encoding it as PNG failed.');
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(failure)));
  });
}

/** Places the charts below each other, with their captions. */
function composeImage(charts: readonly HTMLElement[], title: string, notes: readonly string[]) {
  const parts = [svgText(title, MARGIN + 14, { 'font-size': 18, 'font-weight': 700, fill: 'var(--ink)' })];
  let y = MARGIN + 36;
  let width = 600;
  for (const chart of charts) {
    const drawn = chart.querySelector('svg');
    if (!drawn) continue;
    const copy = drawn.cloneNode(true) as SVGElement;
    for (const cursor of copy.querySelectorAll('.cursor, .cursor-dot, .selection')) cursor.remove();
    setAttributes(copy, { class: 'plot', x: MARGIN, y: y + LINE });
    const caption = chart.querySelector('figcaption')?.textContent ?? '';
    parts.push(svgText(caption, y + 10, { 'font-size': 13, fill: 'var(--muted)' }), copy);
    y += LINE + drawn.clientHeight + 16;
    width = Math.max(width, drawn.clientWidth);
  }
  for (const note of notes.flatMap((one) => wrapText(one, width / 6.4))) {
    parts.push(svgText(note, y + 10, { 'font-size': 12, fill: 'var(--muted)' }));
    y += LINE;
  }
  const size = { width: width + 2 * MARGIN, height: y + MARGIN };
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const styles = svgElement('style', {}, rules.map(({ cssText }) => cssText).join('\n'));
  const background = svgElement('rect', { ...size, fill: 'var(--card)' });
  const svg = svgElement('svg', { ...size, 'font-family': FONT }, styles, background, ...parts);
  // The content security policy forbids setting the attribute.
  svg.style.colorScheme = document.documentElement.style.colorScheme;
  return { svg, ...size };
}

type Attributes = Readonly<Record<string, string | number>>;

const svgText = (text: string, y: number, attributes: Attributes) =>
  svgElement('text', { x: MARGIN, y, ...attributes }, text);

function svgElement(
  tag: 'svg' | 'style' | 'text' | 'rect',
  attributes: Attributes,
  ...content: readonly (Node | string)[]
) {
  const created: SVGElement = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(created, attributes);
  created.append(...content);
  return created;
}

function setAttributes(element: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** Wraps a text into lines of a number of characters at most. A longer word has a line of its own. */
function wrapText(text: string, max: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= max)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
