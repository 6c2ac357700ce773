import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import { type PartChange, partChanges } from '../kernel/part-changes.ts';
import {
  type SurfaceServer,
  surfaceDifference,
  type ToolDifference,
  toolDifferences,
} from './surface-difference.ts';
import { serversOfRun } from './surface-of-run.ts';
import { canonicalToolSurface } from './tool-surface.ts';

const schema = (properties: object) => ({ type: 'object', properties });
const refund = {
  name: 'refund',
  description: 'Pays an order back.',
  inputSchema: schema({ order: { type: 'string' } }),
};
const search = { name: 'search', description: 'Finds orders.', inputSchema: schema({}) };

const tool = fc.record(
  {
    name: fc.constantFrom('add', 'echo', 'été', '__proto__', 'constructor'),
    title: fc.constantFrom('One', 'Two'),
    description: fc.constantFrom('', ' ', 'Adds.', 'Says it again.'),
    inputSchema: fc.constantFrom({}, schema({ a: { type: 'string' } }), { type: 'object' }),
    _meta: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  },
  { requiredKeys: ['name'] },
) as fc.Arbitrary<Json>;
const tools = fc.array(tool, { maxLength: 6 });
const shuffled = (all: fc.Arbitrary<Json[]>) =>
  all.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );

test('tools that are the same differ in nothing, whatever their order', () => {
  fc.assert(
    fc.property(shuffled(tools), ([before, after]) => {
      expect(toolDifferences(before, after)).toEqual([]);
    }),
  );
});

test('the differences hold all of it: with them made, what was there is what is there', () => {
  fc.assert(
    fc.property(tools, tools, (before, after) => {
      const made = withDifferences(before, toolDifferences(before, after));
      expect(canonicalToolSurface(made)).toBe(canonicalToolSurface(after));
    }),
  );
});

test('turned round, what was added is removed, and before is after', () => {
  const turned: Readonly<Record<string, string>> = { added: 'removed', removed: 'added' };
  const changesOf = (all: readonly ToolDifference[], isTurned: boolean) =>
    all
      .map(({ change, name, formerName, parts }) => {
        const names = isTurned ? [formerName ?? name, name] : [name, formerName ?? name];
        const changes = parts.map((one) => [
          one.part,
          ...(isTurned ? [one.after, one.before] : [one.before, one.after]),
        ]);
        return JSON.stringify([isTurned ? (turned[change] ?? change) : change, names, changes]);
      })
      .sort();
  fc.assert(
    fc.property(tools, tools, (before, after) => {
      const there = changesOf(toolDifferences(before, after), false);
      expect(changesOf(toolDifferences(after, before), true)).toEqual(there);
    }),
  );
});

test('a description and a schema that changed are told as what they were and are', () => {
  const after = { ...refund, description: 'Cancels.', inputSchema: schema({}) };
  expect(toolDifferences([refund, search], [search, after])).toEqual([
    {
      change: 'changed',
      name: 'refund',
      parts: [
        { part: 'description', before: 'Pays an order back.', after: 'Cancels.' },
        { part: 'inputSchema', before: refund.inputSchema, after: schema({}) },
      ],
    },
  ]);
});

test('a tool with another name that says the same of itself was renamed', () => {
  const renamed = { ...refund, name: 'pay_back', title: 'Pay back' };
  expect(toolDifferences([refund, search], [search, renamed])).toEqual([
    {
      change: 'renamed',
      name: 'pay_back',
      formerName: 'refund',
      likeness: 1,
      parts: [{ part: 'title', after: 'Pay back' }],
    },
  ]);
});

test('of several that are alike one was renamed, the most alike; not one that does not describe itself', () => {
  const changes = (before: Json[], after: Json[]) =>
    toolDifferences(before, after).map(({ change, name }) => `${change} ${name}`);
  const near = { ...refund, name: 'near', description: 'Pays one order back.' };
  const same = { ...refund, name: 'same' };
  expect(changes([refund], [near, same])).toEqual(['added near', 'renamed same']);
  expect(changes([{ name: 'a' }], [{ name: 'b' }])).toEqual(['removed a', 'added b']);
});

const server = (id: string, name: string | null, ...listed: Json[]): SurfaceServer => ({
  id,
  name,
  tools: listed,
});

test('a server is the same by its id, and one that was saved anew by its name', () => {
  const before = [server('srv_1', 'shop', refund), server('srv_2', 'mail', search)];
  const after = [server('srv_1', 'store', refund), server('srv_3', 'mail')];
  expect(surfaceDifference(before, after)).toEqual([
    {
      change: 'renamed',
      serverId: 'srv_1',
      serverName: 'store',
      formerServerName: 'shop',
      tools: [],
    },
    {
      change: 'changed',
      serverId: 'srv_3',
      serverName: 'mail',
      formerServerId: 'srv_2',
      tools: toolDifferences([search], []),
    },
  ]);
  expect(surfaceDifference(before, before)).toEqual([]);
});

test('a server that came or went is told with all its tools; of two alike none stands in', () => {
  const before = [server('srv_1', 'shop', refund)];
  const after = [server('srv_2', 'shop', refund), server('srv_3', 'shop', refund)];
  expect(
    surfaceDifference(before, after).map(({ change, serverId, tools: changedTools }) => [
      ...[change, serverId],
      ...changedTools.map((one) => `${one.change} ${one.name}`),
    ]),
  ).toEqual([
    ['added', 'srv_2', 'added refund'],
    ['added', 'srv_3', 'added refund'],
    ['removed', 'srv_1', 'removed refund'],
  ]);
});

test('of a run, the list that most trials saw of each server counts', () => {
  const surfaces = [{ b: [refund], a: [search] }, { a: [search] }, { b: [search] }, { c: [] }];
  const names: Readonly<Record<string, string>> = { a: 'Zoo', b: 'Bar' };
  expect(serversOfRun(surfaces, (id) => names[id])).toEqual([
    { id: 'c', name: null, tools: [], lists: 1 },
    { id: 'b', name: 'Bar', tools: [refund], lists: 2 },
    { id: 'a', name: 'Zoo', tools: [search], lists: 1 },
  ]);
});

test('parts: two spellings of one value are one, and what is on one side has nothing on the other', () => {
  const before = { same: { a: 1, b: [2] }, gone: null, changed: 1, absent: undefined };
  const after = { same: { b: [2], a: 1 }, come: false, changed: 2 };
  expect(partChanges(before, after)).toEqual([
    { part: 'changed', before: 1, after: 2 },
    { part: 'come', after: false },
    { part: 'gone', before: null },
  ]);
});

function withDifferences(before: readonly Json[], all: readonly ToolDifference[]): Json[] {
  const left = [...before];
  const take = (name: string, parts: readonly PartChange[]): Json => {
    const at = left.findIndex(
      (one) =>
        one['name'] === name &&
        parts.every(({ part, before: was }) => canonicalJson([one[part]]) === canonicalJson([was])),
    );
    expect(at).toBeGreaterThanOrEqual(0);
    return left.splice(at, 1)[0] as Json;
  };
  const made = all.map(({ change, name, formerName, parts }): Json | undefined => {
    const held = change === 'added' ? {} : take(formerName ?? name, parts);
    if (change === 'removed') return undefined;
    const kept = Object.entries(held).filter(([part]) => !parts.some((one) => one.part === part));
    const put = parts.flatMap((one) => ('after' in one ? [[one.part, one.after] as const] : []));
    return Object.fromEntries([...kept, ...put, ['name', name]]);
  });
  return [...left, ...made.filter((one) => one !== undefined)];
}
