import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolPolicy } from '../suites/suite-definition.ts';
import { nameTools } from './name-tools.ts';
import { refuseByPolicy } from './refuse-by-policy.ts';
import { sumUsage, tokensUsed } from './sum-usage.ts';
import { trialSentence } from './trial-sentence.ts';

const reads = { annotations: { readOnlyHint: true } };
const writes = { annotations: { readOnlyHint: 'true' } };

test.each<[string, object, object | undefined, boolean]>([
  ['no policy', {}, undefined, true],
  ['the default', { toolPolicy: { mode: 'default' } }, writes, true],
  ['a denied tool', { toolPolicy: { mode: 'default', deny: ['t'] } }, reads, false],
  [
    'a tool both denied and exempt',
    { toolPolicy: { mode: 'readOnly', deny: ['t'], allow: ['t'] } },
    reads,
    false,
  ],
  ['readOnly and a tool that only reads', { toolPolicy: { mode: 'readOnly' } }, reads, true],
  [
    'readOnly and a tool that does not say it well',
    { toolPolicy: { mode: 'readOnly' } },
    writes,
    false,
  ],
  ['readOnly and a tool nobody lists', { toolPolicy: { mode: 'readOnly' } }, undefined, false],
  ['readOnly and an exempt tool', { toolPolicy: { mode: 'readOnly', allow: ['t'] } }, writes, true],
  [
    'a list of exempt tools is no list of the only ones',
    { toolPolicy: { mode: 'default', allow: ['x'] } },
    writes,
    true,
  ],
  ['approval', { requireToolApproval: true }, reads, false],
  [
    'approval of an exempt tool',
    { requireToolApproval: true, toolPolicy: { mode: 'readOnly', allow: ['t'] } },
    reads,
    false,
  ],
])('policy: %s', (_, rules, tool, isAllowed) => {
  const refused = refuseByPolicy(
    { toolName: 't', tool: tool as never },
    rules as { toolPolicy?: ToolPolicy; requireToolApproval?: boolean },
  );
  expect(refused === undefined).toBe(isAllowed);
  if (!isAllowed) expect(refused?.reason).toContain('"t"');
});

test('every tool has an allowed name of its own, and keeps its own where it can', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'b', 'a_b', 'S_a', 'S_a_2', 'listSkills', 'ä', '', 'x'.repeat(80)),
    fc.string({ maxLength: 80 }),
  );
  const tool = fc.record({ serverName: fc.constantFrom('S', 'T', 'ö', ''), toolName: name });
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 12 }), (tools) => {
      const names = nameTools(tools, ['listSkills']);
      expect(new Set(['listSkills', ...names]).size).toBe(tools.length + 1);
      for (const [index, one] of names.entries()) {
        expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        const own = tools[index]?.toolName ?? '';
        const isAlone = tools.filter(({ toolName }) => toolName === own).length === 1;
        const isAllowed = /^[A-Za-z0-9_-]{1,64}$/.test(own) && own !== 'listSkills';
        if (isAlone && isAllowed) expect(one).toBe(own);
      }
    }),
  );
});

test.each([
  [[], null, null],
  [[{ inputTokens: 2, outputTokens: 3 }], { inputTokens: 2, outputTokens: 3, totalTokens: 5 }, 5],
  [
    [
      { totalTokens: 5, inputTokens: 2 },
      { totalTokens: 1, inputTokens: 1, outputTokens: 0 },
    ],
    { inputTokens: 3, outputTokens: 3, totalTokens: 6 },
    6,
  ],
  [[{ inputTokens: 2, outputTokens: 3 }, {}], null, null],
  [[{ inputTokens: 2 }, { inputTokens: 2, outputTokens: 1 }], { inputTokens: 4 }, null],
  [[{ totalTokens: 9 }, { totalTokens: 1 }], { totalTokens: 10 }, 10],
  [
    [
      { totalTokens: 5, inputTokens: 10, outputTokens: 10 },
      { totalTokens: 100, inputTokens: 1, outputTokens: 1 },
    ],
    { inputTokens: 11, outputTokens: 11, totalTokens: 120 },
    120,
  ],
])('usage of %j', (answers, usage, tokens) => {
  expect(sumUsage(answers)).toEqual(usage);
  expect(tokensUsed(sumUsage(answers))).toBe(tokens);
});

test('a sentence is one line, bounded and without what looks like a secret', () => {
  const sentence = trialSentence(new Error(`Bearer abcdefgh123\n  and ${'x'.repeat(900)}`));
  expect(sentence).not.toContain('abcdefgh123');
  expect(sentence).not.toContain('\n');
  expect(sentence.length).toBeLessThanOrEqual(200);
});
