import type { Line } from './chart-data.ts';
import type { Charts } from './charts.ts';
import { resolvedColor } from './dom.ts';
import { chainLabel } from './labels.ts';
import { lineStyleOf } from './line-styles.ts';
import { wrapItems } from './wrap.ts';

/** In CSS pixels. */
const MARGIN = 24;
const ROW = 24;
const SWATCH = 38;

/** A part of the image over its full width. */
interface Block {
  readonly height: number;
  readonly paint: (top: number) => void;
}

interface TextStyle {
  readonly color: string;
  readonly weight: number;
}

const titleStyle: TextStyle = { color: '--ink', weight: 700 };
const headingStyle: TextStyle = { color: '--ink', weight: 600 };
const legendStyle: TextStyle = { color: '--ink', weight: 400 };
const noteStyle: TextStyle = { color: '--muted', weight: 400 };

/** Renders the visible part of all charts, with a title, units, legends and notes, as a PNG. */
export async function renderImage(title: string, notes: string, { units }: Charts): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Cannot create the image: this browser provides no canvas.');
  const width = Math.max(...units.map(({ plot }) => plot.width));
  const blocks = [
    textBlock(context, title, width, titleStyle),
    ...units.flatMap((unit) => [legendBlock(context, unit, width), plotBlock(context, unit)]),
    textBlock(context, notes, width, noteStyle),
  ];
  const height = blocks.reduce((sum, block) => sum + block.height, 0);
  resize(context, width + 2 * MARGIN, height + 2 * MARGIN);
  let top = MARGIN;
  for (const block of blocks) {
    block.paint(top);
    top += block.height;
  }
  return new Promise((resolve, reject) => {
    const failure = new Error('Cannot create the image: encoding it as PNG failed.');
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(failure)));
  });
}

/** Sets the size, which resets all other state of a canvas, and paints the background. */
function resize(context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = window.devicePixelRatio;
  Object.assign(context.canvas, { width: width * ratio, height: height * ratio });
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  context.fillStyle = resolvedColor('var(--card)');
  context.fillRect(0, 0, width, height);
}

function textBlock(context: CanvasRenderingContext2D, text: string, width: number, style: TextStyle): Block {
  const widthOf = (row: readonly string[]) => measure(context, row.join(' '), style);
  const rows = wrapItems(text.split(' '), widthOf, width);
  const paint = (top: number) =>
    rows.forEach((row, index) => {
      write(context, row.join(' '), MARGIN, top + (index + 0.5) * ROW, style);
    });
  return { height: (rows.length + 0.5) * ROW, paint };
}

type Unit = Charts['units'][number];

/** Returns a block with the unit of a chart, and a swatch and name for each line. */
function legendBlock(context: CanvasRenderingContext2D, { unit, data }: Unit, width: number): Block {
  const widthOf = ({ chain }: Line) => SWATCH + measure(context, chainLabel(chain), legendStyle) + MARGIN;
  const rowWidth = (row: readonly Line[]) => row.reduce((sum, line) => sum + widthOf(line), 0);
  const rows = wrapItems(data.lines, rowWidth, width);
  const paint = (top: number) => {
    write(context, `${unit} per day`, MARGIN, top + ROW / 2, headingStyle);
    rows.forEach((row, index) => {
      const y = top + (index + 1.5) * ROW;
      let x = MARGIN;
      for (const line of row) {
        paintSwatch(context, line, x, y);
        write(context, chainLabel(line.chain), x + SWATCH, y, legendStyle);
        x += widthOf(line);
      }
    });
  };
  return { height: (rows.length + 1) * ROW, paint };
}

const plotBlock = (context: CanvasRenderingContext2D, { plot }: Unit): Block => ({
  height: plot.height + MARGIN,
  paint: (top) => context.drawImage(plot.ctx.canvas, MARGIN, top, plot.width, plot.height),
});

function paintSwatch(context: CanvasRenderingContext2D, { chain }: Line, x: number, y: number): void {
  const { color, dash } = lineStyleOf(chain);
  context.strokeStyle = resolvedColor(color);
  context.lineWidth = 3;
  context.setLineDash([...dash]);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 30, y);
  context.stroke();
}

const fontOf = ({ weight }: TextStyle): string => `${weight} 15px system-ui, sans-serif`;

function measure(context: CanvasRenderingContext2D, text: string, style: TextStyle): number {
  context.font = fontOf(style);
  return context.measureText(text).width;
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
): void {
  context.font = fontOf(style);
  context.fillStyle = resolvedColor(`var(${style.color})`);
  context.fillText(text, x, y);
}
