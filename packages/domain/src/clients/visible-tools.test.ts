import { expect, test } from 'vitest';
import { visibleTools } from './visible-tools.ts';

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
])('a tool that %s (%j) is seen by a client that respects it: %s', (_title, meta, isSeen) => {
  expect(visibleTools({ respectToolVisibility: true }, [tool(meta)])).toHaveLength(isSeen ? 1 : 0);
});

test.each([{}, { respectToolVisibility: false }])('with %j every tool is seen', (config) => {
  expect(visibleTools(config, [tool({ ui: { visibility: ['app'] } })])).toHaveLength(1);
});

test('the order stays', () => {
  const tools = ['b', 'a', 'c'].map((name) => ({ name }));
  expect(visibleTools({ respectToolVisibility: true }, tools)).toEqual(tools);
});
