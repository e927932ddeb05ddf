/*
 * Reads PIDs from stdin, one per line, until stdin ends, which means that the parent ended. Then kills them.
 */

// Ctrl-C signals the whole process group, but the guard must exit last.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

let pids = '';
for await (const chunk of process.stdin) pids += chunk;

for (const pid of pids.split('\n').filter(Boolean)) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
