import { expect, test } from 'vitest';
import { examineWidgets, widgetsSentence } from './widgets-examined.ts';

const plain = { name: 'count' };
const form = { name: 'show_form', _meta: { ui: { resourceUri: 'ui://shop/form' } } };

test('where no tool names a widget nothing is told', () => {
  expect(examineWidgets([plain], null)).toBeUndefined();
});

test.each([
  [null, true, '1 tool with a widget (show_form), which can be tested here.'],
  [
    'Install one.',
    false,
    '1 tool with a widget (show_form), which cannot be tested here. Install one.',
  ],
])('whether they can be tested here is told: %s', (reason, testable, sentence) => {
  const examined = examineWidgets([plain, form], reason);
  expect(examined).toEqual({ tools: ['show_form'], testable, reason });
  expect(examined && widgetsSentence(examined)).toBe(sentence);
});
