import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestScorerReason, readScorerAnswer } from './scorer-answer.ts';
import {
  type ScoredConversation,
  ScorerRequest,
  scorerRequestBytes,
  writeScorerRequest,
} from './scorer-request.ts';

const encoder = new TextEncoder();
const read = (text: string) => readScorerAnswer(encoder.encode(text));

describe('the answer of a scorer', () => {
  test.each([
    ['{"score":0}', { score: 0 }],
    ['{"score":1,"reason":"Well said."}', { score: 1, reason: 'Well said.' }],
    ['{"score":0.2,"passed":true,"status":"passed"}', { score: 0.2 }],
    ['{"score":0.5,"reason":"  "}', { score: 0.5 }],
    [
      '{"score":0.5,"reason":"a\\u001b[2Jb\\u202ec\\nd"}',
      { score: 0.5, reason: 'a\ufffd[2Jb\ufffdc\nd' },
    ],
    ['{"score":0.5,"reason":"token=abcdef123"}', { score: 0.5, reason: 'token=[redacted]' }],
  ])('%s is read', (text, answer) => {
    expect(read(text)).toEqual(answer);
  });

  test.each([
    ['', 'JSON'],
    ['score: 1', 'JSON'],
    ['{"score":1}{"score":1}', 'JSON'],
    ['{"score":NaN}', 'JSON'],
    ['null', 'one JSON object'],
    ['[{"score":1}]', 'one JSON object'],
    ['1', 'one JSON object'],
    ['{}', 'score'],
    ['{"score":1.0000001}', 'score'],
    ['{"score":-0.1}', 'score'],
    ['{"score":1e999}', 'score'],
    ['{"score":"1"}', 'score'],
    ['{"score":true}', 'score'],
    ['{"score":null}', 'score'],
    ['{"score":{"value":1}}', 'score'],
    ['{"score":1,"reason":7}', 'reason'],
    ['{"score":1,"reason":null}', 'reason'],
    [JSON.stringify({ score: 1, reason: 'x'.repeat(longestScorerReason + 1) }), 'reason'],
  ])('%s is no score', (text, word) => {
    expect(read(text)).toEqual({ problem: expect.stringContaining(word) });
  });

  test('bytes that are no text are no score, nor is nesting without end', () => {
    expect(readScorerAnswer(new Uint8Array([0x7b, 0xff, 0x7d]))).toHaveProperty('problem');
    expect(read('['.repeat(60_000))).toHaveProperty('problem');
    expect(read(`{"score":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toBeDefined();
  });

  test('whatever it says, a score is a number from 0 to 1', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), (text) => {
        const answer = read(text);
        expect('problem' in answer || (answer.score >= 0 && answer.score <= 1)).toBe(true);
      }),
    );
  });
});

const conversation: ScoredConversation = {
  caseId: 'refund',
  title: 'Refunds an order',
  messages: [
    { role: 'user', content: 'Refund order 7.' },
    { role: 'assistant', content: 'Done.' },
  ],
  toolCalls: [{ toolName: 'refund', serverName: 'Shop', arguments: { order: 7, api_key: 'k-1' } }],
  expectedOutput: 'It is refunded.',
  metadata: { threshold: 0.8, iterationNumber: 1 },
};

describe('the request to a scorer', () => {
  test('is what its schema says, without secrets', () => {
    const hide = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll('Refund order 7.', '[hidden]'));
    const sent = JSON.parse(writeScorerRequest(conversation, hide) ?? '');
    expect(ScorerRequest.parse(sent)).toEqual(sent);
    expect(sent).toEqual({
      schemaVersion: 1,
      caseId: 'refund',
      title: 'Refunds an order',
      messages: [
        { role: 'user', content: '[hidden]' },
        { role: 'assistant', content: 'Done.' },
      ],
      toolCalls: [
        {
          toolName: 'refund',
          serverName: 'Shop',
          arguments: { order: 7, api_key: '[redacted]' },
        },
      ],
      expectedOutput: 'It is refunded.',
      metadata: { threshold: 0.8, iterationNumber: 1 },
    });
  });

  test('that is too large is cut from its oldest results on, and says so', () => {
    const large = 'é'.repeat(300_000);
    const messages = [
      { role: 'user', content: 'Where is it?' },
      { role: 'tool', content: [{ type: 'tool-result', output: large }] },
      { role: 'tool', content: [{ type: 'tool-result', output: 'small' }] },
      { role: 'assistant', content: large },
    ];
    const body = writeScorerRequest({ ...conversation, messages }) ?? '';
    expect(encoder.encode(body).length).toBeLessThanOrEqual(scorerRequestBytes);
    const sent = JSON.parse(body);
    expect(ScorerRequest.parse(sent)).toEqual(sent);
    expect(sent.metadata.isCut).toBe(true);
    expect(sent.messages[0].content).toBe('Where is it?');
    expect(sent.messages[1].content).toContain('was cut');
    expect(sent.messages[2].content).toEqual([{ type: 'tool-result', output: 'small' }]);
    expect(sent.messages[3].content).toBe(large);
  });

  test.each([
    ['messages', { messages: [{ role: 'assistant', content: 'x'.repeat(2_000_000) }] }],
    ['arguments', { toolCalls: [{ toolName: 'put', arguments: { text: 'x'.repeat(2_000_000) } }] }],
  ])('%s of any size fit', (_, more) => {
    const body = writeScorerRequest({ ...conversation, ...more }) ?? '';
    expect(body.length).toBeGreaterThan(0);
    expect(encoder.encode(body).length).toBeLessThanOrEqual(scorerRequestBytes);
    expect(JSON.parse(body).metadata.isCut).toBe(true);
  });

  test('is not sent where what is left does not fit either', () => {
    const expectedOutput = 'x'.repeat(2_000_000);
    expect(writeScorerRequest({ ...conversation, expectedOutput })).toBeUndefined();
  });
});
