import { expect, test } from 'vitest';
import { mayWidgetCall, visibleTools } from './visible-tools.ts';

const tool = (_meta?: unknown) => ({ name: 'tool', ...(_meta === undefined ? {} : { _meta }) });

test.each<[string, unknown, boolean]>([
  ['says nothing', undefined, true],
  ['is for the model', { ui: { visibility: ['model'] } }, true],
  ['is for both', { ui: { visibility: ['app', 'model'] } }, true],
  ['is for the app', { ui: { visibility: ['app'] } }, false],
  ['is for nobody', { ui: { visibility: [] } }, false],
  ['says something that is no list', { ui: { visibility: 'app' } }, true],
  ['has something else where the list would be', { ui: 'app' }, true],
  ['has nothing where it would be', null, true],
])(
  'a tool that %s (%j) is seen by a client that does not say otherwise: %s',
  (_title, meta, isSeen) => {
    for (const config of [{ respectToolVisibility: true }, {}]) {
      expect(visibleTools(config, [tool(meta)])).toHaveLength(isSeen ? 1 : 0);
    }
  },
);

test('a client that does not respect it sees every tool', () => {
  const tools = [tool({ ui: { visibility: ['app'] } })];
  expect(visibleTools({ respectToolVisibility: false }, tools)).toHaveLength(1);
});

test.each<[unknown, boolean]>([
  [undefined, true],
  [{ ui: { visibility: ['app'] } }, true],
  [{ ui: { visibility: ['model', 'app'] } }, true],
  [{ ui: { visibility: ['model'] } }, false],
])('a widget may call a tool with %j: %s', (meta, may) => {
  expect(mayWidgetCall(tool(meta))).toBe(may);
});

test('the order stays', () => {
  const tools = ['b', 'a', 'c'].map((name) => ({ name }));
  expect(visibleTools({ respectToolVisibility: true }, tools)).toEqual(tools);
});
