/**
 * Requests the judge for an ended run, with the settings that were pinned at launch. The model and
 * threshold of the request apply only with `enable`, if no judge was pinned. A pending result, or
 * an existing one without `force`, stays unchanged.
 */

import {
  chooseJudgeModel,
  defaultJudgeThreshold,
  invalid,
  notFound,
  type PlannedJudge,
  type Refusal,
  unpricedModels,
} from '@proofmark/domain';
import { type Action, type ActionInput, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import {
  refuseWithoutCredits,
  refuseWithoutCreditsOfRun,
} from '../../../../platform/spending/refuse-without-credits.ts';
import { modelsOf } from '../../../models/index.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import { askJudge, findGoalCompletion, tracesWereRemoved } from '../../store/run-judges.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { addJudging } from '../../store/run-work.ts';
import { hasEnded } from './present-run.ts';

export const requestEvalRunJudge: Action<'requestEvalRunJudge', EvalsParts> = async (
  context,
  { params, body },
) => {
  const { id: projectId } = context.project;
  return context.tenant(async (sql) => {
    const run = await readRun(sql, projectId, params.runId, 'forUpdate');
    if (run === undefined) return refuse(notFound);
    refuseUnready(run);
    const plan = await findRunPlan(sql, run.id);
    const judge = chosenJudge(plan?.judge, body);
    const { models } = await modelsOf(sql, context, run.organizationId);
    const chosen = chooseJudgeModel(judge, models.offer, []);
    if ('refusal' in chosen) refuse(chosen.refusal);
    const earlier = await findGoalCompletion(sql, run.id);
    const stands =
      earlier?.status === 'pending' || (earlier?.status === 'completed' && body.force !== true);
    if (stands) return { runId: run.id, projectId, status: earlier.status } as const;
    if (await tracesWereRemoved(sql, run.id)) refuse(tracesRemoved);
    const { creditsPerDay } = context.runLimits;
    const unpriced = unpricedModels([judge], models.offer, [], models);
    await refuseWithoutCredits(sql, run.organizationId, creditsPerDay, unpriced);
    await refuseWithoutCreditsOfRun(sql, run.id, unpriced);
    await askJudge(sql, run.id, judge);
    await addJudging(sql, { organizationId: run.organizationId, projectId, runId: run.id });
    await recordAudit(sql, context, { action: 'evalRun.judgeAsked', subjectId: run.id });
    return { runId: run.id, projectId, status: 'pending' } as const;
  });
};

/** Without traces the judge cannot answer again, and its earlier answer would be lost. */
const tracesRemoved: Refusal = {
  code: 'CONFLICT',
  message: 'The traces of this run were removed by retention, so a judge has nothing to read.',
  details: { reason: 'TRACES_REMOVED' },
};

function refuseUnready(run: StoredRun): void {
  if (run.snapshot.conformance !== undefined) {
    const message = 'The conformance suite played this run, so there is no answer to judge.';
    refuse({ code: 'CONFLICT', message, details: { reason: 'CONFORMANCE_RUN' } });
  }
  if (run.source === 'sdk') {
    const message =
      'This run was reported from outside; only a run that was launched here can be judged.';
    refuse({ code: 'CONFLICT', message, details: { reason: 'RUN_REPORTED' } });
  }
  if (!hasEnded(run)) {
    const message = 'This run has not ended yet; request the judge after it has ended.';
    refuse({ code: 'CONFLICT', message, details: { reason: 'RUN_NOT_ENDED', status: run.status } });
  }
}

function chosenJudge(
  pinned: PlannedJudge | undefined,
  body: ActionInput<'requestEvalRunJudge'>['body'],
): Pick<PlannedJudge, 'model' | 'provider' | 'threshold'> {
  if (body.enable !== true) {
    for (const field of ['model', 'threshold'] as const) {
      if (body[field] === undefined) continue;
      const message =
        'The settings of the judge were fixed when the run was launched; send enable: true to use different settings.';
      return refuse(invalid(`body.${field}`, message, { reason: 'JUDGE_PINNED' }));
    }
  }
  const threshold = body.threshold ?? pinned?.threshold ?? defaultJudgeThreshold;
  if (body.model !== undefined) return { model: body.model, threshold };
  if (pinned?.isOnCallersKey === true) {
    const message =
      'The judge of this run used a key that was sent with the launch, and that key is not stored after the run; send enable: true and a model that is offered here.';
    return refuse(invalid('body.model', message, { reason: 'JUDGE_KEY_GONE' }));
  }
  if (pinned !== undefined) return { ...pinned, threshold };
  const message = 'The run was launched without a judge; send enable: true and a model.';
  return refuse(invalid('body.model', message, { reason: 'JUDGE_MODEL_REQUIRED' }));
}
