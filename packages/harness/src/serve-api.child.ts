/** Runs the HTTP API in a child process, so that tests can stop it. It prints its port. */

import { createLog } from '../../server/src/main/log.ts';
import { createServiceListener } from '../../server/src/main/service-listener.ts';
import { createMcpGateway } from '../../server/src/outside/mcp/create-mcp-gateway.ts';
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import { openDatabase } from '../../server/src/platform/database/database.ts';
import { listen } from '../../server/src/platform/http/listen.ts';
import { createVault } from '../../server/src/platform/vault/vault.ts';
import { testEgress, testHttpOptions } from './test-http-options.ts';

const [url = '', key = ''] = process.argv.slice(2);
const vault = createVault(Buffer.from(key, 'hex'));
const parts = {
  database: openDatabase({ url, vault, as: 'service' }),
  log: createLog('info', { write: (line) => void process.stderr.write(line) }),
  mcp: createMcpGateway({ egress: testEgress, client: { name: 'proofmark-test', version: '1' } }),
  models: createModelGateway({ egress: testEgress }),
};
const listener = createServiceListener(testHttpOptions(parts));
const { port } = await listen(listener, { host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port }));
