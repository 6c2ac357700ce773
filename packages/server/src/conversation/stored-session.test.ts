import { sessionEvidenceOf } from '@proofmark/harness/any-sessions.ts';
import { expect, test } from 'vitest';
import { TraceSecrets } from '../outside/mcp/trace-secrets.ts';
import type { SessionProgress } from './session-record.ts';
import { storedEvidence, storedProgress } from './stored-session.ts';

const secret = 'sk-4f9a77c0ffee1234';
const secrets = new TraceSecrets();
secrets.add(secret);

const call = (text: string) => ({ toolName: 'book', arguments: { text } });

function keep(turns: readonly (readonly ReturnType<typeof call>[])[]) {
  const { transcript } = sessionEvidenceOf();
  const evidence = { turns, transcript: { ...transcript, toolCalls: turns.flat() } };
  const trace = { prompts: turns.map((calls) => ({ prompt: 'Book.', actualToolCalls: calls })) };
  const preview = `${'a'.repeat(190)} ${secret}`;
  const progress = { trace, preview, intents: null } as unknown as SessionProgress;
  return {
    evidence: storedEvidence(sessionEvidenceOf(evidence), secrets),
    progress: storedProgress(progress, secrets),
  };
}

test('a call whose arguments are not as they were sent says so', () => {
  const { evidence } = keep([[call('Monday'), call(`with ${secret}`)]]);
  expect(evidence.turns).toEqual([
    [call('Monday'), { ...call('with [hidden]'), argumentsNotWhole: true }],
  ]);
  const [[long] = []] = keep([[call('a'.repeat(2 * 1024 * 1024))]]).evidence.turns;
  expect(long?.argumentsNotWhole).toBe(true);
});

test('what came back of calls and what was listed was measured, and is kept in the trace alone', () => {
  const { transcript } = sessionEvidenceOf();
  const made = { ...call('Monday'), promptIndex: 0 };
  const answered = { ...made, result: { text: 'A table for two.' }, latencyMs: 7 };
  const evidence = sessionEvidenceOf({
    transcript: { ...transcript, toolCalls: [answered], listedTools: [{ name: 'book' }] },
  });
  const kept = storedEvidence(evidence, secrets);
  expect(kept.transcript.toolCalls).toEqual([call('Monday')]);
  expect(kept.transcript).not.toHaveProperty('listedTools');
});

test('all turns of a session together have one bound', () => {
  const turns = Array.from({ length: 40 }, () => [call('a'.repeat(100_000))]);
  const { evidence, progress } = keep(turns);
  for (const kept of [evidence.turns, evidence.transcript, progress.trace]) {
    expect(JSON.stringify(kept).length).toBeLessThan(1.1 * 1024 * 1024);
  }
  expect(evidence.turns).toHaveLength(40);
  expect(evidence.turns.every((calls) => calls.length === 1)).toBe(true);
});

test('of a secret across a cut nothing stays', () => {
  const across = `${'a'.repeat(1_990)}${secret}${'b'.repeat(2 * 1024 * 1024)}`;
  const { evidence, progress } = keep([[call(across)]]);
  expect(progress.preview).toHaveLength(199);
  expect(JSON.stringify([evidence, progress])).not.toContain(secret.slice(0, 8));
});
