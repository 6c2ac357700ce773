/**
 * A pool of connections that is replaced as soon as it loses one.
 *
 * When a connection is cut while bytes wait to be written, the driver keeps those bytes and the mark that
 * they are about to be sent; nothing is ever sent on that connection again, and whoever is given it waits
 * in vain. There is no way to mend it from outside. So a pool that lost a connection takes no new work: its
 * other connections finish what they have, what only waits in it fails, and a fresh pool serves everybody
 * who comes from now on.
 */
import type postgres from 'postgres';

type Client = postgres.Sql;

export interface RenewingClient {
  readonly current: Client;
  end(): Promise<void>;
}

/** Ended in the very moment of the loss, the driver would leave a connection behind that it is just opening. */
const pauseMs = 250;

export function renewingClient(
  open: (lost: () => void) => Client,
  finishWithinSeconds: number,
): RenewingClient {
  const retired = new Set<Promise<void>>();
  let ended = false;
  let current = start();

  function start(): Client {
    const client: Client = open(() => {
      if (ended || client !== current) return;
      current = start();
      const end = retire(client).finally(() => retired.delete(end));
      retired.add(end);
    });
    return client;
  }

  async function retire(client: Client): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await client.end({ timeout: finishWithinSeconds });
  }

  return {
    get current() {
      return current;
    },
    async end() {
      ended = true;
      await Promise.all([current.end({ timeout: 5 }), ...retired]);
    },
  };
}
