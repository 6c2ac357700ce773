import { expect, test } from 'vitest';
import { allowWritesWithDrafts } from './policy-of-drafts.ts';

const asserted = (assertion: object) => ({
  steps: [{ id: 'one', kind: 'assert' as const, assertion: assertion as never }],
});
const called = (toolName: string) => ({
  id: toolName,
  kind: 'toolCall' as const,
  serverName: 'Shop',
  toolName,
  arguments: {},
});

test('a suite without cases of its own allows no tool held for writing', () => {
  expect(allowWritesWithDrafts({}, [])).toEqual([]);
});

test('what a suite states stays as it is', () => {
  const cases = [asserted({ type: 'toolCalledAtLeastOnce', toolName: 'cancel_order' })];
  expect(allowWritesWithDrafts({ allowWrites: ['a'] }, cases)).toEqual(['a']);
  expect(allowWritesWithDrafts({ allowWrites: [] }, cases)).toEqual([]);
});

test('tools that cases of the author call or expect stay allowed, one they forbid does not', () => {
  const settings = { before: [called('reset')], after: [called('clean_up')] };
  const cases = [
    { steps: [called('create_order')] },
    asserted({ type: 'toolCalledWith', toolName: 'cancel_order', args: { args: {} } }),
    asserted({ type: 'toolNeverCalled', toolName: 'delete_all' }),
    asserted({ type: 'toolCallCountUnder', toolName: 'delete_one', count: 1 }),
    { steps: [called('switched_off')], disabled: true },
    { checks: { list: [{ type: 'toolCalledAtLeastOnce' as const, toolName: 'reset' }] } },
  ];
  expect(allowWritesWithDrafts(settings, cases as never)).toEqual([
    'reset',
    'clean_up',
    'create_order',
    'cancel_order',
  ]);
});
