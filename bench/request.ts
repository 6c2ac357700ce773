/**
 * Measures the HTTP layer: `GET /api/v1/me` with a real API key, including its rate limit and its
 * look-up in PostgreSQL.
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
