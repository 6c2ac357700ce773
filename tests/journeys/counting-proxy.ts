import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  readonly asked: string[];
  stop(): Promise<void>;
}

export async function openCountingProxy(
  serviceUrl: string,
  /** Returns whether the last request is passed on. Otherwise it never gets an answer. */
  passesOn: (asked: readonly string[]) => boolean = () => true,
): Promise<CountingProxy> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (!passesOn(asked)) return;
    const { method, headers } = incoming;
    const passed = request(
      new URL(incoming.url ?? '/', serviceUrl),
      { method, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
