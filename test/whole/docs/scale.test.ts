import { readFileSync } from 'node:fs';

/* The measured figures of docs/operate/scale.md and docs/history.md are those of bench/results.md, or follow from them. */

const page = readFileSync('docs/operate/scale.md', 'utf8');
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const linesOf = (file: string): readonly (readonly string[])[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
const results = linesOf('bench/results.md');
const rowsOfPage = linesOf('docs/operate/scale.md');

const numberIn = (text = ''): number => Number(/[\d,]*\.?\d+/.exec(text)?.[0]?.replaceAll(',', ''));
const count = (value: number): string => Math.round(value).toLocaleString('en');

/** Returns a measurement of bench/results.md, by the beginning of its name. */
function resultOf(name: string) {
  const [what = '', ours = '', baseline = '', ratio = ''] =
    results.find(([measurement]) => measurement?.startsWith(name)) ?? [];
  const milliseconds = (text: string) => numberIn(text.slice(text.indexOf('(')));
  return {
    transactions: numberIn(/blocks of (\d+)/.exec(what)?.[1]),
    speed: numberIn(ours),
    milliseconds: milliseconds(ours),
    baseline: { speed: numberIn(baseline), milliseconds: milliseconds(baseline) },
    ratio: numberIn(ratio),
  };
}

const chains = ['Ethereum', 'Optimism', 'Polygon', 'BSC', 'Arbitrum', 'Base'].map((name) => ({
  name,
  ...resultOf(`${name.toUpperCase()}: `),
}));

test.each(chains)('$name is read at the speed that the benchmark measured', ({ name, ...measured }) => {
  const row = rowsOfPage.find(([chain, , transactions]) => chain === name && transactions) ?? [];
  const dayTakes = `${count(numberIn(row[1]) / measured.speed)} s`;
  const { transactions, speed, ratio } = measured;
  expect(row.slice(2)).toEqual([count(transactions), count(speed), count(ratio), dayTakes]);
});

test('the answers follow from the measured speeds', () => {
  const slowest = Math.floor(Math.min(...chains.map(({ ratio }) => ratio)));
  const { speed = 0 } = chains.find(({ name }) => name === 'Base') ?? {};
  // The formula of the page, with 432,000 blocks a day and five days at once.
  const daysOfYear = (rate: number) => {
    const seconds = 432_000 / rate;
    return (73 * (5 + seconds + Math.ceil(seconds / 285))) / 86_400;
  };
  const [fast, slow] = [daysOfYear(speed).toFixed(1), daysOfYear(25).toFixed(0)];
  expect(page).toContain(`every chain at least ${slowest} times as fast as it grows`);
  expect(page).toContain(`${fast} days with 5 days at once at ${speed} blocks a second; ${slow} days at 25 `);
  const { speed: requests } = resultOf('Requests per second for the whole history');
  expect(page).toContain(`${count(requests)} before its partition throttles`);
});

test('a request reads as many units as the benchmark counted', () => {
  const [, cold = ''] = results.find(([what]) => what === 'Queries of a cold function, 30 days') ?? [];
  // One unit is that of the coverage.
  expect(page).toContain(`${numberIn(cold.slice(cold.indexOf('('))) - 1} for 30 days`);
  const warm = results.filter(([what]) => what?.startsWith('Read units per second of a warm function'));
  expect(page).toContain(`at most ${Math.max(...warm.map(([, units]) => numberIn(units)))} a second`);
});

test('era files are proven at the speed that the benchmark measured', () => {
  const [era1, ere] = [resultOf('era1 file'), resultOf('ere file')];
  const { milliseconds, speed } = era1.baseline;
  const rowOf = (source: string) => rowsOfPage.find(([name]) => name === source)?.slice(1);
  expect(rowOf('JSON-RPC')).toEqual([`${milliseconds.toFixed(2)} ms`, count(speed), '1']);
  for (const [source, { milliseconds, speed, ratio }] of Object.entries({
    'era1 file': era1,
    'ere file': ere,
  })) {
    expect(rowOf(source)).toEqual([
      `${milliseconds.toFixed(2)} ms`,
      count(speed),
      `${ratio.toFixed(1)} times`,
    ]);
  }
});

test('files of nodes are proven at the speeds that the benchmark measured', () => {
  const speeds = results.flatMap(([what, ours]) => (what?.startsWith('freezer of') ? [numberIn(ours)] : []));
  const range = `${Math.min(...speeds)} to ${Math.max(...speeds)} blocks of 157 transactions a second`;
  expect(readFileSync('docs/history.md', 'utf8')).toContain(range);
});

test('the time and cost of all of Ethereum follow from the speed of ere files', () => {
  const { milliseconds } = resultOf('ere file');
  const hours = (3.4e9 * milliseconds) / 157 / 3_600_000;
  const { speed: minutes } = resultOf('All of Ethereum');
  const { speed: dollars } = resultOf('Lambda for all of Ethereum');
  expect(page).toContain(
    `3.4 billion × ${milliseconds.toFixed(2)} ms / 157   = ${hours.toFixed(1)} core-hours`,
  );
  expect(page).toContain(`= ${(4 * hours).toFixed(1)} function hours, $${dollars.toFixed(2)}\n`);
  expect(page).toContain(`${(4 * hours).toFixed(1)} h / 100                  = ${minutes} minutes`);
  expect(readFileSync('docs/history.md', 'utf8')).toContain(
    `${hours.toFixed(0)} core-hours on our test machine`,
  );
});
