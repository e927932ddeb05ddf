import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import type { Entry } from './bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Bundles of the package that bin/package.ts writes. The repository has none. */
const PACKAGED = join(ROOT, 'bundles');

/**
 * Returns the bundle of a function: that of the package, or one that a process of its own builds, because the package must load
 * neither esbuild nor the sources of the pages. Its hash is that of its content, so both have the same.
 */
export function codeOf(entry: Entry): AssetCode {
  if (existsSync(PACKAGED)) return Code.fromAsset(join(PACKAGED, entry));
  const tryBundle = (folder: string) => {
    execFileSync(process.execPath, [join(ROOT, 'bin/bundle.ts'), entry, folder], { stdio: 'inherit' });
    return true;
  };
  // CDK requires an image, and never runs it. The command tells the functions apart in CDK's cache of assets.
  const bundling = { image: DockerImage.fromRegistry('none'), command: [entry], local: { tryBundle } };
  return Code.fromAsset(ROOT, { assetHashType: AssetHashType.OUTPUT, bundling });
}
