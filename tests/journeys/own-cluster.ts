/** A PostgreSQL beside the commands under test, as an operator would bring it, with fresh databases in it. */
import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { startEmbeddedPostgres } from '../../packages/server/src/storage/embedded/embedded-postgres.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

export interface OwnCluster {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export async function startOwnCluster(): Promise<OwnCluster> {
  const directory = temporaryDirectory(0o755);
  const cluster = await startEmbeddedPostgres({
    dataDir: `${directory.path}/cluster`,
    sync: false,
    settings: { fsync: 'off', max_connections: '200' },
  });
  const client = postgres(cluster.url, { max: 1 });
  return {
    async createDatabase() {
      const name = `journey_${randomBytes(5).toString('hex')}`;
      await client.unsafe(`create database ${name}`);
      const url = new URL(cluster.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      await client.end();
      await cluster.stop();
      directory.remove();
    },
  };
}
