import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { FrontendReader } from './frontend-reader.ts';

/** Counts by the name of the prepared statement, or by the text of one that has no name. */
type StatementCounts = ReadonlyMap<string, number>;

export type StatementCounter = Readonly<{
  /** The same database, reached through the counter. */
  through(url: string): string;
  /** Takes what was counted since the last call. */
  take(): StatementCounts;
  close(): Promise<void>;
}>;

/** Stands between a service and PostgreSQL, passes every byte on, and counts the statements that are executed. */
export async function startStatementCounter(postgresUrl: string): Promise<StatementCounter> {
  const { hostname, port } = new URL(postgresUrl);
  const sockets = new Set<Socket>();
  let counts = new Map<string, number>();
  const count = (statement: string) => counts.set(statement, (counts.get(statement) ?? 0) + 1);

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const reader = new FrontendReader(count);
    client.on('data', (bytes) => reader.read(bytes));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    through(url) {
      const counted = new URL(url);
      counted.port = String(address.port);
      return counted.href;
    },
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
