import { copyQuickDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { createTestWorkspace, type TestWorkspace } from './test-workspace.ts';

export type { TestWorkspace };

/** A workspace whose database is made and migrated already, for tests that are not about a first start. */
export function createReadyWorkspace(): TestWorkspace {
  const workspace = createTestWorkspace();
  copyQuickDataDirectory(workspace.dataDir);
  return workspace;
}
