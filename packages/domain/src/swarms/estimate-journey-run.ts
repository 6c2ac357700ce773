/** What a run of a journey can use at most, told before it is launched. */
import { assumedOutputTokens, type PricePerMillion, worstCase } from '../spending/ledger.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';

export interface WorstOfJourneyRun {
  readonly targets: number;
  readonly sessions: number;
  readonly maxTurns: number;
  /** Null where a model has no price. */
  readonly worstCaseCredits: number | null;
  readonly unpricedModels: string[];
  /** Of the targets, each once. */
  readonly assistantModels: string[];
  /** Who plays the user. */
  readonly personaModel: string;
  readonly judgeModel: string | null;
  /** Those that the organization pays for itself; they are in no credits. */
  readonly ownModels: string[];
}

/**
 * Every turn asks the assistant as often as a turn may, and the simulated user twice, since it is asked again where it
 * answers nonsense; a judge is asked once for every session. Each request carries all that was said and answered before
 * it in its session, every piece taken to be as long as the longest answer.
 */
export function estimateJourneyRun(
  snapshot: JourneySnapshot,
  unpriced: readonly string[],
): WorstOfJourneyRun {
  const { targets, sessionsPerTarget, maxTurns, personaModel, judge, limits } = snapshot;
  const sessions = targets.length * sessionsPerTarget;
  const steps = maxTurns * limits.maxModelSteps;
  // A step adds what the model said and what its tools answered; the user's words come with each turn.
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

/** Three bytes to a token. */
const bytesOfPiece = 3 * assumedOutputTokens;
/** How often a simulated user is asked for one message. */
const timesAsked = 2;

/** So many requests, the first of one piece and the last of all: on the average half of both. */
function growing(snapshot: JourneySnapshot, model: string, requests: number, pieces: number) {
  return requests * worst(snapshot, model, (1 + pieces) / 2);
}

function worst({ prices }: JourneySnapshot, model: string, pieces: number): number {
  const price: (PricePerMillion & { readonly isOwn?: true }) | undefined = prices.find(
    (one) => one.model === model,
  );
  // Built-in parts cost nothing, and what the organization pays for itself is not counted here.
  return price === undefined || price.isOwn
    ? 0
    : worstCase(price, Math.ceil(pieces) * bytesOfPiece);
}
