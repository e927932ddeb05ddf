import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import { type Connection, connect, fetchJson } from '../../clients/typescript/src/fetch-json.ts';
import { intervals } from '../../core/figures/calendar.ts';
import { blockEvidences } from '../../core/figures/day-figures.ts';
import { printable, printableJson } from '../../core/printable.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import { readAnnouncements } from '../../local/announcement.ts';
import { DEFAULT_KEY } from '../../local/settings.ts';
import { usageError } from '../exit-codes.ts';
import { createCommand } from '../options.ts';
import { printNote } from '../print.ts';
import { chooseAnnouncement } from '../service.ts';

export const urlOption = (): Option =>
  new Option(
    '--url <url>',
    'base URL of the API (default: CHAIN_INSIGHTS_URL, or the service on this machine)',
  );

export const mcpCommand = (): Command =>
  createCommand(
    'mcp',
    'Serves the API to AI assistants over the Model Context Protocol, on stdin and stdout. The key is read from CHAIN_INSIGHTS_KEY.',
    ['mcp', 'mcp --url https://….execute-api.eu-central-1.amazonaws.com/v1'],
  )
    .addOption(urlOption())
    .action(serve);

export async function serve({ url = process.env.CHAIN_INSIGHTS_URL }: { url?: string }): Promise<void> {
  const connection = connectionTo(url, process.env.CHAIN_INSIGHTS_KEY);
  await mcpServer(connect(connection)).connect(new StdioServerTransport());
  // stdout carries the protocol.
  printNote(`Serving ${connection.url} over MCP on stdin and stdout. Ctrl-C stops it.`);
}

/** @param url undefined for the service on this machine */
function connectionTo(url: string | undefined, key: string | undefined) {
  if (!url) {
    const local = chooseAnnouncement(readAnnouncements(), process.env.PORT);
    return { url: local.url, key: key ?? process.env.API_KEY ?? DEFAULT_KEY };
  }
  const { protocol = '', username, password } = URL.parse(url) ?? {};
  if (!/^https?:$/.test(protocol) || username || password)
    throw usageError(
      'The URL of the API, from --url or CHAIN_INSIGHTS_URL, is not an http or https URL without a user name and a password. Expected one such as https://api.example/v1.',
    );
  if (key) return { url, key };
  throw usageError('CHAIN_INSIGHTS_KEY is not set. Set it to the key that you were issued.');
}

const DAY = 'UTC; YYYY-MM-DD, `yesterday`, or a number of days before today, such as `30-days-ago`';

const chain = z
  .union([z.string(), z.array(z.string())])
  .describe('the name of a chain as `list_chains` gives it, in any case; or a list of names, each once');

const range = {
  chain,
  start_date: z.string().describe(`first day, included; ${DAY}`),
  end_date: z.string().describe(`last day, included; ${DAY}`),
};
const period = z
  .enum(intervals)
  .default('day')
  .describe('length of the period that each row sums up; a row of a period has the date of its first day');
const hourOrPeriod = z
  .enum(['hour', ...intervals])
  .default('day')
  .describe(
    `${period.description}. \`hour\`: 24 rows a day, dated such as 2026-11-21T13 (UTC), for at most 92 days`,
  );

const evidence = z
  .enum(blockEvidences)
  .optional()
  .describe(
    'leaves out days with weaker evidence, which then count as missing; `checked` keeps proven days too',
  );

const ROWS =
  'Rows are ascending, of each final day or complete period. `days_missing` counts the days of the range that have no figure ' +
  'although they are over, `days_archived`, where rows have no `evidence`, those that come from an audited archive and are not proven, `days_not_over` those that are not over yet: a sum over the rows leaves them out, so mention them. ' +
  'With several chains, each row begins with its `chain`, the counts of days are of all chains together, and `data_through` and `currency`, which `list_chains` has, are absent.';
const FEES =
  "Fees are exact decimals of the chain's coin (`currency`), in strings with up to 18 fractional digits: everything that senders " +
  'paid for inclusion and execution, burned base fees included. Do not add them as floating-point numbers when digits matter.';

const CHAINS =
  'Lists the chains of the service: coin, chain ID, first day, first and last final day, missing days, waiting days (all their ' +
  'blocks are read, and they become final once the day after them is), days by evidence (`proven`: recomputed from data that ' +
  'hashes to the finalized block; `checked`: consistency checks only; `archived`: from an audited archive), and the seconds that the ingest is behind the finalized ' +
  'block. Call it first to learn which days have figures.';
const TRANSACTION_COUNTS =
  'Returns the number of transactions on a chain per UTC day or period, failed transactions and those of the protocol included.';
