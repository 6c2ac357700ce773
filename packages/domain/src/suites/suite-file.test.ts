import { anySuiteFile } from '@proofmark/harness/any-suite-file.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { fileFromSuite, type SuiteToWrite } from './file-from-suite.ts';
import { SuiteFile } from './suite-file.ts';
import { suiteFromFile } from './suite-from-file.ts';

const plain = {
  schemaVersion: '1',
  mode: 'agentWorkflow',
  reportingMode: 'standard',
  suite: { id: 'weather', name: 'Weather' },
  target: { servers: [{ name: 'Weather' }] },
  defaults: { model: 'proofmark/lexical-1', repetitions: 1, passThreshold: 1, validity: {} },
  cases: [{ id: 'one', title: 'One', steps: [{ id: 'a', kind: 'prompt', prompt: 'Hi' }] }],
};

function stored(file: SuiteFile): SuiteToWrite {
  const { cases, ...suite } = suiteFromFile(file);
  return {
    ...suite,
    id: 'ste_1',
    servers: [],
    environments: [],
    hosts: [],
    tags: [],
    schedule: { enabled: false },
    cases: cases.map((definition, index) => ({ id: `cas_${index}`, definition })),
  };
}

describe('a file that is read and written', () => {
  test('says the same, whatever it said', () => {
    fc.assert(
      fc.property(anySuiteFile, (file) => {
        const written = fileFromSuite(stored(file));
        expect(written).toMatchObject({ warnings: [] });
        if ('file' in written) expect(canonicalJson(written.file)).toBe(canonicalJson(file));
      }),
    );
  });

  test('has the same bytes each time', () => {
    fc.assert(
      fc.property(anySuiteFile, (file) => {
        const first = fileFromSuite(stored(file));
        if ('refusal' in first) throw new Error(first.refusal.message);
        const second = fileFromSuite(stored(SuiteFile.parse(first.file)));
        expect(JSON.stringify(second)).toBe(JSON.stringify(first));
      }),
    );
  });

  test('has nothing filled in', () => {
    const parsed = SuiteFile.parse(plain);
    expect(parsed).toEqual(plain);
    expect(suiteFromFile(parsed).cases).toEqual([
      { title: 'One', declaredId: 'one', steps: plain.cases[0]?.steps },
    ]);
  });
});

const [first] = plain.cases as [(typeof plain.cases)[number]];
const { model: _model, ...withoutModel } = plain.defaults;
const call = { id: 'c', kind: 'toolCall', serverName: 'S', toolName: 't', arguments: {} };
const calling = { id: 'one', title: 'One', steps: [call] };
const asking = { id: 'one', title: 'One', steps: [{ id: 'p', kind: 'prompt', prompt: 'Hello' }] };
const judged = { type: 'goalCompleted', outcome: 'It worked.' };
const contract = { ...plain, mode: 'serverContract', defaults: withoutModel, cases: [calling] };

test('a server contract names no model, and is written again as it was read', () => {
  const file = SuiteFile.parse(contract);
  const { definition, cases } = suiteFromFile(file);
  expect(definition).toMatchObject({ mode: 'serverContract' });
  expect(definition).not.toHaveProperty('model');
  const written = fileFromSuite({
    id: 's',
    name: file.suite.name,
    description: null,
    definition,
    servers: [],
    environments: [],
    hosts: [],
    tags: [],
    schedule: { enabled: false },
    cases: cases.map((one) => ({ id: 'row', definition: one })),
  });
  expect(written).toMatchObject({ file: contract, warnings: [] });
});

