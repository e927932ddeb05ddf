import { chainOf } from '../../core/chains/chains.ts';
import { Grid } from '../chart/chart.tsx';
import { useWidth } from '../chart/charts.tsx';
import { geometryOf } from '../chart/geometry.ts';
import { colorOf } from '../model/labels.ts';
import { startOf } from '../model/periods.ts';
import { type RecordedFees, recordedBlocks } from './recorded-blocks.ts';

const HEIGHT = 260;
const { blockExplorer } = chainOf('ETHEREUM');

const dates = recordedBlocks.map(({ date }) => date);
const points = recordedBlocks.map(({ fees }) => Number(fees));
const line = { chain: 'ETHEREUM', cells: [], points } as const;
const yearOf = (date = '') => date.slice(0, 4);
const sources = [...new Set(recordedBlocks.map(({ source }) => source))];

const textOf = ({ transactions, fees }: RecordedFees) =>
  `${transactions.toLocaleString('en')} ${transactions === 1 ? 'transaction' : 'transactions'}, ${fees} ETH`;

/** Charts the fees of recorded blocks for visitors of a service that opens no days. Nothing in it is a figure of the service. */
export function RecordedChart() {
  const [frame, width] = useWidth();
  const size = { width, height: HEIGHT };
  const { x, y, ...geometry } = geometryOf(dates, [line], size, {
    interval: 'day',
    isLog: true,
    mode: 'lines',
  });
  return (
    <section class="card about" aria-labelledby="recorded-title">
      <h2 id="recorded-title">What senders paid in {recordedBlocks.length} blocks of Ethereum</h2>
      <p class="note">
        Each dot is a block of the real chain, from {yearOf(dates[0])} to {yearOf(dates.at(-1))}. It is not a
        figure of this service: those are of days, and need a key. The scale is logarithmic.
      </p>
      <figure ref={frame} translate={false}>
        <figcaption>ETH per block</figcaption>
        <svg {...size} fill="var(--muted)" font-size="12" style={colorOf('ETHEREUM')} aria-hidden="true">
          <Grid geometry={{ x, y, ...geometry }} />
          {recordedBlocks.map((block, index) => (
            <circle
              key={block.number}
              class="dot"
              cx={x(startOf(block.date))}
              cy={y(points[index] ?? 0)}
              r={5}
            />
          ))}
        </svg>
      </figure>
      <p class="note">
        The fees follow from the bytes of each block, as in the proof below. The blocks are from the public
        test data of{' '}
        {sources.map((source, index) => (
          <span key={source}>
            {index > 0 && ', '}
            <a href={`https://github.com/${source}`} rel="noreferrer" target="_blank">
              {source}
            </a>
          </span>
        ))}
        .
      </p>
      <details class="event-list">
        <summary translate={false}>{recordedBlocks.length} blocks</summary>
        <ul translate={false}>
          {recordedBlocks.map((block) => (
            <li key={block.number}>
              <time>{block.date}</time>{' '}
              <a href={`${blockExplorer}/block/${block.number}`} rel="noreferrer" target="_blank">
                block {block.number.toLocaleString('en')}
              </a>
              : {textOf(block)}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
