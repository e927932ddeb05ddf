import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Command } from 'commander';
import { chainInsights } from '../../clients/typescript/src/index.ts';
import { readAnnouncements } from '../../local/announcement.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { chooseAnnouncement } from '../local-service.ts';
import { mcpServer } from '../mcp-server.ts';
import { withExamples } from '../options.ts';
import { printNote } from '../print.ts';

/** The key of the service on this machine, unless API_KEY says otherwise. */
const LOCAL_KEY = 'local-key';

export const mcpCommand = (): Command =>
  withExamples(
    new Command('mcp')
      .description(
        'Serves the API to AI assistants over the Model Context Protocol, on stdin and stdout. The key is read from CHAIN_INSIGHTS_KEY.',
      )
      .option(
        '--url <url>',
        'base URL of the API (default: CHAIN_INSIGHTS_URL, or the service on this machine)',
      )
      .action(serve),
    'mcp',
    'mcp --url https://….execute-api.eu-central-1.amazonaws.com/v1',
  );

async function serve({ url = process.env.CHAIN_INSIGHTS_URL }: { readonly url?: string }): Promise<void> {
  const connection = url ? { url: validUrl(url), key: keyFromEnvironment() } : localConnection();
  await mcpServer(chainInsights(connection)).connect(new StdioServerTransport());
  // stdout carries the protocol.
  printNote(`Serving ${connection.url} over MCP on stdin and stdout. End it with Ctrl+C.`);
}

function localConnection() {
  const { url } = chooseAnnouncement(readAnnouncements(), process.env.PORT);
  return { url, key: process.env.CHAIN_INSIGHTS_KEY ?? process.env.API_KEY ?? LOCAL_KEY };
}

function validUrl(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new CommandError(
    '--url is not an http or https URL. Expected one such as https://api.example/v1.',
    exitCodes.usage,
  );
}

function keyFromEnvironment(): string {
  const key = process.env.CHAIN_INSIGHTS_KEY;
  if (key) return key;
  throw new CommandError(
    'CHAIN_INSIGHTS_KEY is not set. Set it to the key that you were issued.',
    exitCodes.usage,
  );
}
