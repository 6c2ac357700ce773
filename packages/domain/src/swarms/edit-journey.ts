/**
 * Creates and edits a journey: missing fields of an edit stay, and null clears a field. A new
 * journey is an empty one with its first edit applied.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { criteriaOf, type StatedCriterion } from './criterion.ts';
import { journeyNameOf, type SavedJourney } from './journey.ts';
import type { JudgeConfig } from './judge-config.ts';

export type JourneyContent = Omit<SavedJourney, 'projectId' | 'createdAt' | 'updatedAt'>;

export interface JourneyEdit {
  readonly name?: string | undefined;
  readonly goal?: string | undefined;
  readonly swarmId?: string | null | undefined;
  readonly environmentIds?: readonly string[] | null | undefined;
  readonly hostIds?: readonly string[] | undefined;
  readonly serverAttachmentId?: string | null | undefined;
  readonly sessionsPerTarget?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly rubric?: readonly StatedCriterion[] | null | undefined;
  readonly judgeConfig?: JudgeConfig | null | undefined;
  readonly personaModel?: string | null | undefined;
  readonly allowWrites?: readonly string[] | null | undefined;
}

type JourneyWrite = { readonly journey: JourneyContent } | { readonly refusal: Refusal };

export function editJourney(
  current: JourneyContent,
  edit: JourneyEdit,
  newCriterionId: () => string,
): JourneyWrite {
  const stated =
    edit.rubric === undefined ? undefined : criteriaOf(edit.rubric ?? [], newCriterionId);
  if (stated !== undefined && 'sharedIdAt' in stated) {
    const message = 'Another check of this journey has this id; remove the id to get a new one.';
    const path = `body.rubric[${stated.sharedIdAt}].id`;
    return { refusal: invalid(path, message, { reason: 'CRITERION_ID_TAKEN' }) };
  }
  return {
    journey: {
      ...current,
      name: edit.name ?? current.name,
      goal: edit.goal ?? current.goal,
      swarmId: kept(edit.swarmId, current.swarmId),
      environmentIds:
        edit.environmentIds === null ? [] : (edit.environmentIds ?? current.environmentIds),
      hostIds: edit.hostIds ?? current.hostIds,
      serverAttachmentId: kept(edit.serverAttachmentId, current.serverAttachmentId),
      sessionsPerTarget: edit.sessionsPerTarget ?? current.sessionsPerTarget,
      maxTurns: edit.maxTurns ?? current.maxTurns,
      rubric: stated?.criteria ?? current.rubric,
      judgeConfig: kept(edit.judgeConfig, current.judgeConfig),
      personaModel: kept(edit.personaModel, current.personaModel),
      allowWrites: kept(edit.allowWrites, current.allowWrites),
    },
  };
}

export function newJourney(
  stated: JourneyEdit & {
    readonly id: string;
    readonly goal: string;
    readonly personaId: string;
    readonly swarmId?: string | undefined;
    readonly sessionsPerTarget: number;
    readonly maxTurns: number;
  },
  newCriterionId: () => string,
): JourneyWrite {
  const { id, goal, personaId, swarmId, sessionsPerTarget, maxTurns } = stated;
  const empty: JourneyContent = {
    id,
    goal,
    personaId,
    sessionsPerTarget,
    maxTurns,
    name: journeyNameOf(goal),
    swarmId: swarmId ?? null,
    environmentIds: [],
    hostIds: [],
    serverAttachmentId: null,
    rubric: [],
    judgeConfig: null,
    personaModel: null,
    allowWrites: null,
  };
  return editJourney(empty, stated, newCriterionId);
}

function kept<Value>(edit: Value | null | undefined, current: Value | null): Value | null {
  return edit === undefined ? current : edit;
}
