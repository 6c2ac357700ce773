/** A PostgreSQL beside the commands under test, as an operator would bring it, with fresh databases in it. */
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { quickFolder } from '@proofmark/harness/quick-folder.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { connect } from '../../packages/server/src/storage/database/connect.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/storage/embedded/embedded-postgres.ts';
import { postgresProcessesOn } from '../../packages/server/src/storage/embedded/process-facts.ts';

export interface OwnCluster {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Kills all its processes with no chance to clean up. It is started again by itself. */
  kill(): void;
  stop(): Promise<void>;
}

export async function startOwnCluster(): Promise<OwnCluster> {
  const directory = temporaryDirectory(0o755, quickFolder());
  const cluster = await startEmbeddedPostgres({
    dataDir: `${directory.path}/cluster`,
    sync: false,
    settings: { fsync: 'off', max_connections: '200' },
  });
  return {
    async createDatabase() {
      const name = `journey_${randomBytes(5).toString('hex')}`;
      await connect(cluster.url, (client) => client.query(`create database ${name}`));
      const url = new URL(cluster.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    kill() {
      for (const pid of postgresProcessesOn(realpathSync(cluster.dataDir))) kill(pid);
    },
    async stop() {
      await cluster.stop();
      directory.remove();
    },
  };
}

/** A process of the cluster may end by itself once the first of them is gone. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
