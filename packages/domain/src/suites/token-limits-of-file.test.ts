import { expect, test } from 'vitest';
import { completeSuiteFile } from './complete-suite-file.ts';
import { SuiteFile } from './suite-file.ts';
import { suiteFromFile } from './suite-from-file.ts';

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Find a book.' }];
const contains = { type: 'responseContains', needle: 'book' };
const own = { type: 'maximumResultTokens', tokens: 7 };
const ofOneTool = { type: 'maximumResultTokens', tokens: 7, toolName: 'find' };

function checksWith(defaults: object, ...assertions: (object[] | undefined)[]) {
  const file = completeSuiteFile({
    schemaVersion: '2',
    suite: { id: 'shop', name: 'Shop' },
    target: { servers: [{ name: 'Shop' }] },
    defaults: { model: 'proofmark/lexical-1', ...defaults },
    cases: assertions.map((list, at) => ({
      id: `case-${at}`,
      title: `Case ${at}`,
      steps,
      ...(list && { assertions: list }),
    })),
  });
  return suiteFromFile(SuiteFile.parse(file)).cases.map(({ checks }) => checks?.list);
}

test('limits on tokens in defaults are asserted by every case that states none of its own', () => {
  const limits = { maximumSurfaceTokens: 2000, maximumResultTokens: 500 };
  const ofSurface = { type: 'maximumSurfaceTokens', tokens: 2000 };
  const ofResults = { type: 'maximumResultTokens', tokens: 500 };
  expect(checksWith(limits, undefined, [contains], [own], [ofOneTool])).toEqual([
    [ofSurface, ofResults],
    [contains, ofSurface, ofResults],
    [own, ofSurface],
    [ofOneTool, ofSurface, ofResults],
  ]);
});

test('without limits a case has exactly its own assertions', () => {
  expect(checksWith({}, undefined, [contains])).toEqual([undefined, [contains]]);
});
