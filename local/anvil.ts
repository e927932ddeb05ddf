import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';

/** What anvil is given beyond what every chain needs: the chain ID, the time of genesis (seconds), its family's switches. */
export interface AnvilOptions {
  readonly chainId: number;
  readonly genesisTime: number;
  readonly switches?: readonly string[];
}

/**
 * Starts an anvil, a development node of the Foundry project.
 * @param guard is told of the process as soon as it is there
 * @returns the URL that it answers at
 * @throws Error in one sentence when there is no anvil for this machine or it does not start
 */
export async function startAnvil(
  { chainId, genesisTime, switches = [] }: AnvilOptions,
  guard: (child: ChildProcess) => void,
): Promise<string> {
  const child = spawn(
    anvilBinary(),
    [
      ...['--port', '0', '--chain-id', String(chainId), '--timestamp', String(genesisTime)],
      // Blocks come when they are asked for, with transactions in the order they were sent, and are finalized after two more.
      ...['--no-mining', '--order', 'fifo', '--slots-in-an-epoch', '1'],
      // The blocks of months, which are given to it at once, have more than 2 MB.
      '--no-request-size-limit',
      ...switches,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  guard(child);
  return listeningAddress(child);
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (!address) return;
      resolve(`http://${address}`);
      // It goes on to log each request, which nobody reads.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => reject(new Error(`anvil could not be started: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code}: ${output.trim()}`)));
  });
}

/** The binary itself: the package's own command would put one more process between it and this one. */
function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `The development node anvil is missing (${name}): run npm ci again, without leaving out optional packages.`,
    );
  }
}
