import { Option } from 'commander';
import { CommandError, exitCodes } from './exit-codes.ts';

/**
 * Nodes given on the command line. They are checked by the command (`checkedUrls`) and not as they are parsed, since an
 * error of the parser repeats what it was given, and a URL may hold a secret.
 */
export const rpcUrlOption = (description: string): Option => new Option('--rpc-url <url...>', description);

/** @throws CommandError that tells which one is none, without repeating it */
export function checkedUrls(urls: readonly string[]): readonly string[] {
  for (const [index, url] of urls.entries()) {
    const protocol = URL.parse(url)?.protocol;
    if (protocol === 'https:' || protocol === 'http:') continue;
    throw new CommandError(
      `--rpc-url: number ${index + 1} of ${urls.length} is no http or https URL, such as https://node.example/key.`,
      exitCodes.usage,
    );
  }
  return urls;
}
