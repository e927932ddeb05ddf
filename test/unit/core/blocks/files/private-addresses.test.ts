import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import {
  connectorTo,
  connectPrivate,
  connectPublic,
  isPrivate,
  isPrivateHost,
} from '#core/blocks/files/private-addresses.ts';
import { serve } from '#test/support/servers/serve.ts';

test.each([
  ...['127.0.0.1', '127.9.9.9', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
  ...['0.0.0.0', '100.64.0.1', '::1', '::', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'febf::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe'],
])('%s is private', (address) => {
  expect(isPrivate(address)).toBe(true);
});

test.each([
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '169.253.1.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => {
  expect(isPrivate(address)).toBe(false);
});

test('a name is as private as its addresses, and an unknown name is not', async () => {
  expect(await isPrivateHost('localhost')).toBe(true);
  expect(await isPrivateHost('127.0.0.1')).toBe(true);
  expect(await isPrivateHost('no-such-host.invalid')).toBe(false);
});

test.each([
  [
    'a public address, after a private network led to it',
    connectPrivate,
    '8.8.8.8',
    /now has an address elsewhere/,
  ],
  ['the metadata of a cloud', connectPublic, '169.254.169.254', /must not redirect/],
  ['an address of benchmarks', connectPublic, '198.19.0.1', /must not redirect/],
  ['an address of protocols', connectPublic, '192.0.0.192', /must not redirect/],
  ['6to4, which may lead to any address', connectPublic, '[2002:a00:1::1]', /must not redirect/],
  ['NAT64 of a private address', connectPublic, '[64:ff9b::a00:1]', /must not redirect/],
])('refuses to connect to %s', async (_, connect, hostname, message) => {
  const options = { hostname, port: '9', protocol: 'http:', host: hostname };
  const error = await new Promise((resolve) => connect(options, (...[refusal]) => resolve(refusal)));
  expect(String(error)).toMatch(message);
});

test('connects to the allowed addresses of a name that has others too', async () => {
  await using server = await serve(createServer());
  const resolve = ((_: string, __: object, callback: (...given: unknown[]) => void) =>
    callback(null, [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ])) as typeof lookup;
  const connect = connectorTo((address) => address === '127.0.0.1', 'is refused', resolve);
  const { hostname, port } = new URL(server.url.replace('127.0.0.1', 'localhost'));
  const socket = await new Promise<Socket>((done, fail) =>
    connect({ hostname, port, protocol: 'http:', host: hostname }, (error, made) =>
      error ? fail(error) : done(made),
    ),
  );
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});
