// Starts the PostgreSQL cluster a project's tests run on, once, with a migrated template database
// that test files clone. It runs only when a file of that project runs. Durability is off: a test
// cluster does not outlive its run.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { quickFolder } from '@proofmark/harness/quick-folder.ts';
import type { TestProject } from 'vitest/node';
import { findSystemPostgres } from '../scripts/find-system-postgres.mjs';

export type TestCluster = {
  url: string;
  template: string;
  /** The role of the template's service, which is that of all clones. */
  service: { name: string; password: string };
};

declare module 'vitest' {
  export interface ProvidedContext {
    clusters: { embedded?: TestCluster; system?: TestCluster };
  }
}

const template = 'proofmark_template';
const password = 'of-the-service-in-tests';
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = project.config.env?.['PROOFMARK_TEST_CLUSTER'] === 'system' ? 'system' : 'embedded';
  const folder = await mkdtemp(path.join(quickFolder(), `proofmark-cluster-${kind}-`));
  // As root the database runs under another user, who has to pass through this folder.
  await chmod(folder, 0o755);
  try {
    const cluster = await startCluster(kind, path.join(folder, 'data'));
    const stop = async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const service = { name: await makeTemplate(cluster.url), password };
      project.provide('clusters', { [kind]: { url: cluster.url, template, service } });
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startCluster(kind: 'embedded' | 'system', dataDir: string) {
  const { startEmbeddedPostgres } = await import(
    '../packages/server/src/storage/embedded/embedded-postgres.ts'
  );
  const binaries = kind === 'system' ? findSystemPostgres() : undefined;
  return startEmbeddedPostgres({
    dataDir,
    sync: false,
    settings,
    ...(binaries === undefined ? {} : { binaries }),
  });
}

async function makeTemplate(clusterUrl: string): Promise<string> {
  const { migrate } = await import('../packages/server/src/storage/migrations/migrate.ts');
  const { migrateQueue } = await import('../packages/server/src/queue/start-queue.ts');
  const { prepareServiceRole } = await import(
    '../packages/server/src/storage/migrations/service-role.ts'
  );
  const { connect } = await import('../packages/server/src/storage/database/connect.ts');
  await connect(clusterUrl, (client) => client.query(`create database ${template}`));
  const templateUrl = new URL(clusterUrl);
  templateUrl.pathname = `/${template}`;
  await migrate(templateUrl.href);
  await migrateQueue(templateUrl.href);
  const serviceUrl = await prepareServiceRole(templateUrl.href, { password });
  return new URL(serviceUrl).searchParams.get('user') as string;
}
