import type { Charts } from './charts.ts';
import { resolvedColor } from './dom.ts';
import type { Line } from './drawings.ts';
import { lineStyleOf } from './line-styles.ts';
import { rowsOf } from './rows.ts';
import { nameOf } from './words.ts';

/** In CSS pixels. */
const MARGIN = 24;
const ROW = 24;
const SWATCH = 38;

/** A part of the picture, which goes from side to side. */
interface Block {
  readonly height: number;
  readonly paint: (top: number) => void;
}

/** The charts as they are seen, with a title, units, names and notes, as a PNG. */
export async function pictureOf(title: string, notes: string, { units }: Charts): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures.');
  const width = Math.max(...units.map(({ plot }) => plot.width));
  const blocks = [
    text(context, title, width, '--ink', 700),
    ...units.flatMap((unit) => [legend(context, unit, width), plot(context, unit)]),
    text(context, notes, width, '--muted', 400),
  ];
  const height = blocks.reduce((sum, block) => sum + block.height, 0);
  prepare(context, width + 2 * MARGIN, height + 2 * MARGIN);
  let top = MARGIN;
  for (const block of blocks) {
    block.paint(top);
    top += block.height;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))));
  });
}

/** Gives the picture its size, with which a canvas forgets all else, and its ground. */
function prepare(context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = window.devicePixelRatio;
  Object.assign(context.canvas, { width: width * ratio, height: height * ratio });
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  context.fillStyle = resolvedColor('var(--card)');
  context.fillRect(0, 0, width, height);
}

function text(
  context: CanvasRenderingContext2D,
  words: string,
  width: number,
  color: string,
  weight: number,
): Block {
  const widthOf = (row: readonly string[]) => measure(context, row.join(' '), weight);
  const rows = rowsOf(words.split(' '), widthOf, width);
  const paint = (top: number) =>
    rows.forEach((row, index) => {
      write(context, row.join(' '), MARGIN, top + (index + 0.5) * ROW, color, weight);
    });
  return { height: (rows.length + 0.5) * ROW, paint };
}

/** The unit of a chart, and a piece of each line with its name. */
function legend(
  context: CanvasRenderingContext2D,
  { unit, drawing }: Charts['units'][number],
  width: number,
): Block {
  const widthOf = ({ chain }: Line) => SWATCH + measure(context, nameOf(chain), 400) + MARGIN;
  const rowWidth = (row: readonly Line[]) => row.reduce((sum, line) => sum + widthOf(line), 0);
  const rows = rowsOf(drawing.lines, rowWidth, width);
  const paint = (top: number) => {
    write(context, `${unit} a day`, MARGIN, top + ROW / 2, '--ink', 600);
    rows.forEach((row, index) => {
      const y = top + (index + 1.5) * ROW;
      let x = MARGIN;
      for (const line of row) {
        paintSwatch(context, line, x, y);
        write(context, nameOf(line.chain), x + SWATCH, y, '--ink', 400);
        x += widthOf(line);
      }
    });
  };
  return { height: (rows.length + 1) * ROW, paint };
}

const plot = (context: CanvasRenderingContext2D, { plot }: Charts['units'][number]): Block => ({
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

const fontOf = (weight: number): string => `${weight} 15px system-ui, sans-serif`;

function measure(context: CanvasRenderingContext2D, words: string, weight: number): number {
  context.font = fontOf(weight);
  return context.measureText(words).width;
}

function write(
  context: CanvasRenderingContext2D,
  words: string,
  x: number,
  y: number,
  color: string,
  weight: number,
): void {
  context.font = fontOf(weight);
  context.fillStyle = resolvedColor(`var(${color})`);
  context.fillText(words, x, y);
}
