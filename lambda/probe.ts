import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import { createParameterStore } from '../core/rpc/endpoints-parameter.ts';
import { createS3Client } from '../core/s3-client.ts';
import { fromEnvironment, offeredChains } from './environment.ts';
import { probeApi } from './probe/call-api.ts';
import { type ExportedDays, readExportedDays } from './probe/exported-days.ts';

const parameters = createParameterStore();
const s3 = createS3Client();

/** Calls the API like a client. @throws Error when a response is wrong, which the function's metric counts and an alarm reports */
export async function handler(): Promise<{ readonly outcome: 'ok'; readonly chains: readonly string[] }> {
  const [url, key, chains] = [fromEnvironment('apiUrl'), await readKey(), offeredChains()];
  const exported = await readExport();
  const problems = await probeApi({ url, key, chains, exported });
  if (problems.length > 0) {
    console.error({ url, outcome: 'failed', problems });
    throw new Error(
      `The probe of ${url} failed. ${problems.join('. ')}. See docs/operate/runbook.md#probe-failing.`,
    );
  }
  console.info({ url, chains, export: exported?.exportedOn, outcome: 'ok' });
  return { outcome: 'ok', chains };
}

/** Logs that the bucket cannot be read. The API works without it, so that pages nobody. */
const readExport = (): Promise<ExportedDays | undefined> =>
  readExportedDays(s3, fromEnvironment('exportBucket'), new Date()).catch((error: unknown) => {
    console.error({ outcome: 'not compared with an export', error });
    return undefined;
  });

/** @throws Error when no key is issued, or it cannot be read */
async function readKey(): Promise<string> {
  try {
    const { Parameter } = await parameters.send(
      new GetParameterCommand({ Name: fromEnvironment('probeKeyParameter'), WithDecryption: true }),
    );
    return Parameter?.Value ?? '';
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
    throw new Error('The probe has no key. Issue one: npx --no chain-insights keys probe --stage <stage>.');
  }
}