describe('what is no suite file is refused where it is wrong', () => {
  const withCase = (changes: object) => ({ ...plain, cases: [{ ...first, ...changes }] });
  test.each<[string, object, string]>([
    ['another dialect', { ...plain, schemaVersion: '3' }, 'schemaVersion'],
    ['a number as dialect', { ...plain, schemaVersion: 1 }, 'schemaVersion'],
    ['an unknown mode', { ...plain, mode: 'contract' }, 'mode'],
    ['no model', { ...plain, defaults: withoutModel }, 'defaults.model'],
    ['a contract with a model', { ...contract, defaults: plain.defaults }, 'defaults.model'],
    ['a contract with a prompt', { ...contract, cases: [asking] }, 'cases.0.steps.0'],
    [
      'a contract with a judge',
      { ...contract, cases: [{ ...calling, assertions: [judged] }] },
      'cases.0.assertions.0',
    ],
    [
      'a contract with a model of a case',
      { ...contract, cases: [{ ...calling, model: 'm' }] },
      'cases.0.model',
    ],
    ...Object.entries({
      provider: 'p',
      temperature: 0,
      topP: 0.5,
      maxTokens: 5,
      seed: 1,
      reasoningEffort: 'low',
    }).map(([name, value]): [string, object, string] => [
      `a contract with ${name}`,
      { ...contract, defaults: { ...withoutModel, [name]: value } },
      `defaults.${name}`,
    ]),
    [
      'a contract with what a model is told',
      { ...contract, cases: [{ ...calling, advancedConfig: { system: 'Be brief.' } }] },
      'cases.0.advancedConfig',
    ],
    [
      'a contract with a negative test',
      { ...contract, cases: [{ ...calling, isNegativeTest: true }] },
      'cases.0.isNegativeTest',
    ],
    ['a reserved reporting mode', { ...plain, reportingMode: 'summary' }, 'reportingMode'],
    [
      'a reserved capture level',
      { ...plain, defaults: { ...plain.defaults, captureLevel: 'none' } },
      'defaults.captureLevel',
    ],
    ['an unknown key at the top', { ...plain, extra: 1 }, ''],
    ['an unknown key of a case', withCase({ extra: 1 }), 'cases.0'],
    [
      'an unknown key of a step',
      withCase({ steps: [{ id: 'a', kind: 'prompt', prompt: 'x', extra: 1 }] }),
      'cases.0.steps.0',
    ],
    ['the word of the other dialect', withCase({ iterations: 2 }), 'cases.0'],
    ['no target', { ...plain, target: {} }, 'target'],
    ['no server', { ...plain, target: { servers: [] } }, 'target.servers'],
    ['no case', { ...plain, cases: [] }, 'cases'],
    ['501 cases', { ...plain, cases: many(501) }, 'cases'],
    ['a case id twice', { ...plain, cases: [first, first] }, 'cases.1.id'],
    [
      'a step id twice',
      withCase({ steps: [first.steps[0], first.steps[0]] }),
      'cases.0.steps.1.id',
    ],
    [
      '201 steps',
      withCase({
        steps: Array.from({ length: 201 }, (_, n) => ({ ...first.steps[0], id: `s${n}` })),
      }),
      'cases.0.steps',
    ],
    [
      '51 assertions',
      withCase({ assertions: Array(51).fill({ type: 'noToolErrors' }) }),
      'cases.0.assertions',
    ],
    ['a blank title', withCase({ title: ' ' }), 'cases.0.title'],
    ['a title of 201 characters', withCase({ title: 'x'.repeat(201) }), 'cases.0.title'],
    ['101 repetitions', withCase({ repetitions: 101 }), 'cases.0.repetitions'],
    ['80 as a fraction', withCase({ passThreshold: 80 }), 'cases.0.passThreshold'],
    [
      'an import without provenance',
      withCase({ import: { status: 'approximated' } }),
      'cases.0.import',
    ],
    [
      'an exact import without a note',
      {
        ...withCase({ import: { status: 'exact' } }),
        provenance: { sourceHash: 'a', sourceFormat: 'b', reportHash: 'c' },
      },
      'cases.0.import.note',
    ],
    [
      'provenance without a hash',
      { ...plain, provenance: { sourceFormat: 'b' } },
      'provenance.sourceHash',
    ],
    [
      'provenance with a word nobody knows',
      {
        ...plain,
        provenance: { sourceHash: 'a', sourceFormat: 'b', reportHash: 'c', convertor: 'd' },
      },
      'provenance',
    ],
  ])('%s', (_title, file, path) => {
    const parsed = SuiteFile.safeParse(file);
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  test('500 cases, 200 steps and 50 assertions are taken', () => {
    const largest = {
      ...plain,
      cases: many(500).map((one) => ({
        ...one,
        assertions: Array(50).fill({ type: 'noToolErrors' }),
      })),
    };
    expect(SuiteFile.safeParse(largest).error).toBeUndefined();
  });

  test('a reserved value is told to be one', () => {
    const parsed = SuiteFile.safeParse({ ...plain, reportingMode: 'summary' });
    expect(parsed.error?.issues[0]?.message).toBe(
      '"summary" is reserved for later use; write "standard".',
    );
  });
});

describe('a suite that was made here', () => {
  const suite: SuiteToWrite = {
    ...stored(SuiteFile.parse(plain)),
    definition: { model: 'a/b', settings: { checks: [{ type: 'noToolErrors' }] } },
    servers: [{ id: 'srv_1', name: 'Weather' }],
    cases: [
      {
        id: 'cas_1',
        definition: { title: 'One', steps: [{ id: 'a', kind: 'prompt', prompt: 'x' }] },
      },
      {
        id: 'cas_2',
        definition: {
          title: 'Two',
          declaredId: 'two',
          steps: [{ id: 'a', kind: 'prompt', prompt: 'x' }],
          checks: { mode: 'extend', list: [{ type: 'finalAssistantMessageNonEmpty' }] },
          scenario: 'A rainy day',
          models: [{ model: 'm', provider: 'p' }, { model: 'n' }],
        },
      },
    ],
  };

  test('is written with the assertions that hold for each case, and says what was left out', () => {
    const written = fileFromSuite(suite);
    if ('refusal' in written) throw new Error(written.refusal.message);
    expect(SuiteFile.parse(written.file)).toEqual(written.file);
    expect(written.file.suite.id).toBe('ste_1');
    expect(written.file.cases.map(({ id, assertions }) => [id, assertions])).toEqual([
      ['cas_1', [{ type: 'noToolErrors' }]],
      ['two', [{ type: 'noToolErrors' }, { type: 'finalAssistantMessageNonEmpty' }]],
    ]);
    expect(written.warnings).toEqual([
      'The file format has no place for scenario of the case "Two"; importing the file into this suite keeps the stored value.',
      'The file format has no place for all models except the first of the case "Two"; importing the file into this suite keeps the stored value.',
      'The file format has no place for the provider of the model of the case "Two"; importing the file into this suite keeps the stored value.',
    ]);
  });

  test.each<[string, Partial<SuiteToWrite>]>([
    ['without a case', { cases: [] }],
    ['without a model', { definition: { settings: {} } }],
    ['without servers and environments', { servers: [] }],
    [
      'with a case of more than 50 assertions',
      {
        definition: { model: 'm', settings: { checks: Array(50).fill({ type: 'noToolErrors' }) } },
      },
    ],
  ])('%s is not written', (_title, changes) => {
    expect(fileFromSuite({ ...suite, ...changes })).toMatchObject({
      refusal: { code: 'CONFLICT', details: { reason: 'SUITE_NOT_EXPORTABLE' } },
    });
  });
});

function many(count: number) {
  return Array.from({ length: count }, (_, index) => ({ ...first, id: `case-${index}` }));
}
