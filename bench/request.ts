/**
 * The cost of the HTTP layer: `GET /api/v1/me` with a real key, its token bucket and its look-up in
 * PostgreSQL.
 */
import { besideBareServer, describe } from './beside-bare-server.ts';
import { startService } from './processes.ts';

const service = await startService();
try {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  console.log(
    describe('GET /api/v1/me', await besideBareServer(service.url, '/api/v1/me', headers)),
  );
} finally {
  await service.stop();
}
