import * as z from 'zod';
import { finalAssistantMessageNonEmpty } from './final-assistant-message-non-empty.ts';
import { firstToolWas } from './first-tool-was.ts';
import { goalCompleted } from './goal-completed.ts';
import { noToolErrors } from './no-tool-errors.ts';
import { onlyToolsCalled } from './only-tools-called.ts';
import { responseContains } from './response-contains.ts';
import { responseMatches } from './response-matches.ts';
import { tokenBudgetUnder } from './token-budget-under.ts';
import { toolCalledAtLeastOnce } from './tool-called-at-least-once.ts';
import { toolCalledWith } from './tool-called-with.ts';
import { toolNeverCalled } from './tool-never-called.ts';
import { turnCountUnder } from './turn-count-under.ts';
import { widgetNoConsoleErrors } from './widget-no-console-errors.ts';
import { widgetRenderLatencyUnder } from './widget-render-latency-under.ts';
import { widgetRendered } from './widget-rendered.ts';

/** Every kind of assertion by its `type`. */
export const assertionKinds = {
  toolCalledWith,
  toolCalledAtLeastOnce,
  toolNeverCalled,
  firstToolWas,
  onlyToolsCalled,
  responseContains,
  responseMatches,
  noToolErrors,
  finalAssistantMessageNonEmpty,
  tokenBudgetUnder,
  turnCountUnder,
  widgetRendered,
  widgetRenderLatencyUnder,
  widgetNoConsoleErrors,
  goalCompleted,
} as const;

export type AssertionType = keyof typeof assertionKinds;

export const Assertion = z
  .discriminatedUnion('type', [
    toolCalledWith.schema,
    toolCalledAtLeastOnce.schema,
    toolNeverCalled.schema,
    firstToolWas.schema,
    onlyToolsCalled.schema,
    responseContains.schema,
    responseMatches.schema,
    noToolErrors.schema,
    finalAssistantMessageNonEmpty.schema,
    tokenBudgetUnder.schema,
    turnCountUnder.schema,
    widgetRendered.schema,
    widgetRenderLatencyUnder.schema,
    widgetNoConsoleErrors.schema,
    goalCompleted.schema,
  ])
  .meta({ id: 'EvalAssertion', description: 'About what was seen: calls, errors, the answer.' });
export type Assertion = z.infer<typeof Assertion>;

/** Measured over the whole trial, so they say nothing about one turn. */
export const caseLevelOnly: readonly AssertionType[] = ['tokenBudgetUnder', 'turnCountUnder'];

/** An advisory assertion is evaluated and reported, and never fails or halts a trial. */
export function isAdvisory(assertion: unknown): boolean {
  return (
    typeof assertion === 'object' &&
    assertion !== null &&
    'role' in assertion &&
    assertion.role === 'advisory'
  );
}
