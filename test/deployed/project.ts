import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Stage } from '#lib/config.ts';
import { npm, type Place, runProcess } from './run-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the project with a stage of its own, as an operator has it. */
export interface Project {
  readonly folder: string;
  /** Writes the stage's file and lists it, as docs/operate/settings.md says. */
  readonly writeStage: (stage: Stage) => void;
  readonly cdk: (...words: readonly string[]) => Promise<string>;
  /** Runs `npx --no chain-insights` and returns its result. @param codes expected exit codes */
  readonly commands: (words: readonly string[], codes?: readonly number[]) => Promise<string>;
}

/** Everything that CDK and the commands read. */
const PARTS = ['bin', 'cli', 'clients', 'core', 'docs', 'lambda', 'lib', 'local', 'openapi', 'web'].concat([
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]);

/** Copies this project, and links its packages. */
export function copyProject(place: Place, stageName: string): Project {
  emptyFolder(place.folder);
  for (const part of PARTS) cpSync(join(ROOT, part), join(place.folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(place.folder, 'node_modules'), 'junction');
  return projectIn(place, stageName);
}

/** Checks out another version of this project, and installs its packages. */
export async function checkOutProject(place: Place, stageName: string, ref: string): Promise<Project> {
  emptyFolder(place.folder);
  const archive = join(place.folder, 'project.tar');
  const git = { ...place, folder: ROOT };
  await runProcess(git, ['git', 'archive', '--format=tar', `--output=${archive}`, ref]);
  await runProcess(place, ['tar', '-xf', archive]);
  await runProcess(place, npm('ci', '--no-progress'));
  return projectIn(place, stageName);
}

function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const packageSchema = z.object({ bin: z.object({ 'chain-insights': z.string() }) });

function projectIn(place: Place, stageName: string): Project {
  const { folder } = place;
  const { bin } = packageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const node = (words: readonly string[], codes?: readonly number[]) =>
    runProcess(place, [process.execPath, ...words], codes);
  return {
    folder,
    writeStage: (stage) => writeStage(folder, stageName, stage),
    cdk: async (...words) => (await node(['node_modules/aws-cdk/bin/cdk', ...words])).stdout,
    commands: async (words, codes) =>
      (await node([bin['chain-insights'], ...words, '--stage', stageName], codes)).stdout,
  };
}

function writeStage(folder: string, name: string, stage: Stage): void {
  const file = join(folder, 'lib/stages', `${name}.ts`);
  const isNew = !existsSync(file);
  writeFileSync(
    file,
    `import type { Stage } from '../config.ts';\n\nexport const stage: Stage = ${JSON.stringify(stage, null, 2)};\n`,
  );
  if (!isNew) return;
  const list = join(folder, 'lib/stages/stages.ts');
  const text = readFileSync(list, 'utf8').replace(/\{ dev, prod/, `{ dev, prod, '${name}': stage`);
  writeFileSync(list, `import { stage } from './${name}.ts';\n${text}`);
}
