/**
 * The inputs of a journey run at its launch, stored with the run and never changed: later edits of
 * the journey, its persona, its clients or its environments do not affect it.
 */
import type { ClientConfig } from '../clients/client-config.ts';
import type { ResolvedSkill } from '../environments/resolve-environment.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';
import type { JourneyCriterion } from './criterion.ts';

export interface JourneySnapshot {
  readonly snapshotVersion: 1;
  readonly journey: { readonly id: string; readonly name: string };
  readonly goal: string;
  readonly persona: {
    readonly id: string;
    readonly name: string;
    readonly role: string;
    readonly notes: string | null;
  };
  /** Empty without a rubric; then nothing is graded. */
  readonly rubric: readonly JourneyCriterion[];
  /** The judge after the last session; null without one. */
  readonly judge: { readonly model: string; readonly threshold: number } | null;
  /** The model of the simulated user: a hosted one, or the scripted user. */
  readonly personaModel: string;
  /**
   * The only tools held for writing that may be called. An empty list allows none; if absent, there
   * is no policy.
   */
  readonly allowWrites?: readonly string[];
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly limits: JourneyLimits;
  /** The prices at launch, which later changes do not affect. */
  readonly prices: readonly PlannedPrice[];
  readonly targets: readonly JourneyTarget[];
}

export interface JourneyLimits {
  /** The limit of model answers in one turn. */
  readonly maxModelSteps: number;
  readonly sessionTimeoutMs: number;
  /** For one turn of the assistant. */
  readonly turnTimeoutMs: number;
  /** For one message of the simulated user. */
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  /** The limit of concurrent sessions of one run, over all processes. */
  readonly sessionsPerRun: number;
}

/** The assistant under test: a client with its model and its closed set of servers. */
export interface JourneyTarget {
  /** Opaque, and the only key of a target: two environments may share a client. */
  readonly targetId: string;
  readonly hostId: string;
  readonly hostName: string;
  readonly modelId: string;
  readonly environmentRef: {
    readonly id: string;
    readonly name: string;
    readonly revision: number;
  } | null;
  readonly client: { readonly configId: string; readonly config: ClientConfig };
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly skills: readonly ResolvedSkill[];
}

/**
 * Returns the ordinals of the target and of its session: the sessions of the first target come
 * first.
 */
export function placeOfAttempt(
  { targets, sessionsPerTarget }: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>,
  ordinal: number,
): { readonly target: JourneyTarget; readonly sessionIndex: number } | undefined {
  const target = targets[Math.floor(ordinal / sessionsPerTarget)];
  return target && { target, sessionIndex: ordinal % sessionsPerTarget };
}

/** Returns the order of playing: the first session of every target before the second of any. */
export function ordinalsInOrderOfWork({
  targets,
  sessionsPerTarget,
}: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>): number[] {
  return Array.from({ length: targets.length * sessionsPerTarget }, (_, turn) => {
    const target = turn % targets.length;
    return target * sessionsPerTarget + Math.floor(turn / targets.length);
  });
}
