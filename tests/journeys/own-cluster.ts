/** A PostgreSQL beside the commands under test, as an operator runs one, with new databases. */
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import { copyReadyDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { connect } from '../../packages/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded/embedded-postgres.ts';
import { postgresProcessesOn } from '../../packages/server/src/platform/embedded/process-facts.ts';

export interface OwnCluster {
  createDatabase(): Promise<string>;
  createReadyDatabase(): Promise<string>;
  /**
   * Kills all processes of the cluster without any clean-up. PostgreSQL is then restarted
   * automatically.
   */
  kill(): void;
  stop(): Promise<void>;
}

export async function startOwnCluster(): Promise<OwnCluster> {
  const directory = temporaryDirectory(0o755, memoryFolder());
  const dataDir = `${directory.path}/cluster`;
  copyReadyDataDirectory(dataDir);
  const cluster = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', max_connections: '200' },
  });
  const at = (name: string) => {
    const url = new URL(cluster.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const create = async (template: string) => {
    const name = `journey_${randomBytes(5).toString('hex')}`;
    const statement = `create database ${name} template ${template} strategy file_copy`;
    await connect(at('postgres'), (client) => client.query(statement));
    return at(name);
  };
  return {
    createDatabase: () => create('template0'),
    createReadyDatabase: () => create('proofmark'),
    kill() {
      for (const pid of postgresProcessesOn(realpathSync(cluster.dataDir))) kill(pid);
    },
    async stop() {
      await cluster.stop();
      directory.remove();
    },
  };
}

/** All processes of the cluster end with its first process, so this one may already have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
