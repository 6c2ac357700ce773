import { sessionEvidenceOf, snapshotOf } from '@proofmark/harness/any-sessions.ts';
import { expect, test } from 'vitest';
import { analyzeSession } from './analyzed-session.ts';

const failed = (id: string, serverId: string, more: object = {}) => ({
  id,
  category: 'tool',
  toolName: 'search',
  serverId,
  status: 'error',
  startMs: 0,
  endMs: 1,
  ...more,
});
const contentError = (spanId: string, message: string) => ({
  kind: 'content-error' as const,
  toolName: 'search',
  spanId,
  message,
});

test('what a tool answered is told of the server whose tool it was, and of none for what we lost', () => {
  const evidence = sessionEvidenceOf();
  const { toolErrors } = analyzeSession({
    id: 'cht_1',
    runId: 'jrn_1',
    order: 0,
    snapshot: snapshotOf(),
    targetId: 't',
    evidence: {
      ...evidence,
      transcript: {
        ...evidence.transcript,
        toolErrors: [
          contentError('s1', 'lost'),
          contentError('s2', 'of b'),
          contentError('s3', 'of a'),
          contentError('s4', 'again'),
        ],
      },
    },
    chain: undefined,
    grading: null,
    result: null,
    criteria: [],
    goalScore: null,
    tokensUsed: null,
    spans: [
      failed('s1', 'srv_a', { mcpErrorOrigin: 'ours' }),
      ...[failed('s2', 'srv_b'), failed('s3', 'srv_a'), failed('s4', 'srv_a')],
    ],
  });
  expect([...toolErrors]).toEqual([
    ['srv_b.search', 'of b'],
    ['srv_a.search', 'of a'],
  ]);
});
