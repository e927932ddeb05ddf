/** The part of dynalite that is used here; it comes without types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** Folder of a LevelDB store; in memory when absent. */
    path?: string;
    createTableMs?: number;
  }

  export default function dynalite(options?: Options): Server;
}
