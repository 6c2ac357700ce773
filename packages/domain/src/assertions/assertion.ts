import * as z from 'zod';
import type { Stage } from '../chain/vocabulary.ts';
import { argumentsMatchToolSchema } from './arguments-match-tool-schema.ts';
import { finalAssistantMessageNonEmpty } from './final-assistant-message-non-empty.ts';
import { firstToolWas } from './first-tool-was.ts';
import { fullPageHasContinuation } from './full-page-has-continuation.ts';
import { goalCompleted } from './goal-completed.ts';
import { noDeprecatedToolCalled, noDeprecatedToolExposed } from './no-deprecated-tool.ts';
import { noDestructiveToolCalled } from './no-destructive-tool-called.ts';
import { noEndingQuestion } from './no-ending-question.ts';
import { noRepeatedIdenticalCall } from './no-repeated-identical-call.ts';
import { noToolErrors } from './no-tool-errors.ts';
import { onlyToolsCalled } from './only-tools-called.ts';
import { responseCloseTo } from './response-close-to.ts';
import { responseContains } from './response-contains.ts';
import { responseMatches } from './response-matches.ts';
import { scorer } from './scorer.ts';
import { tokenBudgetUnder } from './token-budget-under.ts';
import { maximumResultTokens, maximumSurfaceTokens } from './token-limits.ts';
import { toolCallCountUnder } from './tool-call-count-under.ts';
import { toolCallFails } from './tool-call-fails.ts';
import { toolCalledAtLeastOnce } from './tool-called-at-least-once.ts';
import { toolCalledBefore } from './tool-called-before.ts';
import { toolCalledWith } from './tool-called-with.ts';
import { toolDoesNotCrash } from './tool-does-not-crash.ts';
import { toolErrorNamesInput } from './tool-error-names-input.ts';
import { toolInputMatches } from './tool-input-matches.ts';
import { toolLatencyUnder } from './tool-latency-under.ts';
import { toolNeverCalled } from './tool-never-called.ts';
import { toolResultContains } from './tool-result-contains.ts';
import { toolResultMatches } from './tool-result-matches.ts';
import { toolResultMatchesSchema } from './tool-result-matches-schema.ts';
import { toolResultPath } from './tool-result-path.ts';
import { toolResultSizeUnder } from './tool-result-size-under.ts';
import {
  toolAnnotationsPresent,
  toolDescriptionsPresent,
  toolInputSchemasWellFormed,
  toolNamesUnique,
  toolOutputSchemasPresent,
} from './tool-surface-kinds.ts';
import { turnCountUnder } from './turn-count-under.ts';
import { widgetNoConsoleErrors } from './widget-no-console-errors.ts';
import { widgetRenderLatencyUnder } from './widget-render-latency-under.ts';
import { widgetRendered } from './widget-rendered.ts';

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
  toolCallCountUnder,
  toolCalledBefore,
  noDestructiveToolCalled,
  noDeprecatedToolCalled,
  argumentsMatchToolSchema,
  noRepeatedIdenticalCall,
  toolInputMatches,
  toolLatencyUnder,
  toolResultSizeUnder,
  maximumResultTokens,
  toolResultContains,
  toolResultMatches,
  toolResultMatchesSchema,
  toolResultPath,
  toolCallFails,
  toolDoesNotCrash,
  toolErrorNamesInput,
  fullPageHasContinuation,
  noEndingQuestion,
  responseCloseTo,
  goalCompleted,
  scorer,
  toolDescriptionsPresent,
  toolAnnotationsPresent,
  toolNamesUnique,
  toolInputSchemasWellFormed,
  toolOutputSchemasPresent,
  maximumSurfaceTokens,
  noDeprecatedToolExposed,
} as const;

export type AssertionType = keyof typeof assertionKinds;

/**
 * Returns undefined for an unknown type: a reporter (a program that runs trials elsewhere) may send
 * its own
 * types.
 */
export function statedStageOf(type: string): Stage | 'ofMatcher' | undefined {
  return Object.hasOwn(assertionKinds, type)
    ? assertionKinds[type as AssertionType].stage
    : undefined;
}

type Kind = (typeof assertionKinds)[AssertionType];

function kindsWhere(isWanted: (kind: Kind) => boolean): AssertionType[] {
  const types = Object.keys(assertionKinds) as AssertionType[];
  return types.filter((type) => isWanted(assertionKinds[type]));
}

const schemas = Object.values(assertionKinds).map(({ schema }) => schema) as [
  Kind['schema'],
  ...Kind['schema'][],
];

export const Assertion = z.discriminatedUnion('type', schemas).meta({
  id: 'EvalAssertion',
  description: 'An assertion about the recorded calls, errors or answer.',
});
export type Assertion = z.infer<typeof Assertion>;

/** Kinds that check the listed tools, independent of any calls. */
export const discoveryKinds: readonly AssertionType[] = kindsWhere(
  ({ stage }) => stage === 'discovery',
);

export const caseLevelOnly: readonly AssertionType[] = kindsWhere(
  ({ inTurn }) => inTurn === 'never',
);

export const callKinds: readonly AssertionType[] = kindsWhere(
  ({ stage }) => stage === 'selection' || stage === 'ofMatcher',
);

export const tokenKinds: readonly AssertionType[] = ['maximumSurfaceTokens', 'maximumResultTokens'];

export function looksAtTurnAlone(type: AssertionType): boolean {
  return assertionKinds[type].inTurn === 'callsOfTurn';
}

/** Kinds that check a model's choices. They are meaningless for calls that no model chose. */
export const choiceKinds: readonly AssertionType[] = kindsWhere(
  ({ isChoiceOfModel }) => isChoiceOfModel === true,
);

/** An advisory assertion is evaluated and reported, but never fails or halts a trial. */
export function isAdvisory(assertion: unknown): boolean {
  return (
    typeof assertion === 'object' &&
    assertion !== null &&
    'role' in assertion &&
    assertion.role === 'advisory'
  );
}
