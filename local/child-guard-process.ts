/*
 * Told PIDs, a line each, on its standard input, whose end is the end of the parent: then it kills them and leaves.
 */

// Ctrl-C reaches the whole group; the guard leaves last.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

let pids = '';
for await (const chunk of process.stdin) pids += chunk;

for (const pid of pids.split('\n').filter(Boolean)) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
