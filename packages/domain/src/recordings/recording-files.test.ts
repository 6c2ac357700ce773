import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import {
  identityOf,
  possibleCopies,
  readRecordingFile,
  readRecordingFileName,
  recordingFileName,
  surplusRecordingFiles,
  wholeVariants,
  withoutDurations,
} from './recording-files.ts';
import { recordingLines } from './recording-lines.ts';

const trial = (caseId: string, model: string | null, repetition = 1) => ({
  caseId,
  model,
  repetition,
  provider: model?.includes('/') ? (model.split('/')[0] ?? null) : null,
});

test.each([
  [trial('opens', 'proofmark/lexical-1'), 'opens.proofmark~lexical-1.1.jsonl'],
  [trial('opens', null, 12), 'opens.contract.12.jsonl'],
  [trial('opens', 'ollama/llama3.1:8b'), 'opens.ollama~llama3.1%3A8b.1.jsonl'],
  [{ ...trial('a_b-c', 'org/it'), provider: 'mine' }, 'a_b-c.mine+org~it.1.jsonl'],
  [{ ...trial('a', 'gpt'), provider: null }, 'a.gpt.1.jsonl'],
])('the file of %o is %s', (one, name) => {
  expect(recordingFileName(one)).toBe(name);
  expect(readRecordingFileName(name)).toEqual(one);
});

test('every model has a name of its own that every file system takes, and is read from it again', () => {
  const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
  fc.assert(
    fc.property(text, fc.option(text), (model, provider) => {
      const one = { caseId: 'case', model, provider, repetition: 3 };
      const name = recordingFileName(one);
      expect(name).toMatch(/^[A-Za-z0-9._~+%-]+$/);
      if (model !== 'contract') expect(readRecordingFileName(name)).toEqual(one);
    }),
  );
});

test.each(['notes.md', 'opens.1.jsonl', 'opens.contract.0.jsonl', 'a b.contract.1.jsonl'])(
  '%s is no recording',
  (name) => {
    expect(readRecordingFileName(name)).toBeUndefined();
  },
);

test('only files of cases that are gone, and of repetitions that are not played any more, go', () => {
  const played = [trial('opens', 'a/b', 1), trial('opens', 'a/b', 2)];
  const names = [
    ...played.map(recordingFileName),
    ...['opens.a~b.3.jsonl', 'opens.c~d.7.jsonl', 'gone.a~b.1.jsonl', 'not-played.a~b.1.jsonl'],
    'README.md',
  ];
  expect(surplusRecordingFiles(names, new Set(['opens', 'not-played']), played)).toEqual([
    'opens.a~b.3.jsonl',
    'gone.a~b.1.jsonl',
  ]);
});

const read = {
  servers: [
    { serverName: 'shop', initialize: null, tools: [{ name: 'a' }], connectMs: 3, listMs: 4 },
  ],
  exchanges: [{ kind: 'call', result: { durationMs: 5 }, durationMs: 5, stillMs: 1 }],
};
const hashOf = (text: string) => `hash of ${text}`;

test('a file says what was said and heard, and not how long it took', () => {
  const recording = withoutDurations(read);
  const hash = hashOf(canonicalJson(recording));
  const one = trial('opens', 'a/b', 2);
  const head = { suite: 'shop', case: 'opens', trials: 3, ...identityOf(one) };
  const text = recordingLines(head, recording, hashOf);
  expect(text).not.toMatch(/connectMs|listMs|stillMs/);
  expect(text).toContain('"result":{"durationMs":5}');
  const expected = { suite: 'shop', trial: one };
  const found = { recording, hash, trials: 3, isNamed: true };
  expect(readRecordingFile(text, expected, hashOf)).toEqual(found);
  const why = (changed: string, other: object = {}) =>
    readRecordingFile(changed, { ...expected, ...other }, hashOf);
  expect(why(text.replace('"a"', '"b"'))).toEqual({ stale: 'it was changed after the recording' });
  const relabelled = text.replace('"repetition":2', '"repetition":3');
  expect(why(relabelled, { trial: trial('opens', 'a/b', 3) })).toEqual({
    stale: 'it was changed after the recording',
  });
  expect(why(text, { suite: 'other' })).toEqual({ stale: 'it belongs to the suite "shop"' });
  const of = (...other: Parameters<typeof trial>) => why(text, { trial: trial(...other) });
  expect(of('other', 'a/b', 2)).toEqual({ stale: 'it belongs to the case "opens"' });
  expect(of('opens', 'a/c', 2)).toEqual({ stale: 'it belongs to the variant "a~b"' });
  expect(of('opens', 'a/b', 1)).toEqual({ stale: 'it belongs to the repetition 2' });
  // Older files have neither `variant` nor `repetition`.
  const { variant: _, repetition: __, ...older } = head;
  const oldText = recordingLines(older, recording, hashOf);
  expect(readRecordingFile(oldText, expected, hashOf)).toEqual({ ...found, isNamed: false });
});

test('a file that does not say its repetition is taken unless another one says the same', () => {
  const of = (caseId: string, repetition: number, hash: string, isNamed = false) => ({
    ...trial(caseId, 'a/b', repetition),
    hash,
    isNamed,
  });
  const unlike = [of('unlike', 1, 'x'), of('unlike', 2, 'y'), of('only', 1, 'x')];
  const named = [of('named', 1, 'z', true), of('named', 2, 'z', true)];
  const copied = [of('copied', 1, 'x'), of('copied', 2, 'x'), of('copied', 3, 'y')];
  const stripped = [of('stripped', 1, 'x', true), of('stripped', 2, 'x')];
  const refused = possibleCopies([...unlike, ...named, ...copied, ...stripped]);
  expect([...refused.keys()]).toEqual([
    ...['copied.a~b.1.jsonl', 'copied.a~b.2.jsonl', 'stripped.a~b.2.jsonl'],
  ]);
  expect(refused.get('stripped.a~b.2.jsonl')).toContain('a copy of stripped.a~b.1.jsonl');
});

test('a variant of which one file is missing or stale was not recorded', () => {
  const recording = withoutDurations(read);
  const of = (caseId: string, repetition: number) => ({
    ...trial(caseId, 'a/b', repetition),
    recording,
  });
  const whole = [of('whole', 1), of('whole', 2)];
  const stale = [of('stale', 1), trial('stale', 'a/b', 2)];
  expect(wholeVariants([...whole, of('gap', 1), of('gap', 3), ...stale])).toEqual({
    whole,
    missing: ['gap.a~b.2.jsonl'],
    // If a repetition is missing, all repetitions of its variant count as not recorded, including
    // the existing ones.
    lacking: [1, 2, 3]
      .map((repetition) => trial('gap', 'a/b', repetition))
      .concat([1, 2].map((repetition) => trial('stale', 'a/b', repetition))),
  });
  const asked = wholeVariants([...whole, of('short', 1)], ({ caseId }) =>
    caseId === 'short' ? 3 : 2,
  );
  expect(asked).toMatchObject({ whole, missing: ['short.a~b.2.jsonl', 'short.a~b.3.jsonl'] });
  expect(asked.lacking).toHaveLength(3);
  const counted = wholeVariants([...whole, { ...of('gone', 1), trials: 2 }]);
  expect(counted).toMatchObject({ whole, missing: ['gone.a~b.2.jsonl'] });
  expect(counted.lacking).toHaveLength(2);
});
