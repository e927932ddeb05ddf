import { deepEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm, runProcess } from '../run-process.ts';
import { updatedSettings } from '../stage-settings.ts';
import type { Trial } from './prepare.ts';

/** Packs the stack, installs it into an empty project, and compares its template with that of the deployed stage. */
export async function tryStagePackage(trial: Trial): Promise<void> {
  const { report, project, placeOf, settings, bsc, stackName } = trial;
  const place = placeOf('package');
  const { folder } = place;
  const inProject = { ...place, folder: project.folder };
  await report.step('packs the stack and installs it into an empty project', async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await runProcess({ ...place, folder: resolve('.') }, [
      process.execPath,
      'bin/package.ts',
      join(folder, 'dist'),
    ]);
    const packed = await runProcess(place, npm('pack', './dist/package'));
    const archive = `./${packed.stdout.trim().split('\n').at(-1)}`;
    await runProcess(place, npm('init', '-y'));
    await runProcess(place, npm('install', '--no-audit', '--no-fund', archive, ...peers()));
  });
  await report.check('three lines synthesize the template that is deployed', async () => {
    const stage = JSON.stringify(updatedSettings(settings, bsc.name));
    const lines = [
      "import { App } from 'aws-cdk-lib';",
      "import { ChainInsightsStack } from 'chain-insights';",
      `new ChainInsightsStack(new App(), '${stackName}', ${stage});`,
    ];
    writeFileSync(join(folder, 'app.mjs'), lines.join('\n'));
    const cdk = resolve('node_modules/aws-cdk/bin/cdk');
    const options = ['--no-path-metadata', '--no-asset-metadata', '--no-version-reporting'];
    const synth = ['synth', '--quiet', ...options, '--output', 'out'];
    await runProcess(place, [process.execPath, cdk, ...synth, '--app', `"${process.execPath}" app.mjs`]);
    await runProcess(inProject, [process.execPath, cdk, ...synth, '-c', `stage=${trial.options.stage}`]);
    const templateIn = (where: string) => withoutPages(join(where, 'out', `${stackName}.template.json`));
    deepEqual(templateIn(folder), templateIn(project.folder));
  });
}

/** Reads a template without the code of the pages: esbuild names their script after the paths of packages, which the copy links. */
const withoutPages = (file: string): unknown =>
  JSON.parse(readFileSync(file, 'utf8'), (_, value) =>
    value?.Environment?.Variables?.SITE_FOLDER ? { ...value, Code: 'the pages' } : value,
  );

/** Returns the packages that the stack needs beside it, at the versions of this project. */
function peers(): string[] {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return ['aws-cdk-lib', 'constructs'].map((name) => `${name}@${devDependencies[name]}`);
}
