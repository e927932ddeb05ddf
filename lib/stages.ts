import type { Stage } from './config.ts';
import { dev } from './stages/dev.ts';
import { prod } from './stages/prod.ts';

/** Stages by the name that `-c stage=` selects. Each is a stack of its own. */
export const stages: Readonly<Record<string, Stage>> = { dev, prod };