const DAYS =
  'Returns everything that is known about each UTC day or period of a chain: user and protocol transactions, the four parts of the ' +
  'fees, the fees in US dollars (`fees_usd`, at prices that a feed recorded on the chain), base and priority fees, gas, failed transactions, blobs, the bounds of the median, p10 and p90 fee of a transaction, first ' +
  `and last block with their hashes, evidence, finality, revision and restatements. A figure that is absent is not known, and not 0. ${FEES} \`evidence\` is \`proven\` when ` +
  'every block was recomputed from data that hashes to the finalized block, `checked` when consistency checks had to do, and `archived` ' +
  'when the day is a row of an archive: `archive.audit.statement` says what was compared, and `archive.void_since` that a proof contradicted the file. ' +
  '`finality` says why the block to which a day links is final: the chain proves it, or these hosts reported it.';

const DISTRIBUTION =
  'Returns how many transactions of a chain paid how much, per UTC day or period: a row for each bucket of fees, at least `from` and less ' +
  'than `to`, in coins (`currency`). Counts of the same bucket may be added. A day has hundreds of rows: request few days, or a period.';

const TODAY =
  'Returns the figures of the running day (UTC) so far: from midnight through the last final block that is counted (`through`), which is ' +
  '`seconds_behind` the newest final one. Say until when they count, and do not compare them with those of a complete day; `hours` has those that are ' +
  'over, and `last_24_hours` sums the last 24 of them. With `finality` of the kind `reported`, nothing proves that the blocks are final, and the ' +
  'figures may fall; where the chain proves it, they only grow, except after an update of the service with other rules. Fees are exact decimals of the ' +
  'coin that `list_chains` names, in strings. There are no dollars, because the prices of a day are known only after it. Without `through`, no ' +
  'block of the day is final yet, which does not mean 0. Returns an object for one chain, and a list for several.';

/** Creates an MCP server whose tools read the API. https://modelcontextprotocol.io/specification */
function mcpServer(connection: Connection): McpServer {
  const server = new McpServer({ name: 'chain-insights', version: SOFTWARE_VERSION });
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool('list_chains', { annotations, description: CHAINS }, () =>
    answer(async () => {
      const { body, headers } = await fetchJson(connection, 'chains');
      return { ...sampleNote(headers), chains: body };
    }),
  );
  const addSeries = (
    name: string,
    text: string,
    path: string,
    interval: typeof period | typeof hourOrPeriod = hourOrPeriod,
  ) => {
    const inputSchema = { ...range, interval, evidence };
    server.registerTool(
      name,
      { annotations, description: `${text} ${ROWS}`, inputSchema },
      ({ evidence: least, ...given }) =>
        answer(async () => {
          const query = new URLSearchParams({
            ...given,
            chain: String(given.chain),
            ...(least && { evidence: least }),
          });
          const { body, headers } = await fetchJson(connection, `${path}?${query}`);
          const archived = headers.get('X-Days-Archived');
          return {
            ...sampleNote(headers),
            rows: body,
            days_missing: Number(headers.get('X-Days-Missing')),
            days_archived: archived === null ? undefined : Number(archived),
            days_not_over: Number(headers.get('X-Days-Not-Over')),
            data_through: headers.get('X-Data-Through') ?? undefined,
            currency: headers.get('X-Fees-Currency') ?? undefined,
          };
        }),
    );
  };
  addSeries('get_transaction_counts', TRANSACTION_COUNTS, 'transaction_count');
  addSeries('get_fees', `Returns the fees paid on a chain per UTC day or period. ${FEES}`, 'fees');
  addSeries('get_days', DAYS, 'days');
  addSeries('get_distribution', DISTRIBUTION, 'distribution', period);
  server.registerTool('get_today', { annotations, description: TODAY, inputSchema: { chain } }, ({ chain }) =>
    answer(async () => {
      const query = new URLSearchParams({ chain: String(chain) });
      const { body, headers } = await fetchJson(connection, `today?${query}`);
      const note = sampleNote(headers);
      return note.sample_data ? { ...note, today: body } : (body as object);
    }),
  );
  return server;
}

/** Tells the model not to report the figures of a development chain as those of the real one. */
const sampleNote = (headers: Headers): { readonly sample_data?: string } =>
  headers.has('X-Sample-Data')
    ? {
        sample_data:
          'Figures of the chains that list_chains marks with `sample` are invented, for trying out the service. They are not those of the real chains.',
      }
    : {};

/** Returns a tool's result, or the error of the API for the model to read. */
async function answer(read: () => Promise<object>) {
  const text = (value: string) => [{ type: 'text' as const, text: value }];
  try {
    return { content: text(printableJson(JSON.stringify(await read()))) };
  } catch (error) {
    if (!(error instanceof ChainInsightsError)) throw error;
    return { content: text(error.message.split('\n').map(printable).join('\n')), isError: true };
  }
}
