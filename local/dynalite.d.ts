/** Types of the part of dynalite that this project uses; the package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** Folder of a LevelDB store. Without it, tables are kept in memory. */
    path?: string;
    createTableMs?: number;
  }

  export default function dynalite(options?: Options): Server;
}
