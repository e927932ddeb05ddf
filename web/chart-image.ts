import type { ChainName } from '../lambda/chains/chains.ts';
import { lineStyleOf } from './chart-data.ts';
import type { Charts } from './charts.ts';
import { resolvedColor } from './dom.ts';
import { chainLabel } from './labels.ts';
import { wrapItems } from './wrap.ts';

/** In CSS pixels. */
const MARGIN = 24;
const ROW = 24;
const SWATCH = 38;

/** A piece of text, with a piece of the chain's line before it if it names one. */
interface Item {
  readonly text: string;
  readonly color: string;
  readonly weight: number;
  readonly chain?: ChainName;
}

/** Renders the visible part of all charts, with a title, units, legends and notes, as a PNG. */
export async function renderImage(title: string, notes: string, { units }: Charts): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Cannot create the image: this browser provides no canvas.');
  const width = Math.max(...units.map(({ plot }) => plot.width));
  // Painted last, because setting the size of a canvas clears it.
  const paints: (() => void)[] = [];
  let y = MARGIN;
  const addItems = (items: readonly Item[]) => {
    for (const row of wrapItems(items, (some) => widthOf(context, some), width)) {
      const middle = y + ROW / 2;
      paints.push(() => paintRow(context, row, middle));
      y += ROW;
    }
  };
  addItems(wordsOf(title, 'var(--ink)', 700));
  y += ROW / 2;
  for (const { unit, data, plot } of units) {
    addItems(wordsOf(`${unit} per day`, 'var(--ink)', 600));
    addItems(
      data.lines.map(({ chain }) => ({ text: chainLabel(chain), color: 'var(--ink)', weight: 400, chain })),
    );
    const top = y;
    paints.push(() => context.drawImage(plot.ctx.canvas, MARGIN, top, plot.width, plot.height));
    y += plot.height + MARGIN;
  }
  addItems(wordsOf(notes, 'var(--muted)', 400));
  paintBackground(context, width + 2 * MARGIN, y + ROW / 2 + MARGIN);
  for (const paint of paints) paint();
  return new Promise((resolve, reject) => {
    const failure = new Error('Cannot create the image: encoding it as PNG failed.');
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(failure)));
  });
}

const wordsOf = (text: string, color: string, weight: number): Item[] =>
  text.split(' ').map((word) => ({ text: `${word} `, color, weight }));

function paintBackground(context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = window.devicePixelRatio;
  Object.assign(context.canvas, { width: width * ratio, height: height * ratio });
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.fillStyle = resolvedColor('var(--card)');
  context.fillRect(0, 0, width, height);
}

function widthOf(context: CanvasRenderingContext2D, items: readonly Item[]): number {
  let width = 0;
  for (const { text, weight, chain } of items) {
    context.font = fontOf(weight);
    width += context.measureText(text).width + (chain ? SWATCH + MARGIN : 0);
  }
  return width;
}

const fontOf = (weight: number): string => `${weight} 15px system-ui, sans-serif`;

function paintRow(context: CanvasRenderingContext2D, row: readonly Item[], y: number): void {
  for (const [index, { text, color, weight, chain }] of row.entries()) {
    const x = MARGIN + widthOf(context, row.slice(0, index));
    if (chain) paintSwatch(context, chain, x, y);
    context.font = fontOf(weight);
    context.fillStyle = resolvedColor(color);
    context.fillText(text, chain ? x + SWATCH : x, y);
  }
}

function paintSwatch(context: CanvasRenderingContext2D, chain: ChainName, x: number, y: number): void {
  const { color, dash } = lineStyleOf(chain);
  context.strokeStyle = resolvedColor(color);
  context.setLineDash([...dash]);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 30, y);
  context.stroke();
}
