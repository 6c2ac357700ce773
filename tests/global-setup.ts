// Starts the PostgreSQL clusters of one vitest project, each with a migrated template database that
// test files clone. Durability is off, since a test cluster does not outlive its run. Journeys that
// use the embedded database copy a data directory in the state after a first start, because
// creating and migrating one takes ten times the CPU.
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import type { TestProject } from 'vitest/node';
import { findSystemPostgres } from '../scripts/find-system-postgres.mjs';
import { prepare } from '../scripts/prepare.mjs';

export type TestCluster = {
  url: string;
  template: string;
  /** The role of the service on the template, shared by all clones. */
  service: { name: string; password: string };
};

type ClusterKind = 'embedded' | 'system';

declare module 'vitest' {
  export interface ProvidedContext {
    clusters: { embedded?: TestCluster; system?: TestCluster };
    readyDataDirectory: string;
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
  // Autovacuum would process hundreds of databases that are deleted soon.
  autovacuum: 'off',
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Journeys need the build: their services serve the built console, and tests at a terminal run
  // the built command.
  if (project.name === 'journeys') await prepare({ build: true });
  const kinds = clusterKinds(project.config.env?.['PROOFMARK_TEST_CLUSTER']);
  const folder = await mkdtemp(path.join(memoryFolder(), 'proofmark-clusters-'));
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stopAll = async () => {
    for (const stop of stops.toReversed()) await stop();
  };
  try {
    // If root runs the tests, the database runs as another user, who must enter this folder.
    await chmod(folder, 0o755);
    const embedded = path.join(folder, 'embedded');
    // Journeys, and the tests on the embedded cluster, start from a copy of this data directory.
    if (kinds.join() !== 'system') {
      await migrateIn(embedded);
      project.provide('readyDataDirectory', copyOf(embedded, path.join(folder, 'ready')));
    }
    const clusters: { [kind in ClusterKind]?: TestCluster } = {};
    for (const kind of kinds) {
      const cluster = await startCluster(path.join(folder, kind), kind);
      stops.push(() => cluster.stop());
      const service = { name: await makeTemplate(cluster.url), password };
      clusters[kind] = { url: cluster.url, template, service };
    }
    project.provide('clusters', clusters);
    return stopAll;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function clusterKinds(asked: string | undefined): ClusterKind[] {
  if (asked === 'both') return ['embedded', 'system'];
  return asked === 'embedded' || asked === 'system' ? [asked] : [];
}

async function migrateIn(dataDir: string): Promise<void> {
  const cluster = await startCluster(dataDir);
  try {
    await migrateAll(cluster.url);
  } finally {
    await cluster.stop();
  }
}

function copyOf(folder: string, copy: string): string {
  const { status } = spawnSync('cp', ['-a', folder, copy], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${folder} could not be copied.`);
  return copy;
}

async function startCluster(dataDir: string, kind: ClusterKind = 'embedded') {
  const { startEmbeddedPostgres } = await import(
    '../packages/server/src/platform/embedded/embedded-postgres.ts'
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
  const { prepareServiceRole } = await import(
    '../packages/server/src/platform/migrations/service-role.ts'
  );
  const { connect } = await import('../packages/server/src/platform/database/connect.ts');
  await migrateAll(clusterUrl);
  const { pathname } = new URL(clusterUrl);
  await connect(atDatabase(clusterUrl, 'postgres'), (client) =>
    client.query(`create database ${template} template ${pathname.slice(1)} strategy file_copy`),
  );
  const serviceUrl = await prepareServiceRole(atDatabase(clusterUrl, template), { password });
  const name = new URL(serviceUrl).searchParams.get('user') as string;
  await connect(clusterUrl, async (client) => {
    // Test files sign in thousands of times, and each sign-in repeats all hash iterations of the
    // password.
    await client.query(
      "select set_config('scram_iterations', '1', false) where current_setting('server_version_num')::int >= 160000",
    );
    const { username, password: own } = new URL(clusterUrl);
    for (const [role, known] of Object.entries({ [username]: own, [name]: password })) {
      await client.query(
        `alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(known)}`,
      );
    }
  });
  return name;
}

async function migrateAll(url: string): Promise<void> {
  const { migrate } = await import('../packages/server/src/platform/migrations/migrate.ts');
  const { migrateQueue } = await import('../packages/server/src/platform/jobs/start-queue.ts');
  await migrate(url);
  await migrateQueue(url);
}

function atDatabase(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
