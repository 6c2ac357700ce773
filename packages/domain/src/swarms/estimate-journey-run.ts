/** What a run of a journey can use at most, told before it is launched. */
import { type PricePerMillion, worstCase } from '../spending/ledger.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';

export interface WorstOfJourneyRun {
  readonly targets: number;
  readonly sessions: number;
  readonly maxTurns: number;
  /** Null where a model has no price. */
  readonly worstCaseCredits: number | null;
  readonly unpricedModels: string[];
}

/**
 * Every turn asks the assistant as often as a turn may, and the simulated user once; each request is taken to be as long as
 * is usual for the worst case of a step.
 */
export function estimateJourneyRun(
  snapshot: JourneySnapshot,
  unpriced: readonly string[],
): WorstOfJourneyRun {
  const { targets, sessionsPerTarget, maxTurns, personaModel, limits } = snapshot;
  const turns = sessionsPerTarget * maxTurns;
  const userTurns = targets.length * sessionsPerTarget * (maxTurns + 1);
  const credits = [
    ...targets.map(({ modelId }) => worst(snapshot, modelId, turns * limits.maxModelSteps)),
    worst(snapshot, personaModel, userTurns),
  ];
  return {
    ...{ targets: targets.length, sessions: targets.length * sessionsPerTarget, maxTurns },
    worstCaseCredits:
      unpriced.length > 0 ? null : credits.reduce<number>((sum, one) => sum + one, 0),
    unpricedModels: [...unpriced],
  };
}

/** A request is assumed to be as long as the longest answer: three bytes to a token. */
const assumedRequestBytes = 3 * 4096;

function worst({ prices }: JourneySnapshot, model: string, steps: number): number {
  const price: (PricePerMillion & { readonly isOwn?: true }) | undefined = prices.find(
    (one) => one.model === model,
  );
  // Built-in parts cost nothing, and what the organization pays for itself is not counted here.
  return price === undefined || price.isOwn ? 0 : steps * worstCase(price, assumedRequestBytes);
}
