/**
 * Steps in a tool's widget: one action, or one assertion about its content. A step uses the widget
 * of the tool's last call. It fails if there is no widget, if its target is not found, or if its
 * assertion does not hold.
 */
import type { Step, WidgetAssertion } from '@proofmark/domain';
import { trialSentence } from '@proofmark/domain';
import type { OpenWidget, WidgetAnswer } from '../outside/browser/widget-renderer.ts';
import { SetupLost } from './setup-lost.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import type { TrialContext } from './trial-context.ts';
import type { WidgetInTrial } from './widget-in-trial.ts';

interface Position {
  readonly promptIndex: number;
  readonly parentId: string;
}

export function interactStep(
  context: TrialContext,
  { id, toolName, action }: Extract<Step, { kind: 'interact' }>,
  position: Position,
): Promise<StepOutcome> {
  // A wait without a target proves nothing about the widget.
  const isEvidence = 'target' in action;
  const step = { id, toolName, type: 'interact', isEvidence };
  return inWidget(context, step, position, (page) => page.act(action));
}

export function widgetAssertStep(
  context: TrialContext,
  id: string,
  assertion: WidgetAssertion,
  position: Position,
): Promise<StepOutcome> {
  const { kind: type, toolName } = assertion;
  const step = { id, toolName, type, isEvidence: true };
  return inWidget(context, step, position, (page, shown) =>
    assertion.kind === 'widgetToolCalled'
      ? hasCalled(context, shown, assertion)
      : page.ask(assertion),
  );
}

async function inWidget(
  context: TrialContext,
  step: {
    readonly id: string;
    readonly toolName: string;
    readonly type: string;
    /** Whether success proves something about the widget. */
    readonly isEvidence: boolean;
  },
  { promptIndex, parentId }: Position,
  work: (page: OpenWidget, shown: WidgetInTrial) => Promise<WidgetAnswer>,
): Promise<StepOutcome> {
  const { widgets } = context;
  if (widgets === undefined)
    throw new Error(
      'Internal fault: a step uses a widget, although this service cannot show widgets.',
    );
  const { type } = step;
  const fail = (why: string): StepOutcome => {
    const reason = trialSentence(why);
    widgets.checks.push({ type, passed: false, reason, promptIndex });
    return { kind: 'failed', reason };
  };
  const shown = widgets.find(context, step.toolName);
  if (typeof shown === 'string') return fail(shown);
  const { page } = shown;
  if (page === undefined) throw new Error('Internal fault: a widget that was found is not open.');
  const answer = await widgets.use(context, shown, { id: step.id, parentId }, () =>
    work(page, shown),
  );
  if (!answer.ok && answer.isMistake) {
    const name = JSON.stringify(step.id);
    throw new SetupLost(trialSentence(`The step ${name} cannot be played: ${answer.reason}`));
  }
  if (!answer.ok) return fail(answer.reason);
  if (step.isEvidence) widgets.checks.push({ type, passed: true, promptIndex });
  return ok;
}

async function hasCalled(
  { signal }: TrialContext,
  { calls, withinMs, place }: WidgetInTrial,
  { calledToolName }: Extract<WidgetAssertion, { kind: 'widgetToolCalled' }>,
): Promise<WidgetAnswer> {
  if (await calls?.hasCalled(calledToolName, withinMs, signal)) return { ok: true };
  const about = `The widget of ${JSON.stringify(place.toolName)} did not call ${JSON.stringify(calledToolName)}`;
  const refused = calls?.made.find(
    ({ toolName, outcome }) => toolName === calledToolName && outcome === 'refused',
  );
  const others = [...new Set(calls?.made.map(({ toolName }) => toolName))].slice(0, 3);
  const made = others.length === 0 ? 'it called nothing' : `it called ${others.join(', ')}`;
  const reason = refused === undefined ? `${about}; ${made}.` : `${about}: ${refused.message}`;
  return { ok: false, reason };
}
