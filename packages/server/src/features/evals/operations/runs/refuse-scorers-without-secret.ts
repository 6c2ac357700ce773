/**
 * Rejects a run with own scorers (an organization's HTTP programs) if there is no secret to sign
 * the requests with. Otherwise all trials of the run would end in evaluator errors.
 */
import { asksOwnScorer, type PlannedRun, type Refusal } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readScorerSecretAge } from '../../store/scorer-secrets.ts';

export async function refuseScorersWithoutSecret(
  sql: Sql,
  projectId: string,
  { cases }: PlannedRun['plan'],
): Promise<void> {
  if (!cases.some(asksOwnScorer)) return;
  if ((await readScorerSecretAge(sql, projectId)) === null) refuse(withoutSecret);
}

export const withoutSecret: Refusal = {
  code: 'CONFLICT',
  message:
    'The suite uses an own scorer, but the project has no scorer secret; a project admin can create one in its settings.',
  details: { reason: 'SCORER_SECRET_MISSING' },
};
