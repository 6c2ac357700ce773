import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import { excludeTools, exclusionOf, mustExclude } from './excluded-tools.ts';
import { headerFaults, headerPartOf } from './header-parameters.ts';
import { lintSurface } from './lint-surface.ts';

const tool = (name: string, properties: object): Json => ({
  name,
  inputSchema: { type: 'object', properties },
});
const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });
const at = '/inputSchema/properties/a/x-mcp-header';

describe('a tool is excluded', () => {
  test.each<[string, object, string, string]>([
    ['an empty header', { a: header('') }, 'empty', at],
    ['no header at all', { a: header(null) }, 'empty', at],
    ['a number as the header', { a: header(7) }, 'notToken', at],
    ['a space in the header', { a: header('My Region') }, 'notToken', at],
    ['a colon in the header', { a: header('Region:1') }, 'notToken', at],
    ['a letter beyond ASCII', { a: header('Région') }, 'notToken', at],
    ['a tab in the header', { a: header('Region\t1') }, 'notToken', at],
    ['an object', { a: header('A', 'object') }, 'notPrimitive', at],
    ['an array', { a: header('A', 'array') }, 'notPrimitive', at],
    ['null', { a: header('A', 'null') }, 'notPrimitive', at],
    ['a number that is no integer', { a: header('A', 'number') }, 'notPrimitive', at],
    ['several types', { a: header('A', ['string', 'null']) }, 'notPrimitive', at],
    [
      'the same header twice',
      { a: header('Id'), b: header('Id') },
      'duplicate',
      '/inputSchema/properties/b/x-mcp-header',
    ],
    [
      'the same header in other letters',
      { a: header('MyField'), b: header('myfield') },
      'duplicate',
      '/inputSchema/properties/b/x-mcp-header',
    ],
    [
      'a parameter in a list',
      { 'a/b': { type: 'array', items: header('A') } },
      'notReachable',
      '/inputSchema/properties/a~1b/items/x-mcp-header',
    ],
    [
      'a parameter in a choice',
      { a: { anyOf: [{}, header('A')] } },
      'notReachable',
      '/inputSchema/properties/a/anyOf/1/x-mcp-header',
    ],
  ])('for %s', (_, properties, reason, path) => {
    const bad = tool('bad', properties);
    const good = tool('good', { a: header('Region') });
    const { kept, excluded } = excludeTools([bad, good]);
    expect(kept).toEqual([good]);
    expect(excluded).toEqual([
      { toolName: 'bad', reason, path, message: expect.stringMatching(/^x-mcp-header: .+\.$/) },
    ]);
  });

  test('for a header below 100 levels of lists', () => {
    let schema: object = header('A');
    for (let level = 0; level < 100; level += 1) schema = { type: 'array', items: schema };
    expect(excludeTools([tool('deep', { a: schema })]).excluded).toHaveLength(1);
  });

  test('only over HTTP, and only at modern revisions', () => {
    const of = (protocolVersion: string, transport: string) =>
      mustExclude({ protocolVersion, transport });
    expect(of('2026-07-28', 'streamable-http')).toBe(true);
    expect(of('2027-01-01', 'streamable-http')).toBe(true);
    expect(of('2025-11-25', 'streamable-http')).toBe(false);
    expect(of('2026-07-28', 'stdio')).toBe(false);
    expect(of('2026-07-28', 'sse')).toBe(false);
  });

  test('with a sentence for the cases that want it, on this server alone', () => {
    const { excluded } = excludeTools([tool('bad', { a: header('') })]);
    const known = excluded.map((one) => ({ serverName: 'A', ...one }));
    expect(exclusionOf(known, { toolName: 'bad' })).toMatch(/^The tool "bad" is excluded, .*empty/);
    expect(exclusionOf(known, { toolName: 'bad', serverName: 'A' })).toBeDefined();
    expect(exclusionOf(known, { toolName: 'bad', serverName: 'B' })).toBeUndefined();
    expect(exclusionOf(known, { toolName: 'good' })).toBeUndefined();
  });

  test('and lint still tells it, as an error', () => {
    const { kept, excluded } = excludeTools([tool('bad', { a: header('') })]);
    const [finding, ...others] = lintSurface([{ name: 'A', tools: kept, excludedTools: excluded }]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'header-parameter-invalid',
      severity: 'error',
      serverName: 'A',
      toolName: 'bad',
      path: at,
    });
  });
});

const anyProperties = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.record({
    type: fc.constantFrom('string', 'integer', 'boolean', 'number', 'object'),
    'x-mcp-header': fc.constantFrom('Id', 'ID', 'Region', '', 'a b'),
  }),
);
const anyTools = fc
  .array(anyProperties, { maxLength: 6 })
  .map((all) => all.map((properties, index) => tool(`tool-${index}`, properties)));

test('each tool is either kept or excluded, and the order stays', () => {
  fc.assert(
    fc.property(anyTools, (tools) => {
      const { kept, excluded } = excludeTools(tools);
      const faulty = new Set(excluded.map(({ toolName }) => toolName));
      expect(kept).toEqual(tools.filter(({ name }) => !faulty.has(String(name))));
      expect(excluded.map(({ toolName }) => toolName)).toEqual(
        tools.flatMap(({ name }) => (faulty.has(String(name)) ? [name] : [])),
      );
      expect(excludeTools(kept)).toEqual({ kept, excluded: [] });
    }),
  );
});

test('one tool never decides about another', () => {
  fc.assert(
    fc.property(anyTools, (tools) => {
      const alone = tools.flatMap((one) => excludeTools([one]).excluded);
      expect(excludeTools(tools).excluded).toEqual(alone);
    }),
  );
});

test('the part of a schema that is sent as headers is all that a call needs of it', () => {
  const nested = {
    type: 'object',
    properties: { b: header('B', 'integer'), c: { type: 'string' } },
  };
  const { inputSchema } = tool('a', { a: header('A'), nested, plain: { type: 'string' } });
  expect(headerPartOf(inputSchema)).toEqual({
    type: 'object',
    properties: {
      a: header('A'),
      nested: { type: 'object', properties: { b: header('B', 'integer') } },
    },
  });
  expect(headerPartOf({ type: 'object', properties: { a: { type: 'string' } } })).toBeUndefined();
  expect(headerFaults(headerPartOf(inputSchema))).toEqual([]);
});
