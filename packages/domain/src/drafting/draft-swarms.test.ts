import { expect, test } from 'vitest';
import { archetypes } from './archetypes.ts';
import { draftJourneys, draftPersonas } from './draft-swarms.ts';

const tool = (name: string, description = '') => ({
  serverName: 'shop',
  name,
  description,
  inputSchema: {},
});
const tools = ['get_c', 'get_a', 'delete_a', 'get_b', 'read_x'].map((name) => tool(name));
const names = (count: number, place: number) =>
  draftJourneys(tools, count, place).map(({ name }) => name);

test('twelve archetypes, in their order where nothing ranks them', () => {
  expect(new Set(archetypes.map(({ name }) => name)).size).toBe(12);
  const drafted = draftPersonas(tools, { personaCount: 12, journeyCount: 1 });
  expect(drafted.map(({ persona }) => persona)).toEqual(archetypes);
  for (const { name, role, notes } of archetypes) {
    expect([name.length <= 120, role.length <= 120, notes.length <= 2_000]).toEqual([
      true,
      true,
      true,
    ]);
  }
});

test('tools are taken in order, whatever order they come in, and each persona begins where the last ended', () => {
  expect(names(2, 0)).toEqual(['get_a', 'get_b']);
  expect(names(2, 1)).toEqual(['get_c', 'read_x']);
  expect(names(2, 2)).toEqual(['get_a', 'get_b']);
  expect(draftJourneys([...tools].reverse(), 4)).toEqual(draftJourneys(tools, 4));
});

test('no journey is drafted twice, and without tools there is none', () => {
  expect(names(5, 0)).toEqual(['get_a', 'get_b', 'get_c', 'read_x']);
  expect(draftJourneys([], 5)).toEqual([]);
});

test('no journey names a tool held for writing, and where all are held there is none', () => {
  const all = draftPersonas(tools, { personaCount: 12, journeyCount: 5 });
  expect(JSON.stringify(all.map(({ journeys }) => journeys))).not.toMatch(/delete/i);
  expect(draftJourneys([tool('delete_a'), tool('send_b')], 5)).toEqual([]);
});
