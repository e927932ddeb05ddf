#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

/* npx --no chain-insights: the operator's commands. */

await launch(fileURLToPath(import.meta.url), () => import('../cli/main.ts'));
