/**
 * What a journey run was launched with. It is written with the run and never changed: no later edit of the journey, its
 * persona, its clients or its environments shows in a run.
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
  /** Empty where there is none: then nothing is graded. */
  readonly rubric: readonly JourneyCriterion[];
  /** Who is asked after the last session; null where nobody is. */
  readonly judge: { readonly model: string; readonly threshold: number } | null;
  /** Who plays the user: a model that is hosted here, or the scripted one. */
  readonly personaModel: string;
  /** Present, also empty: of the tools held for writing, only these are called. */
  readonly allowWrites?: readonly string[];
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly limits: JourneyLimits;
  /** Of the models that have one, whatever the operator says later. */
  readonly prices: readonly PlannedPrice[];
  readonly targets: readonly JourneyTarget[];
}

export interface JourneyLimits {
  /** Answers of the model in one turn. */
  readonly maxModelSteps: number;
  readonly sessionTimeoutMs: number;
  /** Of one turn of the assistant. */
  readonly turnTimeoutMs: number;
  /** Of one message of the simulated user. */
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  /** Of one run, over all processes. */
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

/** Of a target and one of its sessions, by ordinals: all sessions of the first target stand first. */
export function placeOfAttempt(
  { targets, sessionsPerTarget }: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>,
  ordinal: number,
): { readonly target: JourneyTarget; readonly sessionIndex: number } | undefined {
  const target = targets[Math.floor(ordinal / sessionsPerTarget)];
  return target && { target, sessionIndex: ordinal % sessionsPerTarget };
}

/** In the order they are played: the first session of every target before the second of any. */
export function ordinalsInOrderOfWork({
  targets,
  sessionsPerTarget,
}: Pick<JourneySnapshot, 'targets' | 'sessionsPerTarget'>): number[] {
  return Array.from({ length: targets.length * sessionsPerTarget }, (_, turn) => {
    const target = turn % targets.length;
    return target * sessionsPerTarget + Math.floor(turn / targets.length);
  });
}
