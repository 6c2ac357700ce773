import type { WidgetAction } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { widgetActionWords } from './widget-action-words.ts';

test.each<[WidgetAction, string]>([
  [{ kind: 'click', target: { text: 'Order' } }, 'Click “Order”'],
  [
    {
      kind: 'click',
      clickType: 'double',
      target: { role: { role: 'button', name: 'Place order' }, nth: 1 },
    },
    'Double-click button Place order, match 2',
  ],
  [{ kind: 'click', clickType: 'right', target: { css: '#a' } }, 'Right-click #a'],
  [{ kind: 'type', target: { testId: 'name' }, text: 'Mika' }, 'Type “Mika” into test id name'],
  [{ kind: 'key', key: 'Enter' }, 'Press Enter'],
  [{ kind: 'scroll', direction: 'up' }, 'Scroll up'],
  [{ kind: 'scroll', direction: 'down', amount: 300 }, 'Scroll down by 300'],
  [{ kind: 'wait', ms: 200 }, 'Wait 200 ms'],
])('%j is told as %s', (action, words) => {
  expect(widgetActionWords(action)).toBe(words);
});
