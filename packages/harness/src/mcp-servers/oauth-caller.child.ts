/**
 * A child process for tests of OAuth grants. It requests the current token of a server many times
 * concurrently and prints the results. On request it kills itself after the response of the token
 * endpoint and before the new tokens are saved.
 */
import { grantTokens } from '../../../server/src/features/servers/operations/grant-tokens.ts';
import { createGuardedFetch } from '../../../server/src/outside/egress/guarded-fetch.ts';
import { openDatabase } from '../../../server/src/platform/database/database.ts';
import { createVault } from '../../../server/src/platform/vault/vault.ts';

const [url = '', key = '', server = '{}', count = '1', fate = 'live'] = process.argv.slice(2);
const vault = createVault(Buffer.from(key, 'hex'));
const database = openDatabase({ url, vault, as: 'service', maxConnections: 5 });
const guarded = createGuardedFetch({ allowLoopback: true, allowedPrivateHosts: [] });
const dying: typeof fetch = async (...request) => {
  const response = await guarded(...request);
  await response.text();
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};
const mcp = { fetch: fate === 'die' ? dying : guarded };
const tokens = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const access = await grantTokens({ database, mcp, leaseMs: 3_000 }, JSON.parse(server));
    return access?.current();
  }),
);
console.log(JSON.stringify({ tokens }));
await database.close();
