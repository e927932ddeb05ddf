import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLORS = 256;
/** Half of a palette are the most frequent colors; the rest stands for colors that have the upper bits in common. */
const SHADES = COLORS / 2;
const [ALL_BITS, UPPER_BITS] = [0xffffff, 0xf0f0f0];

/** Encodes a screenshot with a palette, which takes a third of the bytes. */
export async function smallPng(page: Page, png: Buffer): Promise<Buffer> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const pixels = await pixelsOf(page, png);
  const colors = Array.from({ length: width * height }, (_, index) => pixels.readUInt32BE(index * 4) >>> 8);
  const shades = groupsOf(colors, ALL_BITS).map(([color = 0]) => color);
  const hues = groupsOf(colors, UPPER_BITS).map((alike) => groupsOf(alike, ALL_BITS)[0]?.[0] ?? 0);
  const palette = [...new Set([...shades.slice(0, SHADES), ...hues])].slice(0, COLORS);
  const places = new Map(shades.map((color) => [color, nearest(palette, color)]));
  const rows = Buffer.alloc(height * (width + 1));
  // A row begins with its filter, which is none.
  for (const [index, color] of colors.entries())
    rows[index + Math.floor(index / width) + 1] = places.get(color) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, from a palette.
  header.set([8, 3], 8);
  const parts = palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(parts)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Groups colors that have some bits in common, the largest group first. */
const groupsOf = (colors: readonly number[], bits: number): readonly (readonly number[])[] =>
  [...Map.groupBy(colors, (color) => color & bits).values()].toSorted((a, b) => b.length - a.length);

/** Decodes a PNG in the browser, to red, green, blue and opacity of each pixel. */
async function pixelsOf(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const reader = new FileReader();
    reader.readAsDataURL(new Blob([context.getImageData(0, 0, width, height).data]));
    return new Promise((resolve) => { reader.onload = () => resolve(reader.result); });
  })()`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** Returns the index of the color that is nearest to another. */
function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((one) =>
    [16, 8, 0].reduce((sum, bits) => sum + (((one >> bits) & 255) - ((color >> bits) & 255)) ** 2, 0),
  );
  return distances.indexOf(distances.reduce((a, b) => Math.min(a, b)));
}

function chunk(type: string, data: Buffer): Buffer {
  const [start, end] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  start.writeUInt32BE(data.length);
  end.writeUInt32BE(crc32(body));
  return Buffer.concat([start, body, end]);
}
