/**
 * Recordings of files become a run of their suite that can be replayed, in the data of a service that runs in this
 * process.
 */
import {
  type InsertedRun,
  insertRecordedRun,
  type TrialOfFile,
} from '../features/evals/store/insert-recorded-run.ts';
import { findProjectOfOperator } from '../features/servers/store/operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { withOperatorStore } from './with-operator-store.ts';

interface RecordedRun {
  readonly projectId: string | undefined;
  readonly suiteId: string;
  readonly trials: readonly TrialOfFile[];
  readonly repetitions?: number | undefined;
}

export async function keepRecordedRun(
  settings: Settings,
  { projectId, suiteId, trials, repetitions }: RecordedRun,
  say: (sentence: string) => void,
): Promise<InsertedRun> {
  return withOperatorStore(settings, say, async ({ owner }) => {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) throw new BadSetting(`There is no project ${projectId}.`);
    const { id, organizationId } = project;
    const place = { organizationId, projectId: id, suiteId, repetitions };
    return owner.transaction((sql) => insertRecordedRun(sql, place, trials));
  });
}
