import { expect, test } from 'vitest';
import { criteriaOf } from './criterion.ts';
import { journeyNameOf } from './journey.ts';
import { goalJudgeOf } from './judge-config.ts';
import { goalJudgeRefusal, personaModelRefusal } from './persona-model.ts';
import { personaSlug } from './persona-slug.ts';

test.each([
  ['Find the hours. Then go.', 'Find the hours'],
  ['Is 1.5 enough? Say so.', 'Is 1.5 enough'],
  ['Find\n the   hours', 'Find the hours'],
  ['.', '.'],
  [`${'é'.repeat(79)} and more`, 'é'.repeat(79)],
])('%j is called %j', (goal, name) => {
  expect(journeyNameOf(goal)).toBe(name);
});

test.each([
  ['Ada Lovelace', [], 'ada-lovelace'],
  ['  Zoë & Co. 2 ', [], 'zoe-co-2'],
  ['李', [], '李'],
  ['!', ['persona'], 'persona-2'],
  ['Ada', ['ada', 'ada-2', 'ada-4'], 'ada-3'],
])('the slug of %j beside %j is %j', (name, taken, slug) => {
  expect(personaSlug(name, new Set(taken))).toBe(slug);
});

test.each([
  [null, null],
  [{ goalCompletion: {} }, null],
  [{ goalCompletion: { enabled: true } }, null],
  [{ goalCompletion: { enabled: false, autoRun: true } }, null],
  [{ goalCompletion: { autoRun: true } }, { judgeModel: null, threshold: 0.7 }],
  [
    { goalCompletion: { autoRun: true, judgeModel: 'a/b', threshold: 0 } },
    { judgeModel: 'a/b', threshold: 0 },
  ],
])('%j is judged by %j', (config, judge) => {
  expect(goalJudgeOf(config)).toEqual(judge);
});

test('a criterion keeps its id, gets one where it has none, and says its role', () => {
  const stated = [
    { id: 'mine', label: 'No errors', predicate: { type: 'noToolErrors' } },
    { predicate: { type: 'noToolErrors', role: 'advisory', severity: 'warn' } },
  ] as const;
  expect(criteriaOf(stated, () => 'crt_new')).toEqual({
    criteria: [
      { ...stated[0], role: 'gating', severity: null },
      { ...stated[1], id: 'crt_new', label: null, role: 'advisory', severity: 'warn' },
    ],
  });
  expect(criteriaOf([stated[0], stated[1], stated[0]], () => 'crt_new')).toEqual({ sharedIdAt: 2 });
});

test('a persona is played by the scripted user or by a hosted model', () => {
  const offer = { hosted: [{ id: 'a/b', provider: 'a' }], providers: ['a', 'openai'] };
  expect(personaModelRefusal('proofmark/scripted-user-1', offer)).toBeUndefined();
  expect(personaModelRefusal('a/b', offer)).toBeUndefined();
  expect(personaModelRefusal('openai/other', offer)).toEqual({
    code: 'VALIDATION_ERROR',
    message:
      'The model "openai/other" cannot play the persona; choose one of proofmark/scripted-user-1, a/b.',
    details: {
      path: 'body.personaModel',
      reason: 'MODEL_NOT_AVAILABLE',
      model: 'openai/other',
      hostedModels: ['a/b'],
    },
  });
});

test('a built-in model, which cannot talk like a person, is refused and never advised', () => {
  const hosted = [
    { id: 'proofmark/lexical-1', provider: 'proofmark' },
    { id: 'a/b', provider: 'a' },
  ];
  const offer = { hosted, providers: ['proofmark', 'a'] };
  for (const model of ['proofmark/lexical-1', 'proofmark/other', 'c/d']) {
    expect(goalJudgeRefusal(model, offer)?.message).toBe(
      `The model "${model}" cannot judge the journey; choose one of proofmark/rule-judge-1, a/b.`,
    );
    expect(personaModelRefusal(model, offer)).toEqual({
      code: 'VALIDATION_ERROR',
      message: `The model "${model}" cannot play the persona; choose one of proofmark/scripted-user-1, a/b.`,
      details: {
        reason: 'MODEL_NOT_AVAILABLE',
        path: 'body.personaModel',
        model,
        hostedModels: ['a/b'],
      },
    });
  }
  for (const model of ['proofmark/rule-judge-1', 'a/b']) {
    expect(goalJudgeRefusal(model, offer)).toBeUndefined();
  }
  for (const model of ['lexical-agent-1', 'drafter-1', 'narrator-1', 'rule-judge-1']) {
    expect(personaModelRefusal(`proofmark/${model}`, offer)?.details?.['reason']).toBe(
      'MODEL_NOT_AVAILABLE',
    );
  }
});
