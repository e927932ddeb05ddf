import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

/* npm start: the whole service on this machine. */

await launch(fileURLToPath(import.meta.url), () => import('../local/main.ts'));
