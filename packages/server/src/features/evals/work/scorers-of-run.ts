/**
 * The own scorers of a run, as each of its trials asks them. The secret is read for every request, so that a new one
 * counts at once; a scorer may echo it, so it is kept from all that is stored.
 */
import { type PlannedTrial, type RunPlan, writeScorerRequest } from '@proofmark/domain';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { OwnScorers } from '../../../outside/scorers/own-scorers.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import type { RunLocation } from '../store/run-location.ts';
import { openScorerSecret } from '../store/scorer-secrets.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export type ScorersOfTrial = (trial: PlannedTrial) => OwnScorers;

export function scorersOfRun(
  { database, scorers }: Pick<WorkerDependencies, 'database' | 'scorers'>,
  { organizationId, projectId }: Pick<RunLocation, 'organizationId' | 'projectId'>,
  plan: RunPlan,
  secrets: TraceSecrets,
): ScorersOfTrial {
  const project = { id: projectId, organizationId };
  const openSecret = () =>
    database.tenant([organizationId], (sql) => openScorerSecret(sql, database.vault, project));
  return ({ caseIndex, variantIndex, trialNumber: iterationNumber }) => ({
    async ask(scorer, { metadata, ...conversation }, signal) {
      const secret = await retryWhileDatabaseIsAway(openSecret, signal);
      if (secret === undefined) return { problem: noSecret };
      secrets.add(secret);
      const { model, provider } = plan.cases[caseIndex]?.variants[variantIndex] ?? {};
      const trial = {
        iterationNumber,
        ...(model !== undefined && { model }),
        ...(provider !== undefined && { provider }),
      };
      const body = writeScorerRequest(
        { ...conversation, metadata: { ...metadata, ...trial } },
        (told) => secrets.redact(told),
      );
      if (body === undefined) return { problem: tooLarge };
      return scorers.ask({ ...scorer, body, secret }, signal);
    },
  });
}

const noSecret =
  'The scorer was not asked: the project has no scorer secret; a project admin makes one in its settings.';
const tooLarge =
  'The scorer was not asked: even with everything cut that can be, the request is larger than 1 MiB.';
