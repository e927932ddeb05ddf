import type { Stage } from '../config.ts';
import { dev } from './dev.ts';
import { prod } from './prod.ts';

/** Stages by the name that `-c stage=` selects. Each is a stack of its own. */
export const stages: Readonly<Record<string, Stage>> = { dev, prod };
