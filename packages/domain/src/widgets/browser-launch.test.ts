import { expect, test } from 'vitest';
import {
  browserWarnings,
  launchWays,
  notStartedText,
  type SandboxChoice,
} from './browser-launch.ts';

const user = { name: 'nobody', uid: 65534, gid: 65534 };
const words = (isRoot: boolean, sandbox: SandboxChoice, other: typeof user | undefined) =>
  launchWays({ isRoot, sandbox, user: other }).map(
    (way) => `${way.user?.name ?? 'own'} ${way.hasSandbox ? 'in' : 'without'}`,
  );

test.each<[string, string[], string[]]>([
  ['root, auto', words(true, 'auto', user), ['nobody in', 'nobody without', 'own without']],
  ['root, required', words(true, 'required', user), ['nobody in']],
  ['root, off', words(true, 'off', user), ['nobody without', 'own without']],
  ['root without another user', words(true, 'auto', undefined), ['own without']],
  ['root without another user, required', words(true, 'required', undefined), []],
  ['somebody else, auto', words(false, 'auto', undefined), ['own in']],
  ['somebody else, required', words(false, 'required', undefined), ['own in']],
  ['somebody else, off', words(false, 'off', undefined), ['own without']],
])('%s', (_, ways, expected) => {
  expect(ways).toEqual(expected);
});

test('what is not as it should be is said in whole sentences, and nothing else is', () => {
  const well = { version: '1', sandboxed: true, user: 'nobody', memoryBounded: true };
  expect(browserWarnings({ ...well, failedBefore: [] })).toEqual([]);
  const worst = { ...well, sandboxed: false, memoryBounded: false, failedBefore: ['It failed.'] };
  const warnings = browserWarnings(worst);
  expect(warnings).toHaveLength(2);
  for (const sentence of [
    ...warnings,
    notStartedText(['It failed.'], 'auto'),
    notStartedText([], 'off'),
  ]) {
    expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
    expect(sentence).not.toContain('..');
  }
});
