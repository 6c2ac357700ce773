/**
 * A proxy to PostgreSQL that can go silent: it then neither forwards data nor closes a connection,
 * old or new. After `speakAgain`, new connections work. Connections from before stay silent, as if
 * a router had dropped them.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly url: string;
  goSilent(): void;
  speakAgain(): void;
  /** Silences the connections that are open now. Connections opened later work. */
  silenceOpen(): void;
  stop(): Promise<void>;
}

/** `databaseUrl` is called for each connection, because the address may change. */
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
      // When the client closes a silent connection, its connection to the database stays open, as
      // after a network failure.
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
