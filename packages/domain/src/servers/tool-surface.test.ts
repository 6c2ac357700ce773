import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalToolSurface } from './tool-surface.ts';

const tool = fc.record(
  {
    name: fc.constantFrom('add', 'echo', 'été', '🎲', ''),
    description: fc.string(),
    inputSchema: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    _meta: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  },
  { requiredKeys: ['name'] },
);
const toolsAndShuffled = fc
  .array(tool, { maxLength: 6 })
  .chain((tools) =>
    fc.tuple(
      fc.constant(tools),
      fc.shuffledSubarray(tools, { minLength: tools.length, maxLength: tools.length }),
    ),
  );

test('the order of the tools and of their fields does not matter, twins included', () => {
  fc.assert(
    fc.property(toolsAndShuffled, ([tools, shuffled]) => {
      const turned = shuffled.map((one) => Object.fromEntries(Object.entries(one).reverse()));
      expect(canonicalToolSurface(turned)).toBe(canonicalToolSurface(tools));
    }),
  );
});

test('it says all of every tool: read back, it holds the same tools', () => {
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 6 }), (tools) => {
      const read = JSON.parse(canonicalToolSurface(tools)) as unknown[];
      expect(read).toHaveLength(tools.length);
      for (const one of tools) {
        expect(read).toContainEqual(JSON.parse(JSON.stringify(one)));
      }
    }),
  );
});

test.each([
  ['a description', { name: 'add', description: 'Adds.' }],
  ['a schema', { name: 'add', inputSchema: { type: 'object' } }],
  ['a field of its _meta', { name: 'add', _meta: { a: 1 } }],
  ['the name', { name: 'Add' }],
])('another %s is another surface', (_, changed) => {
  expect(canonicalToolSurface([changed])).not.toBe(canonicalToolSurface([{ name: 'add' }]));
});

test('no tools, and its literal form', () => {
  expect(canonicalToolSurface([])).toBe('[]');
  expect(canonicalToolSurface([{ name: 'b' }, { z: 1, name: 'a' }])).toBe(
    '[{"name":"a","z":1},{"name":"b"}]',
  );
});
