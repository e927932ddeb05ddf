import { spawn } from 'node:child_process';
import module from 'node:module';

/* Entry points are JavaScript, so that an older Node can load them, and hand over to the Node 24 that npm ci installs. */

const OLDEST_MAJOR = 24;

/** Runs `main` in this process, or runs the whole script on the bundled Node when this one is too old. */
export async function launch(script, importMain) {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) return rerun(script);
  // Halves the start-up time of a command, from its second run on.
  module.enableCompileCache();
  const { main } = await importMain();
  await main();
}

function rerun(script) {
  const child = spawn(bundledNode(), [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to both processes, and a second SIGINT would end a command that is finishing its work.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  child.once('error', ({ message }) => {
    console.error(
      `The bundled Node ${OLDEST_MAJOR} did not start (${message}). It needs glibc, which Alpine Linux lacks. Run this with Node ${OLDEST_MAJOR} or newer of your system, such as that of the image node:${OLDEST_MAJOR}-alpine.`,
    );
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Resolves the Node of this platform, which package.json pins and the lock file holds with its hash. */
function bundledNode() {
  const [system, file] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  try {
    return module.createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/bin/${file}`);
  } catch {
    console.error(
      `Node ${OLDEST_MAJOR} is required, and this is ${process.versions.node}. Run npm ci, which installs it on Linux and Windows, or install it yourself.`,
    );
    process.exit(1);
  }
}
