import { HELP, type Options, readOptions, readTarget, type Target } from './options.ts';
import { openReport, StoppedError } from './report.ts';
import { cleanUp } from './steps/clean-up.ts';
import { prepareTrial } from './steps/prepare.ts';
import { runTrial } from './trial.ts';

/* npm run test:deployed: deploys a throwaway stage, tries it, and destroys it. The exit code is 0 when nothing failed. */

const EXIT = { usage: 2, interrupted: 130 } as const;

function readInput(): { readonly options: Options; readonly target: Target } {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options.help) return { options, target: readTarget(options, process.env) };
    console.log(HELP);
    process.exit();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(EXIT.usage);
  }
}

const { options, target } = readInput();
// AWS's JavaScript SDK does not read AWS_DEFAULT_REGION.
process.env.AWS_REGION = target.region;
process.once('SIGINT', () => {
  console.error(
    `\nStopped. Remove the stage with npm run test:deployed -- --stage ${options.stage} --clean.`,
  );
  process.exit(EXIT.interrupted);
});

const report = openReport(console.log);
const place = target.endpoint ?? `account ${options.account}`;
report.section(`Trial of the stage ${options.stage} in ${place}, ${target.region}`);
try {
  const trial = await report.step('copies the project and generates two chains', async () =>
    prepareTrial(options, target, report),
  );
  await (options.clean ? cleanUp(trial) : runTrial(trial));
} catch (error) {
  if (!(error instanceof StoppedError)) throw error;
}
// The nodes still listen.
process.exit(report.end());
