import { logsCalls } from './access-log.ts';
import { environment, fromEnvironment, offeredChains } from './environment.ts';
import { pageResponse, requestedPath } from './pages/page-response.ts';
import { PUBLIC_DAYS_PATH, PUBLIC_FILES_PATH } from './pages/paths.ts';
import { publicDaysReader } from './pages/public-days.ts';
import { publicFileReader } from './pages/public-files.ts';
import { readSite } from './pages/site.ts';

// Each is not set unless the stage has it.
const bucket = process.env[environment.publicDaysBucket];
const embedOrigins = process.env[environment.embedOrigins] ?? '';
const site = readSite(fromEnvironment('siteFolder'), {
  'key-url': process.env[environment.keyUrl] ?? '',
  chains: offeredChains().join(),
  'public-days': bucket ? 'yes' : '',
  embed: embedOrigins && 'yes',
});
const readPublicDays = bucket ? publicDaysReader(bucket) : undefined;
const filesBucket = process.env[environment.publicFilesBucket];
const readPublicFile = filesBucket ? publicFileReader(filesBucket) : undefined;

/** Serves the explorer, the API reference, their assets, and the days that the stage opens to everyone. */
export const handler = logsCalls(async (event) => {
  const path = requestedPath(event);
  const open =
    event.resource === PUBLIC_DAYS_PATH
      ? await readPublicDays?.()
      : event.resource === PUBLIC_FILES_PATH && (await readPublicFile?.(path));
  return pageResponse(open ? new Map([[path, open]]) : site, event, embedOrigins);
});
