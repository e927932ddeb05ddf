import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { endServer, LOOPBACK, listen } from './listen.ts';

/**
 * Starts anvil, the development node of the Foundry project, and returns its URL.
 * @param options `genesisTime` in seconds since 1970
 * @param guard receives the process as soon as it exists
 * @throws Error with a message for the user when anvil does not support this machine or does not start
 */
export async function startAnvil(
  options: { readonly chainId: number; readonly genesisTime: number; readonly switches?: readonly string[] },
  guard: (child: ChildProcess) => void,
): Promise<string> {
  const { chainId, genesisTime, switches = [] } = options;
  const child = spawn(
    anvilBinary(),
    [
      // Without CORS headers, a web page may send no JSON over HTTP. Anvil still opens a WebSocket for every page.
      ...['--host', await unguessableLoopback(), '--port', '0', '--no-cors'],
      ...['--chain-id', String(chainId), '--timestamp', String(genesisTime)],
      // Mines only on request, in the order of sending. Finalizes a block after two more.
      ...['--no-mining', '--order', 'fifo', '--slots-in-an-epoch', '1'],
      // Loading the blocks of months takes one request above the default limit of 2 MB.
      '--no-request-size-limit',
      ...switches,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  guard(child);
  return listeningAddress(child);
}

/**
 * Returns a random loopback address, because anvil checks neither `Origin` nor `Host`: a web page that knows its address controls it. A
 * page can try all ports of one address, but not those of 16 million. macOS has a single loopback address.
 */
async function unguessableLoopback(): Promise<string> {
  const host = `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const server = createServer();
  try {
    await listen(server, { host, port: 0 });
    await endServer(server);
    return host;
  } catch {
    return LOOPBACK;
  }
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (!address) return;
      resolve(`http://${address}`);
      // Discards the log of requests that follows.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => reject(new Error(`anvil could not be started: ${error.message}.`)));
    child.once('exit', (code) => reject(new Error(`anvil exited with code ${code}: ${output.trim()}`)));
  });
}

/** Returns the binary, because the package's command would start it in a second process. */
function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `The development node anvil is missing: ${name} is not installed. Run npm ci with optional packages.`,
    );
  }
}
