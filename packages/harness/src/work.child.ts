/**
 * A worker in a child process for tests. Its only argument is its configuration. It prints a line
 * once it accepts work. SIGTERM stops it.
 */
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import type { ModelProvider } from '../../server/src/outside/model/model-provider.ts';
import { openDatabase } from '../../server/src/platform/database/database.ts';
import { createVault } from '../../server/src/platform/vault/vault.ts';
import { startTestWorker } from './test-worker.ts';

export interface ChildWorker {
  readonly serviceUrl: string;
  /** Hexadecimal secret key of the test database. */
  readonly secretKey: string;
  readonly providers: readonly ModelProvider[];
  readonly trialsAtOnce: number;
  readonly callsPerServer: number;
}

const asked = JSON.parse(process.argv[2] ?? '') as ChildWorker;
const { serviceUrl, trialsAtOnce, callsPerServer, providers } = asked;
const vault = createVault(Buffer.from(asked.secretKey, 'hex'));
const database = openDatabase({ url: serviceUrl, vault, as: 'service' });
const egress = { allowLoopback: true, allowedPrivateHosts: [] };
const models = createModelGateway({ egress, providers });
const worker = await startTestWorker({ database, serviceUrl }, models, {
  trialsAtOnce,
  callsPerServer,
});
console.log('{}');
process.once('SIGTERM', async () => {
  await worker.stop();
  await models.close();
  await database.close();
});
