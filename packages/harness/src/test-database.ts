/** Creates a separate database for a test file by cloning a migrated template. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect } from '../../server/src/platform/database/connect.ts';
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts';
import { urlForRole } from '../../server/src/platform/database/url-for-role.ts';
import { createVault, type Vault } from '../../server/src/platform/vault/vault.ts';
import { testedCluster } from './tested-cluster.ts';

export interface TestDatabase {
  readonly url: string;
  readonly serviceUrl: string;
  readonly secretKey: Buffer;
  readonly vault: Vault;
  /** Connects as the service, with row-level security. */
  readonly database: Database;
  /** Connects as the operator, who owns the tables. */
  readonly owner: Database;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, serviceUrl, drop } = await cloneTemplate();
  const secretKey = randomBytes(32);
  const vault = createVault(secretKey);
  const database = openDatabase({ url: serviceUrl, vault, as: 'service' });
  const owner = openDatabase({ url, vault, as: 'owner', maxConnections: 4 });
  return {
    url,
    serviceUrl,
    secretKey,
    vault,
    database,
    owner,
    async drop() {
      await Promise.all([database.close(), owner.close()]);
      await drop();
    },
  };
}

export async function cloneTemplate(): Promise<Pick<TestDatabase, 'url' | 'serviceUrl' | 'drop'>> {
  const { url: clusterUrl, template, service } = testCluster();
  const name = await createDatabase(clusterUrl, template);
  const url = databaseUrl(clusterUrl, name);
  return { url, serviceUrl: urlForRole(url, service), drop: () => dropDatabase(clusterUrl, name) };
}

/** Creates an empty database, for tests of migrations. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url: clusterUrl } = testCluster();
  const name = await createDatabase(clusterUrl, 'template0');
  return { url: databaseUrl(clusterUrl, name), drop: () => dropDatabase(clusterUrl, name) };
}

function testCluster() {
  const kind = testedCluster();
  const cluster = inject('clusters')[kind];
  if (cluster === undefined) throw new Error(`There is no ${kind} test cluster.`);
  return cluster;
}

async function createDatabase(clusterUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(clusterUrl, `create database ${name} template ${template} strategy file_copy`);
  return name;
}

async function dropDatabase(clusterUrl: string, name: string): Promise<void> {
  await onCluster(clusterUrl, `drop database ${name} with (force)`);
}

async function onCluster(clusterUrl: string, statement: string): Promise<void> {
  await connect(clusterUrl, (client) => client.query(statement));
}

function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
