import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Preamble } from './connection-fault.ts';
import { link } from './link-sockets.ts';

const PREAMBLE_BYTES_MAX = 1_000;
const NEWLINE = 10;

export type FaultProxy = Readonly<{ port: number; close(): Promise<void> }>;

/**
 * A proxy between clients and a server that applies the fault named in the first line of each connection.
 * That line is not passed on. `targetPort` is called for every connection, because a restarted server has a new port.
 */
export async function startFaultProxy(
  deps: Readonly<{ targetPort: () => number | undefined }>,
): Promise<FaultProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    readPreamble(client, (preamble, rest) => {
      const upstream = connectTo(deps.targetPort());
      if (upstream === undefined) {
        client.destroy();
        return;
      }
      open.add(upstream);
      upstream.once('close', () => open.delete(upstream));
      link({ client, upstream, rest, preamble });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function connectTo(port: number | undefined): Socket | undefined {
  return port === undefined ? undefined : connect({ port, host: '127.0.0.1', noDelay: true });
}

function readPreamble(client: Socket, then: (preamble: Preamble, rest: Buffer) => void): void {
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(NEWLINE);
    if (end === -1) {
      if (received.length > PREAMBLE_BYTES_MAX) client.destroy();
      return;
    }
    client.off('data', onData);
    client.pause();
    // Only our own clients connect here.
    const preamble = JSON.parse(received.subarray(0, end).toString()) as Preamble;
    then(preamble, received.subarray(end + 1));
  };
  client.on('data', onData);
}
