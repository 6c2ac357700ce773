/**
 * Models that charge every call. Calls of guests are also charged to the scenario's guest credits.
 */
import { largestQuota, outOfCreditsForVisitors, Refused } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import type { TurnDependencies } from '../../turns/index.ts';
import type { TurnToRun } from '../visit/turn-runner.ts';
import { guestModels } from './guest-models.ts';

export function turnModels(
  models: ModelGateway,
  { database, creditsPerDay }: Pick<TurnDependencies, 'database' | 'creditsPerDay'>,
  turn: Pick<TurnToRun, 'id' | 'organizationId' | 'projectId' | 'scenarioId' | 'guest'>,
): Pick<ModelGateway, 'generate'> {
  const { id, organizationId, projectId, scenarioId, guest } = turn;
  const cap = guest?.budget.kind === 'capped' ? guest.budget : undefined;
  const paying = payingModels(models, {
    database,
    place: { organizationId, projectId },
    kind: 'visitor_turn',
    ref: id,
    // With a cap for guests, costs are reserved even if the organization has no cap. A reserved
    // cost reaches the ledger even if the process dies.
    creditsPerDay: cap === undefined ? creditsPerDay : (creditsPerDay ?? largestQuota),
  });
  const place = { organizationId, scenarioId };
  const capped = cap === undefined ? paying : guestModels(paying, { database, place, ...cap });
  return {
    generate: (...asked) =>
      capped.generate(...asked).catch((error: unknown) => Promise.reject(withoutFigures(error))),
  };
}

/**
 * Visitors must not see the credit limit and the spending of the organization, so such an error is
 * replaced by a general one.
 */
function withoutFigures(error: unknown): unknown {
  const isOwners = error instanceof Refused && error.refusal.details?.['limit'] === 'credits';
  return isOwners ? new Refused(outOfCreditsForVisitors) : error;
}
