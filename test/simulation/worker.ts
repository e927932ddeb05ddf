import { parentPort } from 'node:worker_threads';
import { type Survived, simulate } from './simulate.ts';
import { type Watched, watch } from './watch.ts';
import type { Scenario } from './world.ts';

/* Simulates one chain after the other for main.ts, each in rough times and in calm ones. */

/** The result of a scenario, or the command that reproduces its failure. */
export type Simulated =
  | {
      readonly kind: 'survived';
      readonly scenario: Scenario;
      readonly rough: Survived;
      readonly calm: Watched;
    }
  | { readonly kind: 'failed'; readonly problem: string };

async function work(scenario: Scenario): Promise<Simulated> {
  try {
    const [rough, calm] = [await simulate(scenario), await watch(scenario)];
    return { kind: 'survived', scenario, rough, calm };
  } catch (error) {
    return { kind: 'failed', problem: error instanceof Error ? error.message : `${error}` };
  }
}

parentPort?.on('message', async (scenario: Scenario) => parentPort?.postMessage(await work(scenario)));
