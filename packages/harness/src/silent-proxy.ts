/**
 * A way to PostgreSQL that can be made to go silent: it then neither answers nor closes, on the connections that are
 * open and on new ones. Once it speaks again, only new connections get through; the old ones stay silent for good, as
 * when a router has forgotten them.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** The address of the database by way of the proxy. */
  readonly url: string;
  goSilent(): void;
  speakAgain(): void;
  /** Silences the connections that are open now, and lets new ones through. */
  silenceOpen(): void;
  stop(): Promise<void>;
}

/** The database may be elsewhere each time a connection is opened. */
export async function startSilentProxy(databaseUrl: () => string): Promise<SilentProxy> {
  const open = new Set<Socket>();
  const silenced = new Set<Socket>();
  const fars = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => undefined);
    near.on('close', () => open.delete(near));
    if (isSilent) {
      silenced.add(near);
      near.resume();
      return;
    }
    const target = new URL(databaseUrl());
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    near.on('data', (bytes) => {
      if (!silenced.has(near)) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!silenced.has(near)) near.write(bytes);
    });
    fars.add(far);
    near.on('close', () => {
      // Nobody on the other side hears that a silent connection has ended.
      if (!silenced.has(near)) far.destroy();
    });
    far.on('close', () => {
      fars.delete(far);
      if (!silenced.has(near)) near.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const silenceOpen = () => {
    for (const socket of open) silenced.add(socket);
  };
  return {
    url: url.href,
    silenceOpen,
    goSilent() {
      isSilent = true;
      silenceOpen();
    },
    speakAgain() {
      isSilent = false;
    },
    async stop() {
      for (const socket of [...open, ...fars]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
