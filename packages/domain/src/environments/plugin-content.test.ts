import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalPluginContent, componentKeys } from './plugin-content.ts';

const server = (serverId: string) => ({
  serverId,
  name: `S ${serverId}`,
  placement: 'remote' as const,
});
const skill = (skillId: string, skillVersionId = `${skillId}_1`) => ({
  skillId,
  skillVersionId,
  name: `K ${skillId}`,
  contentHash: `hash ${skillVersionId}`,
});

test('the same content is spelled the same in whatever order it comes, however often', () => {
  const ids = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
  fc.assert(
    fc.property(ids, ids, ids, ids, (servers, skills, otherServers, otherSkills) => {
      const spell = (one: string[], other: string[]) =>
        canonicalPluginContent({ servers: one.map(server), skills: other.map((id) => skill(id)) });
      const set = (list: string[]) => [...new Set(list)].sort().join();
      const same = set(servers) === set(otherServers) && set(skills) === set(otherSkills);
      expect(spell(servers, skills) === spell(otherServers, otherSkills)).toBe(same);
    }),
  );
});

test('another version of a skill and another declared version are another content', () => {
  const one = canonicalPluginContent({ servers: [], skills: [skill('a')] });
  expect(canonicalPluginContent({ servers: [], skills: [skill('a', 'a_2')] })).not.toBe(one);
  const declared = canonicalPluginContent({
    declaredVersion: '1',
    servers: [],
    skills: [skill('a')],
  });
  expect(declared).not.toBe(one);
  expect(JSON.parse(declared)).toEqual({ declaredVersion: '1', servers: [], skills: [skill('a')] });
});

test.each([
  [['Weather, today!'], ['weather-today']],
  [
    ['Écrire à Åse', 'ＡＢＣ', '天気'],
    ['écrire-à-åse', 'abc', '天気'],
  ],
  [
    ['A b', 'a-B', 'a b 2', 'A_B'],
    ['a-b', 'a-b-2', 'a-b-2-2', 'a-b-3'],
  ],
  [
    ['!!!', '—'],
    ['component', 'component-2'],
  ],
])('%j have the keys %j', (names, keys) => {
  expect(componentKeys(names)).toEqual(keys);
});
