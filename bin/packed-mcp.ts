import { Command } from 'commander';
import { serve, urlOption } from '../cli/commands/mcp.ts';
import { CommandError } from '../cli/exit-codes.ts';
import { printNote } from '../cli/print.ts';
import { SOFTWARE_VERSION } from '../core/software-version.ts';

/* chain-insights-mcp, the MCP server as a package of its own: for those who hold a key and no clone. */

try {
  await new Command('chain-insights-mcp')
    .description('Serves a Chain Insights API to AI assistants. The key is read from CHAIN_INSIGHTS_KEY.')
    .version(SOFTWARE_VERSION)
    .addOption(urlOption())
    .action(serve)
    .parseAsync();
} catch (error) {
  printNote(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}
