/**
 * A pool of connections for the queue. When its connections are cut, the library gives one of them back twice, which
 * would end the whole process; here the second time changes nothing. A cut connection is no news either: whoever used it
 * hears of it from the question that failed.
 */
import pg from 'pg';

type Given = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

export class ReconnectingPool extends pg.Pool {
  constructor(url: string) {
    super({ connectionString: url, connectionTimeoutMillis: 10_000 });
    this.on('error', () => undefined);
    this.on('connect', (client) => void client.on('error', () => undefined));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(given: Given): void;
  override connect(given?: Given): Promise<pg.PoolClient> | undefined {
    const taken = super.connect().then(releasedOnce);
    if (given === undefined) return taken;
    taken.then(
      (client) => given(undefined, client, client.release),
      (error: Error) => given(error, undefined, () => undefined),
    );
    return undefined;
  }
}

function releasedOnce(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (error) => {
    if (isReleased) return;
    isReleased = true;
    release(error);
  };
  return client;
}
