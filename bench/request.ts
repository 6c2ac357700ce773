/**
 * Measures the HTTP layer with `GET /api/v1/me`. A request checks the rate limit and looks the API
 * key up in PostgreSQL.
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
