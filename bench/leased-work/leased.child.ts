/**
 * A worker of Proofmark's leased work: claims and renews leases, and completes each job in a
 * transaction of its tenant.
 */
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import { startWork } from '../../packages/server/src/platform/work/start-work.ts';
import { completeWork } from '../../packages/server/src/platform/work/store/leased-work.ts';

const [url = '', jobs] = process.argv.slice(2);
const database = openDatabase({
  url,
  vault: createVault(Buffer.alloc(32)),
  as: 'service',
  kind: 'work',
});
const print = (fields: object, message: string) => console.error(message, fields);
startWork({
  database,
  url,
  log: { warn: print, error: print },
  kinds: {
    bench: {
      atOnce: 8,
      async run(work) {
        if (jobs === 'hang') await new Promise(() => undefined);
        await database.tenant([work.organizationId], (sql) => completeWork(sql, work));
        return 'completed';
      },
    },
  },
});
console.log('{}');
