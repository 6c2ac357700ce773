/** Prepares the launch of a journey, and refuses what a launch would refuse. Writes nothing. */

import {
  chooseModel,
  goalJudgeOf,
  goalJudgeRefusal,
  type JourneySnapshot,
  personaModelRefusal,
  pricePlannedModels,
  ruleJudgeId,
  type SavedJourney,
  type SavedProvider,
  scriptedUserId,
  unpricedModels,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse, refuseIf } from '../../../platform/operations/action.ts';
import type { EvalsProject, LaunchDependencies } from '../../evals/index.ts';
import { modelsOf } from '../../models/index.ts';
import { findPersona } from './find-persona.ts';
import { resolveTargets } from './resolve-targets.ts';

export interface PreparedJourneyRun {
  readonly snapshot: JourneySnapshot;
  readonly providers: readonly SavedProvider[];
  /** Models that run on the operator's keys and have no configured price. */
  readonly unpriced: readonly string[];
}

export async function prepareJourneyRun(
  sql: Sql,
  context: Pick<LaunchDependencies, 'database' | 'models'> &
    Pick<EvalsProject, 'runLimits'> & {
      readonly project: { readonly organizationId: string; readonly id: string };
    },
  journey: SavedJourney,
  environmentIds: readonly string[] | undefined,
): Promise<PreparedJourneyRun> {
  const { organizationId, id: projectId } = context.project;
  const targets = await resolveTargets(sql, projectId, journey, environmentIds);
  const { models, saved } = await modelsOf(sql, context, organizationId);
  const personaModel = journey.personaModel ?? scriptedUserId;
  refuseIf(personaModelRefusal(personaModel, models.offer));
  const goalJudge = goalJudgeOf(journey.judgeConfig);
  const judge = goalJudge && {
    model: goalJudge.judgeModel ?? ruleJudgeId,
    threshold: goalJudge.threshold,
  };
  if (judge) await refuseJudge(sql, context, judge.model);
  const asked = [...targets.map(({ modelId }) => modelId), personaModel, judge?.model];
  const named = [...new Set(asked)].filter(
    (model) => model !== undefined && model !== scriptedUserId && model !== ruleJudgeId,
  );
  const choices = named.map((model) => ({ model: model as string }));
  const used = choices.map((choice) => {
    const chosen = chooseModel(choice, models.offer, []);
    return 'refusal' in chosen ? refuse(chosen.refusal) : chosen.provider;
  });
  const prices = pricePlannedModels([{ variants: choices }], models.offer, [], (model) => {
    const price = models.priceOf(model);
    return price && !models.isPaidByOperator(model) ? { ...price, isOwn: true } : price;
  });
  const { name, role, notes, id } = await findPersona(sql, projectId, journey.personaId);
  const { runLimits } = context;
  return {
    snapshot: {
      snapshotVersion: 1,
      journey: { id: journey.id, name: journey.name },
      goal: journey.goal,
      persona: { id, name, role, notes },
      rubric: journey.rubric,
      judge,
      personaModel,
      prices,
      targets,
      sessionsPerTarget: journey.sessionsPerTarget,
      maxTurns: journey.maxTurns,
      ...(journey.allowWrites !== null && { allowWrites: journey.allowWrites }),
      limits: {
        maxModelSteps: runLimits.maxModelSteps,
        sessionTimeoutMs: runLimits.sessionTimeoutMs,
        turnTimeoutMs: runLimits.turnTimeoutMs,
        userTimeoutMs: runLimits.userTimeoutMs,
        journeyRunTimeoutMs: runLimits.journeyRunTimeoutMs,
        sessionsPerRun: runLimits.sessionsPerRun,
      },
    },
    providers: saved.filter((provider) => used.includes(provider.name)),
    unpriced: unpricedModels(choices, models.offer, [], models),
  };
}

/**
 * Refuses a judge that is not a model of the operator. The judge is called after the run, and the
 * run's copy of the organization's providers is deleted by then.
 */
async function refuseJudge(
  sql: Sql,
  context: Pick<LaunchDependencies, 'database' | 'models'>,
  model: string,
): Promise<void> {
  const { models } = await modelsOf(sql, context, null);
  refuseIf(goalJudgeRefusal(model, models.offer));
}
