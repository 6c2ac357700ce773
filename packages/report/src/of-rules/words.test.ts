import {
  categoryMeanings,
  categoryWords,
  decisionReasons,
  exclusionReasons,
  exclusionWords,
  failureCategories,
  reasonWords,
  runStatusWords,
  sourceWords,
  stageReasons,
  stageStates,
  stages,
  stageWords,
  stateWords,
  summaryVerdicts,
  trialStatuses,
  trialStatusWords,
  undecidedActions,
  undecidedReasons,
  undecidedWords,
  verdictSources,
  verdictWords,
} from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { legend, stateSymbol } from '../symbols.ts';
import { validityActions } from '../validity-sentence.ts';

describe('words', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['stage', stages, stageWords],
    ['state', stageStates, stateWords],
    ['reason', stageReasons, reasonWords],
    ['category', failureCategories, categoryWords],
    ['meaning of a category', failureCategories, categoryMeanings],
    ['verdict', summaryVerdicts, verdictWords],
    ['source', verdictSources, sourceWords],
    ['undecided reason', undecidedReasons, undecidedWords],
    ['action of an undecided reason', undecidedReasons, undecidedActions],
    ['trial status', trialStatuses, trialStatusWords],
    ['exclusion', exclusionReasons, exclusionWords],
    ['action of a decision reason', decisionReasons, validityActions],
  ])('every %s has a word of its own table, and no other value has one', (_name, values, words) => {
    expect(Object.keys(words).toSorted()).toEqual([...values].toSorted());
    for (const word of Object.values(words)) expect(word).toMatch(/^[A-Za-z].*[a-z.2]$/);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['stage', stageWords],
    ['state', stateWords],
    ['reason', reasonWords],
    ['category', categoryWords],
    ['verdict', verdictWords],
    ['undecided reason', undecidedWords],
  ])('no two values share the word of a %s', (_name, words) => {
    expect(new Set(Object.values(words)).size).toBe(Object.keys(words).length);
  });

  it('a reason completes a because-clause', () => {
    for (const word of Object.values(reasonWords)) expect(word).toMatch(/^[a-z][^.]*[a-z]$/);
  });

  it('a reason says nothing that one of its causes denies', () => {
    // `missingToolCall` also covers calls that were made: too rarely, out of order, without a
    // required call before, or over a budget. So its words must not contain "never".
    expect(reasonWords.missingToolCall).not.toMatch(/never/);
    expect(reasonWords.unexpectedToolCall).not.toMatch(/was called/);
    expect(reasonWords.argumentMismatch).not.toMatch(/of the call are/);
    expect(reasonWords.predicateFailed).not.toMatch(/result/);
    // `providerError` also covers a provider that cut off the model's answer.
    expect(reasonWords.providerError).not.toMatch(/did not answer/);
  });

  it('what was not decided never speaks of failure', () => {
    const tables = [
      undecidedWords,
      undecidedActions,
      exclusionWords,
      trialStatusWords,
      runStatusWords,
    ];
    for (const word of tables.flatMap((table) => Object.values(table))) {
      expect(word).not.toMatch(/fail|wrong|reject/i);
    }
  });

  it('the five states have five signs, also in ASCII', () => {
    expect(stageStates.map((state) => stateSymbol(state, false)).join(' ')).toBe('✓ ✗ ○ – ·');
    expect(stageStates.map((state) => stateSymbol(state, true)).join(' ')).toBe('P F . ? -');
    expect(legend(true).join(', ')).toBe(
      'P passed, F failed, . not reached, ? not measured, - not applicable',
    );
  });
});
