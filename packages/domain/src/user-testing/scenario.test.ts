import { describe, expect, test } from 'vitest';
import {
  effectOfModeChange,
  scenarioLinkPath,
  scenarioModes,
  tooManyScenarios,
} from './scenario.ts';

describe('a change of who may open a scenario', () => {
  test.each([
    ['project_members', 'invited_only', 'widens'],
    ['project_members', 'anyone_with_link', 'widens'],
    ['invited_only', 'anyone_with_link', 'widens'],
    ['anyone_with_link', 'invited_only', 'tightens'],
    ['anyone_with_link', 'project_members', 'tightens'],
    ['invited_only', 'project_members', 'tightens'],
  ] as const)('from %s to %s %s', (from, to, effect) => {
    expect(effectOfModeChange(from, to)).toBe(effect);
  });

  test('to the same is none', () => {
    for (const mode of scenarioModes) expect(effectOfModeChange(mode, mode)).toBe('none');
  });
});

describe('the link', () => {
  test.each([
    ['Bücher & Mehr!', 'bucher-mehr'],
    ['  ', 'chat'],
    ['日本語', 'chat'],
    ['日本語 books', 'books'],
    ['../../etc?x#y', 'etc-x-y'],
    [`${'long '.repeat(30)}`, 'long-long-long-long-long-long-long-long-long-long-long-long'],
  ])('of %j reads %s', (name, slug) => {
    expect(scenarioLinkPath(name, 'token')).toBe(`/user-testing/${slug}/token`);
  });
});

test('as many are published as the operator allows', () => {
  expect(tooManyScenarios(1000, null)).toBeUndefined();
  expect(tooManyScenarios(1, 2)).toBeUndefined();
  expect(tooManyScenarios(2, 2)).toMatchObject({
    code: 'FORBIDDEN',
    details: { limit: 'maxScenariosPerProject', allowedValue: 2, currentValue: 2 },
  });
  expect(tooManyScenarios(0, 0)).toMatchObject({ code: 'FORBIDDEN' });
});
