import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exportSession, type SessionToExport } from './export-session.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const session: SessionToExport = {
  id: 'cht_1',
  runId: 'jrn_1',
  journeyId: 'jny_1',
  personaId: 'per_1',
  targetId: 'environment:env_1',
  outcome: 'succeeded',
  errorCode: null,
  result: 'passed',
  modelId: 'local/one',
  startedAtMs: 1000,
  endedAtMs: 4000,
  chain: undefined,
  usage: { inputTokens: 30, outputTokens: 12 },
  trace: {
    messages: [{ role: 'user', content: 'Count the pens.' }],
    spans: [{ id: 'llm-1', category: 'llm', modelId: 'local/one', startMs: 5, endMs: 10 }],
  },
};
const exported = (more: Partial<SessionToExport> = {}, includeContent = false) => {
  const [root, ...spans] = exportSession({ ...session, ...more }, { includeContent, sha256Hex });
  const attributes = Object.fromEntries(
    (root?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  return { root, spans, attributes };
};

describe('a session as spans', () => {
  test('has a root with its length, whose it is and what it cost, and its own spans below', () => {
    const { root, spans, attributes } = exported();
    expect(root).toMatchObject({
      name: 'swarm.session',
      startTimeUnixNano: '1000000000',
      status: { code: 1 },
      endTimeUnixNano: '4000000000',
      traceId: sha256Hex('["swarm","cht_1"]').slice(0, 32),
      spanId: sha256Hex('["cht_1","root"]').slice(0, 16),
    });
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'local',
      'gen_ai.request.model': 'local/one',
      'gen_ai.usage.input_tokens': '30',
      'gen_ai.usage.output_tokens': '12',
      'proofmark.run_id': 'jrn_1',
      'proofmark.journey_id': 'jny_1',
      'proofmark.persona_id': 'per_1',
      'proofmark.target_id': 'environment:env_1',
      'proofmark.result': 'passed',
    });
    expect(spans).toMatchObject([{ name: 'chat local/one', parentSpanId: root?.spanId }]);
  });

  test.each([
    ['failed its criteria', { result: 'failed' }, 2, 'failed'],
    ['was not played', { outcome: 'failed', errorCode: 'provider_failed' }, 2, 'provider_failed'],
    ['was limited', { outcome: 'rate_limited', result: null }, 2, 'rate_limited'],
    ['was graded by nobody', { result: null }, undefined, undefined],
  ] as const)('one that %s', (_, more, code, errorType) => {
    const { root, attributes } = exported(more);
    expect(root?.status?.code).toBe(code);
    expect(attributes['error.type']).toBe(errorType);
  });

  test('holds what was said only where it is asked for', () => {
    expect(exported().attributes).not.toHaveProperty(['gen_ai.input.messages']);
    expect(exported({}, true).attributes['gen_ai.input.messages']).toContain('Count the pens.');
  });
});
