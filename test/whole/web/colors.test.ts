import { readFileSync } from 'node:fs';
import { type ChainName, chainNames, chainOf, defaultChainNames } from '#core/chains/chains.ts';

/*
 * The colors of the chains, in their rows: contrast by WCAG 2.2, and distances as people with color blindness see them. Only the default
 * chains must be told apart by color: there is no color left for a tenth chain, and charts name each line at its end.
 */

type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number];

/** The light and the dark background. */
const background = (
  /--card: light-dark\((#\w{6}), (#\w{6})\)/.exec(readFileSync('web/page.css', 'utf8')) ?? []
)
  .slice(1)
  .map(rgbOf);
const colorsOf = (chain: ChainName): readonly [Rgb, Rgb] => {
  const { light, dark } = chainOf(chain).color;
  return [rgbOf(light), rgbOf(dark)];
};

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const dot = (row: Rgb, [a, b, c]: Rgb) => row[0] * a + row[1] * b + row[2] * c;
const toLinear = ([r, g, b]: Rgb): Rgb => [linear(r), linear(g), linear(b)];

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: Rgb, b: Rgb): number {
  const luminance = (color: Rgb) => dot([0.2126, 0.7152, 0.0722], toLinear(color));
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

/** Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB. */
const sights: Readonly<Record<string, readonly [Rgb, Rgb, Rgb]>> = {
  'full color vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Converts a color, as seen with some sight, to CIE L*a*b* (D65). */
function labOf(color: Rgb, sight: readonly [Rgb, Rgb, Rgb]): Rgb {
  const [r, g, b] = sight.map((row) => Math.max(0, Math.min(1, dot(row, toLinear(color)))));
  const seen: Rgb = [r ?? 0, g ?? 0, b ?? 0];
  const f = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116);
  const x = f(dot([0.4124564, 0.3575761, 0.1804375], seen) / 0.95047);
  const y = f(dot([0.2126729, 0.7151522, 0.072175], seen));
  const z = f(dot([0.0193339, 0.119192, 0.9503041], seen) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s theme', (_, theme) => {
  test.each(chainNames)('the color of %s has a contrast of 3 or more with the background', (chain) => {
    expect(contrast(colorsOf(chain)[theme], background[theme] as Rgb)).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.keys(sights))(
    'no two colors of default chains are closer than 25 (CIE76) with %s',
    (sight) => {
      const colors = defaultChainNames.map((chain) =>
        labOf(
          colorsOf(chain)[theme],
          sights[sight] ?? [
            [0, 0, 0],
            [0, 0, 0],
            [0, 0, 0],
          ],
        ),
      );
      const close = colors.flatMap((color, index) =>
        colors.slice(index + 1).flatMap((other, after) => {
          const apart = distance(color, other);
          return apart < 25
            ? [`${defaultChainNames[index]} and ${defaultChainNames[index + 1 + after]}: ${apart.toFixed(1)}`]
            : [];
        }),
      );
      expect(close).toEqual([]);
    },
  );
});

test.each(['light', 'dark'] as const)('no two chains have the same color on a %s page', (page) => {
  const colors = chainNames.map((chain) => chainOf(chain).color[page]);
  expect(colors.filter((color, index) => colors.indexOf(color) !== index)).toEqual([]);
});
