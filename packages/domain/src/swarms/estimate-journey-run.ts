/** The highest possible use of a journey run, estimated before its launch. */
import { assumedOutputTokens, type PricePerMillion, worstCase } from '../spending/ledger.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';

export interface WorstOfJourneyRun {
  readonly targets: number;
  readonly sessions: number;
  readonly maxTurns: number;
  /** Null if a model has no price. */
  readonly worstCaseCredits: number | null;
  readonly unpricedModels: string[];
  /** The models of the targets, each once. */
  readonly assistantModels: string[];
  /** The model of the simulated user. */
  readonly personaModel: string;
  readonly judgeModel: string | null;
  /** Models that the organization pays itself; they are in no credits. */
  readonly ownModels: string[];
}

/**
 * Estimates the highest use. In every turn, the assistant is asked as often as a turn allows, and
 * the simulated user twice, since an unusable answer is requested again; a judge is asked once per
 * session. Each request contains all earlier messages and answers of its session, each assumed to
 * be as long as the longest answer.
 */
export function estimateJourneyRun(
  snapshot: JourneySnapshot,
  unpriced: readonly string[],
): WorstOfJourneyRun {
  const { targets, sessionsPerTarget, maxTurns, personaModel, judge, limits } = snapshot;
  const sessions = targets.length * sessionsPerTarget;
  const steps = maxTurns * limits.maxModelSteps;
  // A step adds an answer of the model and the results of its tools; a turn adds a message of the
  // user.
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

/** Three bytes per token. */
const bytesOfPiece = 3 * assumedOutputTokens;
/** The attempts of a simulated user for one message. */
const timesAsked = 2;

/** Sums growing requests: the first has one piece and the last has all, on average half of both. */
function growing(snapshot: JourneySnapshot, model: string, requests: number, pieces: number) {
  return requests * worst(snapshot, model, (1 + pieces) / 2);
}

function worst({ prices }: JourneySnapshot, model: string, pieces: number): number {
  const price: (PricePerMillion & { readonly isOwn?: true }) | undefined = prices.find(
    (one) => one.model === model,
  );
  // Built-in parts cost nothing, and models that the organization pays itself are not counted here.
  return price === undefined || price.isOwn
    ? 0
    : worstCase(price, Math.ceil(pieces) * bytesOfPiece);
}
