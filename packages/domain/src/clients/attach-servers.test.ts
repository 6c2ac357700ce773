import { anyConfig } from '@proofmark/harness/any-client-config.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachServers } from './attach-servers.ts';
import { clientConfigProblem } from './client-config-problem.ts';

const ids = fc.uniqueArray(fc.constantFrom('srv_a', 'srv_b', 'srv_c', 'srv_x'));

test('a client is attached to the given servers alone, and says nothing about others', () => {
  fc.assert(
    fc.property(anyConfig, ids, ids, (config, serverIds, others) => {
      const optionalServerIds = others.filter((id) => !serverIds.includes(id));
      const next = attachServers(config, { serverIds, optionalServerIds });
      expect(next).toMatchObject({ serverIds, optionalServerIds });
      expect(clientConfigProblem(next)?.path ?? '').not.toContain('serverConnectionOverrides');
      const { serverConnectionOverrides: before = {} } = config;
      const { serverConnectionOverrides: after = {} } = next;
      for (const id of [...serverIds, ...optionalServerIds]) expect(after[id]).toEqual(before[id]);
    }),
  );
});

test('optional servers that are left out are detached too, and empty overrides go', () => {
  const config = {
    modelId: 'a/b',
    clientCapabilities: {},
    hostContext: {},
    optionalServerIds: ['b'],
    serverConnectionOverrides: { b: {} },
  };
  expect(attachServers(config, { serverIds: ['a'] })).toEqual({
    modelId: 'a/b',
    clientCapabilities: {},
    hostContext: {},
    serverIds: ['a'],
    optionalServerIds: [],
  });
});
