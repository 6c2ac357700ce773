import { setImmediate as later } from 'node:timers/promises';
import { surfaceTokens } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { lintServers, serversAtOnce } from './lint.ts';

const tokensOf = (name: string) => surfaceTokens([{ name, tools: [] }], ({ length }) => length);
const serverIds = Array.from({ length: serversAtOnce + 3 }, (_, index) => `srv_${index}`);

/**
 * Returns a client whose responses wait until the test releases them. The test can then count
 * concurrent requests.
 */
function askedServers(refuses?: string) {
  const open: (() => void)[] = [];
  const begun: string[] = [];
  const client = {
    async lintServer({ serverId }: { readonly serverId: string }) {
      begun.push(serverId);
      await new Promise<void>((resolve) => open.push(resolve));
      if (serverId === refuses) throw new Error('It is away.');
      return { findings: [{ toolName: serverId }], tokens: tokensOf(serverId) };
    },
  } as unknown as Parameters<typeof lintServers>[0]['client'];
  return { begun, open, connection: { client, projectId: 'prj_1' } };
}

test('servers are asked side by side, so many at a time, and told in their order', async () => {
  const { connection, begun, open } = askedServers();
  const linted = lintServers(connection, serverIds);
  const most: number[] = [];
  for (let answered = 0; answered < serverIds.length; answered += 1) {
    await later();
    most.push(begun.length - answered);
    open.pop()?.();
  }
  expect(Math.max(...most)).toBe(serversAtOnce);
  const { findings, tokens } = await linted;
  expect(findings.map(({ toolName }) => toolName)).toEqual(serverIds);
  expect(tokens.servers.map(({ serverName }) => serverName)).toEqual(serverIds);
});

test('where one cannot be asked, nobody else is', async () => {
  const { connection, begun, open } = askedServers('srv_0');
  const linted = lintServers(connection, serverIds);
  await later();
  open[0]?.();
  await expect(linted).rejects.toThrow('It is away.');
  for (const answer of open) answer();
  await later();
  expect(begun).toHaveLength(serversAtOnce);
});
