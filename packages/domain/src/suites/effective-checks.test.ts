import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import { effectiveChecks } from './effective-checks.ts';
import type { Checks } from './eval-case.ts';

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
  expect(effectiveChecks({ suite, case: ofCase, run: ofRun })).toEqual(expected);
});
