import { assumedOutputTokens, type PricePerMillion, worstCase } from '../spending/ledger.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';

export interface WorstOfJourneyRun {
  readonly targets: number;
  readonly sessions: number;
  readonly maxTurns: number;
  /** Null if a model has no price. */
  readonly worstCaseCredits: number | null;
  readonly unpricedModels: string[];
  readonly assistantModels: string[];
  readonly personaModel: string;
  readonly judgeModel: string | null;
  /** Models that the organization pays for itself; their cost is not included in the credits. */
  readonly ownModels: string[];
}

/**
 * Estimates the highest possible cost. In every turn, the assistant is asked as often as allowed,
 * and the simulated user twice, since an unusable answer is requested again. A judge is asked once
 * per session. Each request contains all earlier messages of its session, each with the longest
 * possible length.
 */
export function estimateJourneyRun(
  snapshot: JourneySnapshot,
  unpriced: readonly string[],
): WorstOfJourneyRun {
  const { targets, sessionsPerTarget, maxTurns, personaModel, judge, limits } = snapshot;
  const sessions = targets.length * sessionsPerTarget;
  const steps = maxTurns * limits.maxModelSteps;
  // Each step adds two texts: a model answer and its tool results. Each turn adds one message of
  // the user.
  const pieces = maxTurns + 2 * steps;
  const ofSession = [
    ...targets.map(({ modelId }) => sessionsPerTarget * growing(snapshot, modelId, steps, pieces)),
    sessions * growing(snapshot, personaModel, timesAsked * (maxTurns + 1), 2 * maxTurns),
    judge === null ? 0 : sessions * worst(snapshot, judge.model, pieces),
  ];
  return {
    targets: targets.length,
    sessions,
    maxTurns,
    worstCaseCredits:
      unpriced.length > 0 ? null : ofSession.reduce<number>((sum, one) => sum + one, 0),
    unpricedModels: [...unpriced],
    assistantModels: [...new Set(targets.map(({ modelId }) => modelId))],
    personaModel,
    judgeModel: judge?.model ?? null,
    ownModels: snapshot.prices.filter(({ isOwn }) => isOwn).map(({ model }) => model),
  };
}

/** The largest size of one text in a request, in bytes, at three bytes per token. */
const bytesOfPiece = 3 * assumedOutputTokens;
/** The number of times a simulated user may be asked for one message. */
const timesAsked = 2;

/** Requests grow from one text to all texts, so an average request has about half of them. */
function growing(snapshot: JourneySnapshot, model: string, requests: number, pieces: number) {
  return requests * worst(snapshot, model, (1 + pieces) / 2);
}

function worst({ prices }: JourneySnapshot, model: string, pieces: number): number {
  const price: (PricePerMillion & { readonly isOwn?: true }) | undefined = prices.find(
    (one) => one.model === model,
  );
  // Built-in models have no price and cost nothing. Models that the organization pays for itself
  // are not counted.
  return price === undefined || price.isOwn
    ? 0
    : worstCase(price, Math.ceil(pieces) * bytesOfPiece);
}
