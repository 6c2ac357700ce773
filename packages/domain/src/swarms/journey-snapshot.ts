/**
 * The inputs of a journey run, stored at its launch and never changed. Later edits of the journey,
 * its persona, clients or environments do not affect the run.
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
  /** Empty if the journey has no rubric. Sessions are then not graded. */
  readonly rubric: readonly JourneyCriterion[];
  /** The judge that is asked after the last session; null without a judge. */
  readonly judge: { readonly model: string; readonly threshold: number } | null;
  /** The model of the simulated user: a hosted model or the scripted user. */
  readonly personaModel: string;
  /**
   * Names of the tools that may be called although they may change data; an empty list allows none.
   * If absent, this setting blocks no call.
   */
  readonly allowWrites?: readonly string[];
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly limits: JourneyLimits;
  /** The prices at launch, so that later price changes do not affect the run. */
  readonly prices: readonly PlannedPrice[];
  readonly targets: readonly JourneyTarget[];
}

export interface JourneyLimits {
  /** The largest number of model answers in one turn. */
  readonly maxModelSteps: number;
  readonly sessionTimeoutMs: number;
  readonly turnTimeoutMs: number;
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  /** The largest number of sessions of one run that are played at once, over all processes. */
  readonly sessionsPerRun: number;
}

/**
 * The assistant under test: a client with its model and its servers. It can use no other servers.
 */
export interface JourneyTarget {
  /** The only unique key of a target, since two environments may share a client. */
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
 * Returns the target of an attempt and the number of its session there. Attempts are numbered
 * target by target.
 */
export function placeOfAttempt(
  { targets, sessionsPerTarget }: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>,
  ordinal: number,
): { readonly target: JourneyTarget; readonly sessionIndex: number } | undefined {
  const target = targets[Math.floor(ordinal / sessionsPerTarget)];
  return target && { target, sessionIndex: ordinal % sessionsPerTarget };
}

/**
 * Returns attempts in the order in which they are played: the first session on every target comes
 * before any second session.
 */
export function ordinalsInOrderOfWork({
  targets,
  sessionsPerTarget,
}: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>): number[] {
  return Array.from({ length: targets.length * sessionsPerTarget }, (_, turn) => {
    const target = turn % targets.length;
    return target * sessionsPerTarget + Math.floor(turn / targets.length);
  });
}
