import { createServer } from 'node:net';

/** The given loopback port when nobody listens on it, else another free one. */
export async function freePort(preferred?: number): Promise<number> {
  return (preferred === undefined ? undefined : await tryPort(preferred)) ?? (await anyPort());
}

async function anyPort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error('There is no free port on 127.0.0.1.');
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(got));
    });
  });
}
