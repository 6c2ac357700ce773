/**
 * A child process for tests that locks a data directory and starts its database, as the service
 * does. It prints the address of the database. If requested, it inserts rows and prints the number
 * of each row after the database has acknowledged the insert. SIGTERM stops it cleanly.
 */
import pg from 'pg';
import { lockDataDirectory } from '../../server/src/platform/embedded/data-directory-lock.ts';
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts';
import type { PostgresBinaries } from '../../server/src/platform/embedded/postgres-binaries.ts';

const [dataDir = '', settings = '{}', rows = 'rows', binaries = '{}'] = process.argv.slice(2);
let stopping = false;
process.once('SIGTERM', () => {
  stopping = true;
});
try {
  const lock = lockDataDirectory(dataDir);
  const database = await startEmbeddedPostgres({
    dataDir,
    settings: JSON.parse(settings) as Record<string, string>,
    sync: false,
    ...(JSON.parse(binaries) as { binaries?: PostgresBinaries }),
    notify: (sentence) => console.error(sentence),
  });
  lock.describe({ url: 'http://127.0.0.1:3300' });
  const { url, attached, dataDir: cluster } = database;
  console.log(JSON.stringify({ url, attached, cluster, uid: process.getuid?.() }));
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('create table if not exists kept (id bigint generated always as identity)');
  while (!stopping) {
    if (rows === 'rows') {
      const added = await client.query('insert into kept default values returning id');
      console.log(String(added.rows[0].id));
    } else {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  await client.end();
  await database.stop();
  lock.release();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 3;
}
