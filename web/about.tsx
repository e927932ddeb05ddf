import { chainNames } from '../core/chains/chains.ts';
import { figures } from './figures.ts';
import { chainLabel } from './labels.ts';

/** Address to ask for a key, as the operator set it; empty where none is set. */
const keyUrl = document.querySelector<HTMLMetaElement>('meta[name=key-url]')?.content ?? '';

const names = chainNames.map(chainLabel);
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Tells a visitor without a key what this is, and how to get one. */
export const About = () => (
  <section class="card about" aria-labelledby="about-title">
    <h2 id="about-title">Exact daily figures of {names.length} chains</h2>
    <p>
      How many transactions did {list.format(names)} carry each UTC day, and what did people pay in fees? This
      service answers with every digit.
    </p>
    <h3>What “proven” means</h3>
    <p>
      A node may be wrong or lie. So each day is recomputed from the bytes of its blocks, and only bytes that
      lead to the final block count:
    </p>
    <ol>
      <li>the header of each block has the hash that the next block names as its parent;</li>
      <li>transactions and receipts hash to the two roots in that header;</li>
      <li>each price follows from them and from the rules of the chain;</li>
      <li>the sum of all fees is the figure, in whole wei, and nothing is estimated.</li>
    </ol>
    <p>
      A day that cannot be proven is marked as checked. A day that is not final has no figure, and never 0.
    </p>
    <h3>What you can chart</h3>
    <p>{Object.values(figures).join(', ')}: by hour, day, week, month, quarter or year.</p>
    <h3>Get a key</h3>
    <p>
      {keyUrl ? <a href={keyUrl}>Ask for a key</a> : 'Ask the operator of this service for a key.'} The{' '}
      <a href="docs">API reference</a> is open to everyone.
    </p>
  </section>
);
