import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';
import { labelledSet } from './labelled-set.ts';
import { fitThreshold } from './rank-tools.ts';

const guide = readFileSync(
  new URL('../../../../../../docs/guides/models.md', import.meta.url),
  'utf8',
);

test('the guide states exactly the accuracy that the labelled set gives', () => {
  const model = createLexicalModel();
  let selected = 0;
  let filled = 0;
  const calls = labelledSet.filter(({ tool }) => tool !== 'none').length;
  for (const { server, request, tool, input } of labelledSet) {
    const reply = model({
      messages: [{ role: 'user', content: request }],
      tools: labelledServers[server],
    });
    const [call] = reply.toolCalls;
    if ((call?.toolName ?? 'none') !== tool) continue;
    selected += 1;
    if (call !== undefined && isDeepStrictEqual(call.input, input)) filled += 1;
  }
  expect(guide).toContain(`| The right tool, or none | ${share(selected, labelledSet.length)} |`);
  expect(guide).toContain(
    `| The right tool with exactly the right arguments | ${share(filled, calls)} |`,
  );
  expect(guide).toContain(`a score below ${fitThreshold} `);
});

test('the labelled set names tools and parameters that its servers have', () => {
  for (const { server, tool, input } of labelledSet) {
    if (tool === 'none') continue;
    const listed = labelledServers[server].find(({ name }) => name === tool);
    const properties = listed?.inputSchema['properties'] ?? {};
    for (const name of Object.keys(input)) expect(Object.keys(properties)).toContain(name);
  }
});

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
