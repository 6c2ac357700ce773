import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import { effectiveChecks } from './effective-checks.ts';
import type { Checks } from './eval-case.ts';

const ask = { id: 'ask', kind: 'prompt', prompt: 'Hello' } as const;
const call = {
  id: 'call',
  kind: 'toolCall',
  serverName: 'S',
  toolName: 't',
  arguments: {},
} as const;
const suite: Assertion[] = [{ type: 'noToolErrors' }];
const list: Assertion[] = [{ type: 'widgetRendered' }];
const run: Assertion[] = [{ type: 'finalAssistantMessageNonEmpty' }];

test.each<[string, Checks | undefined, Assertion[] | undefined, Assertion[]]>([
  ['a case that says nothing has those of the suite', undefined, undefined, suite],
  ['inherit', { mode: 'inherit', list }, undefined, suite],
  ['replace', { mode: 'replace', list }, undefined, list],
  ['replace by nothing', { mode: 'replace' }, undefined, []],
  ['extend: first those of the suite', { mode: 'extend', list }, undefined, [...suite, ...list]],
  ['a run wins over both', { mode: 'extend', list }, run, run],
  ['also when it brings none', { mode: 'replace', list }, [], []],
])('%s', (_title, ofCase, ofRun, expected) => {
  expect(effectiveChecks({ suite, case: ofCase, run: ofRun, steps: [ask] })).toEqual(expected);
});

test('what a suite or a run says about the choice of a model is not asked where no model chooses', () => {
  const choosing: Assertion[] = [
    { type: 'toolCallCountUnder', count: 3 },
    { type: 'noDestructiveToolCalled' },
    ...suite,
  ];
  for (const layer of [{ suite: choosing }, { run: choosing }]) {
    expect(effectiveChecks({ ...layer, steps: [call] })).toEqual(suite);
    expect(effectiveChecks({ ...layer, steps: [call, ask] })).toEqual(choosing);
  }
  // Assertions of older kinds still apply to cases without a model.
  const older: Assertion[] = [{ type: 'toolNeverCalled', toolName: 'x' }];
  expect(effectiveChecks({ suite: older, steps: [call] })).toEqual(older);
});
