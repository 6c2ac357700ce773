import { copyQuickDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { cloneTemplate } from '@proofmark/harness/test-database.ts';
import { createTestWorkspace, type TestWorkspace } from './test-workspace.ts';

export type { TestWorkspace };

/** A workspace whose database is made and migrated already, for tests that are not about a first start. */
export function createReadyWorkspace(): TestWorkspace {
  const workspace = createTestWorkspace();
  copyQuickDataDirectory(workspace.dataDir);
  return workspace;
}

/** What a test has whose services run in its own process, whichever database they are on. */
export type ServingHere = Omit<TestWorkspace, 'serve' | 'killDatabase' | 'databaseProcesses'>;

export interface SharedWorkspace extends ServingHere {
  /** As the owner of its tables. */
  databaseUrl(): Promise<string>;
}

/**
 * A workspace whose services in this process have a database of the cluster that all tests share, for tests that are not
 * about the embedded one: starting one for each takes a second of CPU. There is no sample on it, and commands find no
 * service by its folder.
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
