/**
 * Plays the steps of a case one after another. The first failing step stops the trial, and the
 * reason of every later step names it. A step stays `pending` until its outcome is known, so an
 * assertion without an evaluation is never `ok`.
 */
import type { Step } from '@proofmark/domain';
import { assertStep } from './assert-step.ts';
import { promptStep } from './prompt-step.ts';
import { getPromptStep, readResourceStep } from './server-text-steps.ts';
import { StepLimit } from './stated-limits.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import { toolCallStep } from './tool-call-step.ts';
import type { TrialContext } from './trial-context.ts';
import { interactStep } from './widget-steps.ts';
import { withStepSpan } from './with-step-span.ts';

export interface StepRecord {
  readonly stepId: string;
  readonly kind: Step['kind'];
  readonly promptIndex: number;
  status: 'ok' | 'fail' | 'skipped' | 'pending';
  reason?: string;
  note?: string;
}

export async function playSteps(
  context: TrialContext,
  records: readonly StepRecord[],
): Promise<StepOutcome> {
  for (const [index, { step, promptIndex }] of context.projected.steps.entries()) {
    const record = records[index];
    if (record === undefined) throw new Error('Internal fault: a step of the case has no record.');
    context.signal.throwIfAborted();
    context.log.openTurn(promptIndex);
    const outcome = await playStep(context, step, index, promptIndex);
    if (outcome.kind !== 'ok') {
      // If an assertion could not be answered, its step stays `pending`.
      stopSteps(records, outcome.reason, outcome.kind === 'graderFailed' ? 'pending' : 'fail');
      return outcome;
    }
    record.status = 'ok';
    if (outcome.note !== undefined) record.note = outcome.note;
  }
  return ok;
}

export function stopSteps(
  records: readonly StepRecord[],
  reason: string,
  status: 'fail' | 'pending' = 'fail',
): void {
  let stoppedBy: string | undefined;
  for (const record of records) {
    if (record.status !== 'pending') continue;
    record.status = stoppedBy === undefined ? status : 'skipped';
    record.reason =
      stoppedBy === undefined
        ? reason
        : `Not run, because step ${JSON.stringify(stoppedBy)} stopped the trial.`;
    stoppedBy ??= record.stepId;
  }
}

export function skipSteps(records: readonly StepRecord[], reason: string): void {
  for (const record of records) {
    record.status = 'skipped';
    record.reason = reason;
  }
}

function playStep(
  context: TrialContext,
  step: Step,
  stepIndex: number,
  promptIndex: number,
): Promise<StepOutcome> {
  context.answers.beginStep(step);
  return withStepSpan(
    context.log,
    { name: step.kind, promptIndex, stepIndex, authoredStepId: step.id },
    (parentId) => withinLimit(context, step, { promptIndex, parentId }),
  );
}

async function withinLimit(
  context: TrialContext,
  step: Step,
  position: StepPosition,
): Promise<StepOutcome> {
  const timeoutMs = 'timeoutMs' in step ? step.timeoutMs : undefined;
  if (timeoutMs === undefined) return dispatch(context, step, position);
  const { limits, signal, log } = context;
  const deadline = limits.begin(timeoutMs, signal);
  const limit = new StepLimit(step.id, timeoutMs, deadline);
  try {
    return await dispatch({ ...context, signal: deadline.signal, limit }, step, position);
  } catch (error) {
    if (signal.aborted || !deadline.isOver || error !== deadline.signal.reason) throw error;
    log.lateAnswer = `The step got no result: ${limit.whileAwaited('the answer of its server')}`;
    return { kind: 'failed', reason: log.lateAnswer };
  } finally {
    limits.end(deadline);
  }
}

interface StepPosition {
  readonly promptIndex: number;
  readonly parentId: string;
}

async function dispatch(
  context: TrialContext,
  step: Step,
  position: StepPosition,
): Promise<StepOutcome> {
  switch (step.kind) {
    case 'prompt':
      return promptStep(context, step, position);
    case 'toolCall':
      return toolCallStep(context, step, position);
    case 'getPrompt':
      return getPromptStep(context, step, position);
    case 'readResource':
      return readResourceStep(context, step, position);
    case 'assert':
      return assertStep(context, step, position);
    case 'interact':
      return interactStep(context, step, position);
  }
}
