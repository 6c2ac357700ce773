import {
  createTestWorkspace,
  type TestWorkspace,
} from '@proofmark/harness/journeys/test-workspace.ts';
import { copyQuickDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { cloneTemplate } from '@proofmark/harness/test-database.ts';

export type { TestWorkspace };

export function createReadyWorkspace(): TestWorkspace {
  const workspace = createTestWorkspace();
  copyQuickDataDirectory(workspace.dataDir);
  return workspace;
}

export type ServingHere = Omit<TestWorkspace, 'serve' | 'killDatabase' | 'databaseProcesses'>;

export interface SharedWorkspace extends ServingHere {
  /** Returns the database address with the role that owns the tables. */
  databaseUrl(): Promise<string>;
}

/**
 * Returns a workspace whose services run in this process, on a database of the shared cluster. For
 * tests that are not about the embedded database, since starting one takes a second of CPU. The
 * workspace has no sample, and commands find no service by its folder.
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
