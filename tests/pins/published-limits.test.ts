import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stepsOfExamination } from '../../packages/server/src/outside/mcp/examine-server.ts';
import { mcpLimits } from '../../packages/server/src/outside/mcp/mcp-limits.ts';
import { outboundDeadlineMs } from '../../packages/server/src/platform/http/handle-operation.ts';

const guide = readFileSync(
  new URL('../../docs/guides/diagnosing-servers.md', import.meta.url),
  'utf8',
);
const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

test.each([
  ['Connecting', seconds(mcpLimits.connectMs)],
  ['First byte of the handshake and of lists', seconds(mcpLimits.firstByteMs)],
  ['A whole call', seconds(mcpLimits.callMs)],
  ['An examination by the doctor', `${stepsOfExamination} steps`],
  ['One revision, in an examination', seconds(mcpLimits.revisionMs)],
  ['One JSON-RPC message, after decompression', mebibytes(mcpLimits.maxMessageBytes)],
  ['All answers of one call, or of one examination', mebibytes(mcpLimits.maxCallBytes)],
  ['Nesting of JSON', `${mcpLimits.maxDepth} levels`],
  [
    'Brackets, colons and commas that make up one message',
    mcpLimits.maxPieces.toLocaleString('en'),
  ],
  ['Pages of one list, in `export` and `doctor`', `${mcpLimits.maxPages}`],
  ['Entries of one list', mcpLimits.maxItems.toLocaleString('en')],
  ['A schema that is validated against', `${mcpLimits.maxSchemaBytes / 1024} KiB`],
  ['Sessions of one organization at a time', `${mcpLimits.maxSessionsPerOrganization}`],
])('%s: %s', (what, limit) => {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${what} |`));
  expect(row?.split('|')[2]?.trim().split(/, /)[0]).toBe(limit);
});

test('an examination ends before the HTTP request gives up on it', () => {
  expect(guide).toContain(`and ${seconds(mcpLimits.examineMs)} in all |`);
  expect(mcpLimits.examineMs).toBeLessThan(outboundDeadlineMs);
});

test('what a session remembers of schemas', () => {
  expect(guide).toContain(
    `KiB, and ${mebibytes(mcpLimits.maxKeptBytes)} for all tools of a session |`,
  );
});
