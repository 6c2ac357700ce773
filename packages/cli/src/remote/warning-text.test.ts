import { expect, test } from 'vitest';
import { warningText } from './warning-text.ts';

test('a warning has its place on a line of its own, and control characters of neither reach the terminal', () => {
  const path = 'cases[0].steps[1].assertion';
  expect(warningText({ path, message: 'No server lists a tool "weigh".' })).toBe(
    'warning: No server lists a tool "weigh".\n  at cases[0].steps[1].assertion',
  );
  const hostile = { path: 'cases[\u001b[31m0]', message: 'No tool "a\nb\u001b[2J".' };
  expect(warningText(hostile).split('\n')).toHaveLength(2);
  expect(warningText(hostile)).not.toContain('\u001b');
});
