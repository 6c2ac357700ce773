import { anySuiteFile } from '@proofmark/harness/any-suite-file.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvalCaseDefinition } from './eval-case.ts';
import { fileFromSuite } from './file-from-suite.ts';
import {
  environmentsAfter,
  replaceByFile,
  type SuiteBefore,
  serversBefore,
} from './replace-by-file.ts';
import type { SuiteDefinition } from './suite-definition.ts';
import { SuiteFile } from './suite-file.ts';
import { suiteFromFile } from './suite-from-file.ts';

const some = <Fields extends object>(
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => fc.record(fields, { requiredKeys: [] });
const list = fc.array(fc.constantFrom({ type: 'noToolErrors' }, { type: 'widgetRendered' }), {
  maxLength: 2,
});
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const matchOptions = fc.constant({ toolCallOrder: 'strict' });

const moreOfSuite = fc.record({
  definition: some({ systemPrompt: fc.string(), temperature: fraction }),
  settings: some({
    minimumAccuracy: fc.integer({ min: 0, max: 100 }),
    minimumIterations: fc.integer({ min: 1, max: 10 }),
    matchOptions,
    checks: list,
    judge: fc.record({ enabled: fc.boolean(), model: fc.string() }, { requiredKeys: ['enabled'] }),
  }),
  policy: fc.constantFrom('as it is', 'none', 'in part'),
  isFromFile: fc.boolean(),
});
const moreOfCase = fc.record({
  definition: some({
    scenario: fc.string(),
    advancedConfig: some({ system: fc.string(), toolChoice: fc.constant('none') }),
    matchOptions,
    failOnToolError: fc.boolean(),
    models: fc.array(
      fc.record(
        { model: fc.constantFrom('m', 'n'), provider: fc.constant('p') },
        {
          requiredKeys: ['model'],
        },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    checks: fc.record(
      { mode: fc.constantFrom('inherit', 'replace', 'extend'), list },
      { requiredKeys: ['mode'] },
    ),
  }),
  isDeclared: fc.boolean(),
});

const anySuite: fc.Arbitrary<SuiteBefore> = anySuiteFile.chain((file) =>
  fc
    .tuple(moreOfSuite, fc.array(moreOfCase, { minLength: 4, maxLength: 4 }))
    .map(([more, each]) => {
      const { cases, ...suite } = suiteFromFile(file);
      const { file: parts, declaredId, ...definition } = suite.definition;
      const { verdictPolicyDefaults, ...settings } = definition.settings;
      const policy = {
        'as it is': { verdictPolicyDefaults },
        none: {},
        'in part': { verdictPolicyDefaults: { validity: {} } },
      }[more.policy];
      return {
        ...suite,
        id: 'ste_1',
        definition: {
          ...definition,
          ...(more.isFromFile && { file: parts, declaredId }),
          ...more.definition,
          settings: { ...settings, ...policy, ...more.settings },
        } as SuiteDefinition,
        servers: [{ id: 'srv_1', name: 'Weather' }],
        environments: ['Staging', 'Production'],
        hosts: [],
        tags: [],
        schedule: { enabled: true },
        cases: cases.map(({ declaredId: id, ...one }, at) => {
          const { definition: extra, isDeclared } = each[at] as (typeof each)[number];
          const own = isDeclared ? { declaredId: id } : {};
          return {
            id: `cas_${at}`,
            declaredId: own.declaredId ?? null,
            definition: { ...one, ...own, ...extra } as EvalCaseDefinition,
          };
        }),
      };
    }),
);

test('importing what was exported changes nothing of any suite', () => {
  fc.assert(
    fc.property(anySuite, (before) => {
      const written = fileFromSuite(before);
      if ('refusal' in written) throw new Error(written.refusal.message);
      const { name, description, definition, cases } = replaceByFile(
        before,
        SuiteFile.parse(JSON.parse(JSON.stringify(written.file))),
      );
      expect({ name, description, definition }).toEqual({
        name: before.name,
        description: before.description,
        definition: before.definition,
      });
      expect(cases).toEqual(
        before.cases.map((one) => ({ before: one, definition: one.definition })),
      );
    }),
  );
});

test('what the file says is in the suite, whatever that was, and nothing else of the file gets lost', () => {
  fc.assert(
    fc.property(anySuite, anySuiteFile, (before, file) => {
      const after = replaceByFile(before, file);
      const again = fileFromSuite({
        ...before,
        ...after,
        definition: { ...after.definition, settings: { ...after.definition.settings, checks: [] } },
        cases: after.cases.map((one, at) => ({ id: `x${at}`, definition: one.definition })),
      });
      if ('refusal' in again) throw new Error(again.refusal.message);
      const { cases, target, ...rest } = again.file;
      const { cases: wantedCases, target: wanted, ...wantedRest } = file;
      expect(rest).toEqual(wantedRest);
      expect(target.servers).toEqual(wanted.servers);
      for (const [at, one] of cases.entries()) expect(one).toMatchObject(wantedCases[at] ?? {});
    }),
  );
});

describe('a file that says something else', () => {
  const steps = [{ id: 'a', kind: 'prompt' as const, prompt: 'x' }];
  const file = {
    schemaVersion: '1',
    mode: 'agentWorkflow',
    reportingMode: 'standard',
    suite: { id: 'ste_1', name: 'Weather' },
    target: { servers: [{ name: 'Weather', id: 'srv_1' }] },
    defaults: { model: 'a/b', repetitions: 1, passThreshold: 1, validity: {} },
    cases: [{ id: 'one', title: 'One', steps }],
  };
  const judge = { enabled: true, model: 'a/b' };
  const checks = [{ type: 'noToolErrors' as const }];
  const models = [{ model: 'm', provider: 'p' }, { model: 'n', provider: 'q' }, { model: 'o' }];
  const suite = (definition: Partial<EvalCaseDefinition>): SuiteBefore => ({
    id: 'ste_1',
    name: 'Weather',
    description: 'Old',
    definition: { model: 'a/b', settings: { judge, checks, minimumAccuracy: 80 } },
    servers: [{ id: 'srv_1', name: 'Weather' }],
    environments: [],
    hosts: [],
    tags: [],
    schedule: { enabled: false },
    cases: [
      {
        id: 'cas_1',
        declaredId: 'one',
        definition: { title: 'One', declaredId: 'one', steps, ...definition },
      },
    ],
  });
  const after = (
    definition: Partial<EvalCaseDefinition>,
    changes: object = {},
    ofCase: object = {},
  ) => {
    const cases = [{ ...file.cases[0], ...ofCase }];
    return replaceByFile(suite(definition), SuiteFile.parse({ ...file, ...changes, cases }));
  };
  const changed = (before: Partial<EvalCaseDefinition>, ofCase: object) =>
    after(before, {}, ofCase).cases[0]?.definition;

  test('takes away what it could say and keeps the judge', () => {
    const defaults = { ...file.defaults, repetitions: 5 };
    expect(after({}, { defaults })).toMatchObject({
      description: null,
      definition: {
        settings: {
          judge,
          checks,
          minimumAccuracy: 80,
          verdictPolicyDefaults: { repetitions: 5, passThreshold: 1, validity: {} },
        },
      },
    });
  });

  test('another model takes the place of the first, with its provider where it is one of the others', () => {
    const { models: named } = changed({ models }, { model: 'x' }) ?? {};
    expect(named).toEqual([{ model: 'x' }, models[1], models[2]]);
    expect(changed({ models }, { model: 'n' })?.models).toEqual([models[1], models[2]]);
    expect(changed({ models }, {})?.models).toBeUndefined();
  });

  test('without assertions a case has those of the suite, with an empty list none', () => {
    const own = { mode: 'replace' as const, list: [{ type: 'widgetRendered' as const }] };
    expect(changed({}, {})?.checks).toBeUndefined();
    expect(changed({ checks: { mode: 'inherit' } }, {})?.checks).toEqual({ mode: 'inherit' });
    expect(changed({ checks: own }, {})?.checks).toBeUndefined();
    expect(changed({}, { assertions: [] })?.checks).toEqual({ mode: 'replace', list: [] });
    expect(changed({}, { assertions: own.list })?.checks).toEqual(own);
  });

  test('a case is taken once, by its declared id before its own id', () => {
    const cases = [{ id: 'cas_1', title: 'New', steps }, ...file.cases];
    const replaced = replaceByFile(
      suite({ scenario: 'Rain' }),
      SuiteFile.parse({ ...file, cases }),
    );
    expect(replaced.cases.map(({ before }) => before?.id)).toEqual([undefined, 'cas_1']);
    expect(replaced.cases[1]?.definition.scenario).toBe('Rain');
  });
});

test('a named server is the one it was, where each name stood for one', () => {
  const definition = (servers: { name: string }[]): SuiteDefinition => ({
    settings: {},
    file: { schemaVersion: '1', servers },
  });
  const two = definition([{ name: 'A' }, { name: 'B' }]);
  const names = (serverIds: string[]) => [...serversBefore({ definition: two, serverIds })];
  expect(names(['x', 'y'])).toEqual([...[['A', 'x']], ...[['B', 'y']]]);
  expect(names(['x'])).toEqual([]);
});

test('a named environment takes the place of the first; the others stay attached', () => {
  expect(environmentsAfter(['a', 'b'], undefined)).toEqual(['a', 'b']);
  expect(environmentsAfter(['a', 'b'], 'a')).toEqual(['a', 'b']);
  expect(environmentsAfter(['a', 'b'], 'b')).toEqual(['b', 'a']);
  expect(environmentsAfter(['a', 'b'], 'c')).toEqual(['c', 'b']);
  expect(environmentsAfter([], 'c')).toEqual(['c']);
});
