import { deepEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Trial } from './prepare.ts';
import { npm, runProcess } from './run-process.ts';
import { updatedSettings } from './stage-settings.ts';

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
    const synth = ['synth', '--quiet', '--no-path-metadata', '--no-asset-metadata', '--output', 'out'];
    await runProcess(place, [process.execPath, cdk, ...synth, '--app', `"${process.execPath}" app.mjs`]);
    await runProcess(inProject, [process.execPath, cdk, ...synth, '-c', `stage=${trial.options.stage}`]);
    const templateIn = (where: string) =>
      JSON.parse(readFileSync(join(where, 'out', `${stackName}.template.json`), 'utf8'));
    deepEqual(templateIn(folder), templateIn(project.folder));
  });
}

/** Returns the packages that the stack needs beside it, at the versions of this project. */
function peers(): string[] {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return ['aws-cdk-lib', 'constructs'].map((name) => `${name}@${devDependencies[name]}`);
}
