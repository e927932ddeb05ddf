import type { Stage } from './config.ts';
import { dev } from './stages/dev.ts';
import { prod } from './stages/prod.ts';

/** The stages that can be deployed, by the name that `-c stage=` takes. Each is a stack of its own. */
export const stages: Readonly<Record<string, Stage>> = { dev, prod };
