import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { types } from 'node:util';

/** Address that only this machine can reach. */
export const LOOPBACK = '127.0.0.1';

/** Returns true for an IPv4 address that only this machine can reach. */
export const isLoopback = (host: string): boolean => host.startsWith('127.');

/** All addresses of this machine. */
export const ANY_ADDRESS = '0.0.0.0';

/** Address at which a server listens. */
export interface Address {
  /** An address of this machine, by default one that only this machine can reach. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
}

/** Closes a server and its connections. */
export async function endServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/**
 * Starts to listen.
 * @param prefix of the variables HOST and PORT that configure the address, for error messages
 * @returns the port
 * @throws Error with a message for the user when the port is in use, or the address does not belong to this machine
 */
export async function listen(
  server: Server,
  { host = LOOPBACK, port }: Address,
  prefix = '',
): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    switch (types.isNativeError(error) && 'code' in error && error.code) {
      case 'EADDRINUSE':
        throw new Error(
          `Port ${port} is in use by another process. Stop it, or set ${prefix}PORT to another port.`,
        );
      case 'EADDRNOTAVAIL':
        throw new Error(`${host} is not an address of this machine. Set ${prefix}HOST to one that is.`);
      default:
        throw error;
    }
  }
  return (server.address() as AddressInfo).port;
}
