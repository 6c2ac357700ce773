/**
 * The own scorers of a run, as each of its trials asks them. The secret is read for every request, so that a new one
 * counts at once; a scorer may echo it, so it is kept from all that is stored.
 */
import type { RunPlan } from '@proofmark/domain';
import type { TraceSecrets } from '../mcp/trace-secrets.ts';
import { openScorerSecret } from '../storage/accounts/scorer-secrets.ts';
import type { PlaceOfRun } from '../storage/eval-runs/place-of-run.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import { type ScorersOfTrial, scorersWithSecret } from './scorers-with-secret.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

export function scorersOfRun(
  { database, scorers }: Pick<WorkerDependencies, 'database' | 'scorers'>,
  { organizationId, projectId }: Pick<PlaceOfRun, 'organizationId' | 'projectId'>,
  plan: RunPlan,
  secrets: TraceSecrets,
): ScorersOfTrial {
  const project = { id: projectId, organizationId };
  const openSecret = () =>
    database.tenant([organizationId], (sql) => openScorerSecret(sql, database.vault, project));
  return scorersWithSecret(
    scorers,
    (signal) => retryWhileDatabaseIsAway(openSecret, signal),
    plan,
    secrets,
  );
}
