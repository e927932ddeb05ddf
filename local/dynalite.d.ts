/** Types of the part of dynalite that this project uses; the package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** @param options `path` is the folder of a LevelDB store; without it, tables are kept in memory */
  export default function dynalite(options?: { path?: string; createTableMs?: number }): Server;
}
