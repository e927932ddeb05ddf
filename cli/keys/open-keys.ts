import type { CommonOptions } from '../options.ts';
import { openDeployedKeys } from './deployed-keys.ts';
import type { Keys } from './keys.ts';
import { openLocalKeys } from './local-keys.ts';

/** @throws CommandError when there is no such service, or it cannot be reached */
export const openKeys = ({ stage }: CommonOptions): Promise<Keys> =>
  stage === undefined ? openLocalKeys() : openDeployedKeys(stage);
