import { describe, expect, it } from 'vitest';
import { type AssertionType, assertionKinds } from '../assertions/assertion.ts';
import { isAboutChoice, isReportedAs, stageOfAssertion } from './assertion-owner.ts';
import type { AssertionEvidence } from './trial-evidence.ts';

const ofStages = {
  discovery: [
    ...['toolDescriptionsPresent', 'toolAnnotationsPresent', 'toolNamesUnique'],
    ...['toolInputSchemasWellFormed', 'toolOutputSchemasPresent', 'noDeprecatedToolExposed'],
    'maximumSurfaceTokens',
  ],
  selection: [
    ...['toolCalledAtLeastOnce', 'toolNeverCalled', 'firstToolWas', 'onlyToolsCalled'],
    ...['toolCallCountUnder', 'toolCalledBefore', 'noDestructiveToolCalled'],
    'noDeprecatedToolCalled',
  ],
  call: ['argumentsMatchToolSchema', 'noRepeatedIdenticalCall', 'toolInputMatches'],
  response: [
    ...['noToolErrors', 'toolLatencyUnder', 'toolResultSizeUnder', 'toolResultContains'],
    ...['toolResultMatches', 'toolResultMatchesSchema', 'toolResultPath', 'toolCallFails'],
    ...['toolErrorNamesInput', 'fullPageHasContinuation', 'maximumResultTokens'],
    'toolDoesNotCrash',
  ],
  userValue: [
    ...['responseContains', 'responseMatches', 'finalAssistantMessageNonEmpty'],
    ...['tokenBudgetUnder', 'turnCountUnder', 'noEndingQuestion', 'responseCloseTo'],
    ...['goalCompleted', 'scorer'],
    ...['widgetRendered', 'widgetRenderLatencyUnder', 'widgetNoConsoleErrors'],
  ],
};

describe('the stage that reads an assertion', () => {
  const rows = Object.entries(ofStages).flatMap(([stage, types]) =>
    types.map((type) => [type, stage] as const),
  );

  it.each(rows)('%s: %s', (type, stage) => {
    expect(stageOfAssertion(type, true)).toBe(stage);
    expect(stageOfAssertion(type, false)).toBe(stage === 'selection' ? 'userValue' : stage);
    expect(isAboutChoice(type)).toBe(stage === 'selection');
  });

  it('is one for every kind but that of expected calls, which the matcher judges', () => {
    const types = Object.keys(assertionKinds) as AssertionType[];
    const named = rows.map(([type]) => type);
    expect(types.filter((type) => !named.includes(type))).toEqual(['toolCalledWith']);
    expect(stageOfAssertion('toolCalledWith', true)).toBeUndefined();
    expect(isAboutChoice('toolCalledWith')).toBe(true);
  });

  it('is the last for a kind that only others know', () => {
    expect(stageOfAssertion('hasOwnProperty', true)).toBe('userValue');
  });
});

it('what fails at selection is a call that is missing, or one that was not to be made', () => {
  const typesReportedAs = (reason: 'missingToolCall' | 'unexpectedToolCall') =>
    Object.keys(assertionKinds).filter((type) =>
      isReportedAs(reason, { type } as AssertionEvidence),
    );
  expect(typesReportedAs('missingToolCall').sort()).toEqual([
    'toolCalledAtLeastOnce',
    'toolCalledBefore',
  ]);
  expect(typesReportedAs('unexpectedToolCall').sort()).toEqual([
    ...['firstToolWas', 'noDeprecatedToolCalled', 'noDestructiveToolCalled', 'onlyToolsCalled'],
    ...['toolCallCountUnder', 'toolNeverCalled'],
  ]);
});
