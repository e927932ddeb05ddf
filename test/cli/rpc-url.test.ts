import { exitCodes } from '../../cli/exit-codes.ts';
import { checkedUrls } from '../../cli/rpc-url.ts';

test('what is no URL is not repeated in the error, for it may hold a secret', () => {
  const urls = ['https://node.example/my-secret-key', 'ftp://node.example/my-secret-key'];
  expect(() => checkedUrls(urls)).toThrow(
    expect.objectContaining({
      message: '--rpc-url: number 2 of 2 is no http or https URL, such as https://node.example/key.',
      exitCode: exitCodes.usage,
    }),
  );
});
