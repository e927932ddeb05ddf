import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate objects in the young generation only. It moves an allocation site to the old one when most objects of one
 * minor collection survived, as they do while blocks are in flight. One wrong guess early in a process keeps whole blocks
 * alive: ten major collections instead of two for 900 blocks, and a third more CPU time.
 */
export const disablePretenuring = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
