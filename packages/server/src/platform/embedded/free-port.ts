import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range of ports to choose from. It is below the ports that systems assign automatically: while
 * the database is down, the system could give such a port to any outgoing connection, and the
 * database could not start again.
 */
const range = [20_000, 32_000] as const;

export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(...range);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port on 127.0.0.1 from ${range[0]} to ${range[1]}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
