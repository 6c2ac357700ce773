import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { matchRecording, recordedRepetitions } from './match-recordings.ts';
import { spellRequest, wholeRequests } from './recorded-request.ts';
import type { Recording, WholeRequest } from './recording.ts';
import { readRecordingLines, recordingLines } from './recording-lines.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('requests of one conversation', () => {
  test('say only what is new, and are whole again', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }), (grows) => {
        const tools = [{ name: 'a' }];
        const messages = Array.from({ length: 30 }, (_, n) => ({ role: 'user', content: `${n}` }));
        let length = 0;
        const whole: WholeRequest[] = grows.map((more) => {
          length += more;
          return { model: 'm', parameters: {}, tools, messages: messages.slice(0, length) };
        });
        const exchanges = whole.map((request, place) => ({
          kind: 'model' as const,
          by: 'trial' as const,
          hash: '' as const,
          request: spellRequest(
            request,
            whole.slice(0, place).map((one, at) => [at, one] as const),
          ),
        }));
        expect(wholeRequests(exchanges).map(({ request }) => request)).toEqual(whole);
        const storedMessages = exchanges.flatMap(({ request }) => request.messages);
        expect(storedMessages).toEqual(messages.slice(0, length));
        expect(exchanges.filter(({ request }) => request.tools !== undefined)).toHaveLength(1);
      }),
    );
  });

  test('that follow what is not there are refused', () => {
    const request = { model: 'm', parameters: {}, after: 3, messages: [] };
    expect(() => wholeRequests([{ kind: 'model', by: 'trial', hash: '', request }])).toThrow(
      'A recorded request refers to an earlier request that does not exist.',
    );
  });
});

describe('which recording a trial is replayed from', () => {
  const of = (caseId: string, model: string | null, repetition: number) => ({
    caseId,
    model,
    provider: null,
    repetition,
  });
  const recorded = [of('a', 'm', 1), of('a', 'm', 2), of('a', 'n', 1), of('b', 'm', 1)];
  test.each([
    ['the same case, variant and repetition', of('a', 'm', 2), 'recorded', of('a', 'm', 2)],
    ['another model with the recorded one', of('a', 'o', 1), 'recorded', undefined],
    ['more often than recorded', of('a', 'm', 3), 'recorded', undefined],
    ['its own variant first', of('a', 'n', 1), 'live', of('a', 'n', 1)],
    ['another model, by repetition', of('a', 'o', 2), 'live', of('a', 'm', 2)],
    ['the only one of its case', of('b', 'o', 5), 'live', of('b', 'm', 1)],
    ['not one of several', of('a', 'o', 5), 'live', undefined],
    ['a case without any', of('c', 'm', 1), 'live', undefined],
  ] as const)('%s', (_, trial, model, expected) => {
    expect(matchRecording(trial, recorded, model)).toEqual(expected);
  });

  test.each([
    [of('a', 'm', 1), 'recorded', 2],
    [of('a', 'n', 1), 'recorded', 1],
    [of('a', 'o', 1), 'recorded', 0],
    [of('a', 'o', 1), 'live', 2],
    [of('c', 'm', 1), 'live', 0],
  ] as const)('is known as often as it was recorded: %j %s', (trial, model, expected) => {
    expect(recordedRepetitions(trial, recorded, model)).toBe(expected);
  });
});

describe('a recording as a file', () => {
  const recording: Recording = {
    schemaVersion: 1,
    servers: [
      { tools: [{ name: 'weather' }], initialize: { protocolVersion: '1' }, serverName: 'W' },
    ],
    exchanges: [
      {
        toolName: 'weather',
        kind: 'call',
        serverName: 'W',
        nth: 1,
        arguments: { b: 1, a: 2 },
        result: {},
      },
    ],
  };
  const head = { suite: 's', case: 'c', trials: 2 };
  const hash = sha256(canonicalJson(recording));

  test('has one exchange a line with its keys in order, and reads as it was', () => {
    const text = recordingLines(head, recording, sha256);
    const ofAll = sha256(canonicalJson({ head, recording }));
    expect(text).toBe(
      `{"case":"c","format":"proofmark-recording","hash":"${ofAll}","suite":"s","trials":2,"version":2}
{"initialize":{"protocolVersion":"1"},"kind":"server","serverName":"W","tools":[{"name":"weather"}]}
{"arguments":{"a":2,"b":1},"kind":"call","nth":1,"result":{},"serverName":"W","toolName":"weather"}
`,
    );
    expect(readRecordingLines(text, sha256)).toEqual({ head, recording, hash });
    // Files of version 1 contain a hash of the recording alone.
    const older = text.replace(ofAll, hash).replace('"version":2', '"version":1');
    expect(readRecordingLines(older, sha256)).toEqual({ head, recording, hash });
  });

  test.each([
    ['another word', (text: string) => text.replace('"a":2', '"a":3')],
    ['a line less', (text: string) => text.split('\n').slice(0, 2).join('\n')],
    ['a line that is none', (text: string) => `${text}{"kind":`],
    ['another suite', (text: string) => text.replace('"suite":"s"', '"suite":"t"')],
    ['another number of trials', (text: string) => text.replace('"trials":2', '"trials":1')],
    ['no number of trials', (text: string) => text.replace('"trials":2,', '')],
    ['more in its first line', (text: string) => text.replace('{', '{"a":1,')],
    ['an older version', (text: string) => text.replace('"version":2', '"version":1')],
    ['a newer version', (text: string) => text.replace('"version":2', '"version":3')],
    ['another format', (text: string) => text.replace('proofmark-recording', 'other')],
    ['nothing', () => ''],
  ])('with %s is no recording', (_, change) => {
    expect(
      readRecordingLines(change(recordingLines(head, recording, sha256)), sha256),
    ).toBeUndefined();
  });
});
