import {
  createTestWorkspace,
  type TestWorkspace,
} from '@proofmark/harness/journeys/test-workspace.ts';
import { copyQuickDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { cloneTemplate } from '@proofmark/harness/test-database.ts';

export type { TestWorkspace };

/**
 * Returns a workspace with a created and migrated database, for tests that are not about a first
 * start.
 */
export function createReadyWorkspace(): TestWorkspace {
  const workspace = createTestWorkspace();
  copyQuickDataDirectory(workspace.dataDir);
  return workspace;
}

/** The workspace of a test whose services run in its own process, on any database. */
export type ServingHere = Omit<TestWorkspace, 'serve' | 'killDatabase' | 'databaseProcesses'>;

export interface SharedWorkspace extends ServingHere {
  /** Returns the address as the owner of its tables. */
  databaseUrl(): Promise<string>;
}

/**
 * Returns a workspace whose services in this process use a database of the shared cluster, for
 * tests that are not about the embedded one, since starting one takes a second of CPU. It has no
 * sample, and commands find no service by its folder.
 */
export function createSharedWorkspace(): SharedWorkspace {
  let cloned: ReturnType<typeof cloneTemplate> | undefined;
  const database = () => {
    cloned ??= cloneTemplate();
    return cloned;
  };
  const workspace = createTestWorkspace(undefined, async () => {
    const { url, serviceUrl } = await database();
    return { PROOFMARK_DATABASE_URL: url, PROOFMARK_SERVICE_DATABASE_URL: serviceUrl };
  });
  return {
    ...workspace,
    databaseUrl: async () => (await database()).url,
    async remove() {
      try {
        await workspace.remove();
      } finally {
        await (await cloned?.catch(() => undefined))?.drop();
      }
    },
  };
}
