import { operations } from '@proofmark/contract';
import { assertionKinds, assertionWords, type Json } from '@proofmark/domain';
import { whyPatternNeverRuns } from '@proofmark/server/patterns';
import { parseSuiteFile, writeSuiteFile } from '@proofmark/server/suite-files';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertionFields, assertionGroups, foundGroups, withType } from './assertion-groups.ts';
import {
  caseContent,
  caseEdit,
  caseFields,
  caseProblems,
  caseVocabulary,
  freeStepId,
  moved,
  newStep,
  problemsByName,
  shownProblems,
  untouched,
  withCallArguments,
  withModel,
} from './case-draft.ts';
import { caseLanguage, noCaseId } from './case-file.ts';
import { caseOfCall } from './case-of-call.ts';
import { type Listed, withListed } from './listed-fields.ts';
import { inLabels, problemText } from './problem-words.ts';
import { unsavedSuite } from './suite-draft.ts';

const files = { parseSuiteFile, writeSuiteFile };
const server = { id: 'srv_1', name: 'Shop' };
const suite = unsavedSuite({
  projectId: 'prj_1',
  name: 'Orders',
  mode: 'agentWorkflow',
  model: 'proofmark/lexical-1',
  servers: [server],
});
const prompt = { id: 'step-1', kind: 'prompt', prompt: 'How many pens?' };
const written: Json = { title: 'Counts pens', steps: [prompt] };

describe('a case while it is written', () => {
  test('is wrong as the service would say it, told where one has been', () => {
    const problems = caseProblems(
      { title: ' ', steps: [{ ...prompt, prompt: 3 }] },
      false,
      whyPatternNeverRuns,
    );
    expect(problemsByName(problems)).toEqual({
      title: expect.any(String),
      'steps.0.prompt': expect.stringContaining('text'),
    });
    const touched = shownProblems(problems, new Set(['steps.0']));
    expect(touched.map(({ path }) => path.join('.'))).toEqual(['steps.0.prompt']);
    expect(shownProblems(problems, new Set(['step', 'titles']))).toEqual([]);
    expect(shownProblems(problems, 'all')).toBe(problems);
    expect(caseProblems(written, false, whyPatternNeverRuns)).toEqual([]);
    expect(problemsByName(caseProblems(written, true, whyPatternNeverRuns))).toHaveProperty([
      'steps.0',
    ]);
  });

  test('is not wrong in a row that nobody wrote in yet', () => {
    const touched = new Set(['title', 'checks.list.1', 'checks.list.1.ms', 'checks.list.10']);
    expect([...untouched(touched, ['checks', 'list', 1])]).toEqual(['title', 'checks.list.10']);
    expect(untouched('all', ['steps'])).toBe('all');
  });

  test('has patterns that can be run and asks only what it can answer, told in any state', () => {
    const check = { type: 'responseMatches', pattern: '(' };
    const message = expect.stringMatching(/^This pattern cannot be run: it is not a valid pattern/);
    const wrong = {
      steps: [3, { kind: 'assert' }, { kind: 'assert', assertion: check }],
      checks: { list: [null, { ...check, pattern: 3 }, check, { ...check, pattern: 'a+' }] },
    };
    const isPattern = (value: Json) =>
      caseProblems(value, false, whyPatternNeverRuns).filter(
        (one) => one.path.at(-1) === 'pattern',
      );
    expect(isPattern(wrong)).toEqual(
      expect.arrayContaining([
        { path: ['steps', 2, 'assertion', 'pattern'], message },
        { path: ['checks', 'list', 2, 'pattern'], message },
      ]),
    );
    expect(isPattern(wrong).map(({ path }) => path)).not.toContainEqual([
      'checks',
      'list',
      3,
      'pattern',
    ]);
    const rows = { ...written, checks: { list: [{ ...check, pattern: '{{(}}' }] } };
    expect(isPattern({ ...rows, data: { key: 'a', rows: [{ a: 1 }] } })).toEqual([]);
    const call = { ...newStep('toolCall', [], 'Shop'), toolName: 'count' };
    const unasked = {
      title: 'A',
      steps: [call],
      checks: { mode: 'extend', list: [{ type: 'noDestructiveToolCalled' }] },
    };
    expect(problemsByName(caseProblems(unasked, false, whyPatternNeverRuns))).toEqual({
      'checks.list.0.type': expect.stringContaining('no step of this case asks a model'),
    });
  });

  test('names what is wrong as the form does', () => {
    const steps = [{ id: 'a', kind: 'assert', assertion: { type: 'toolLatencyUnder' } }];
    const problems = caseProblems({ steps }, false, whyPatternNeverRuns).map(inLabels);
    expect(problems.map(({ path, message }) => problemText(path, message))).toEqual(
      expect.arrayContaining(['Title is missing.', 'Step 1: Milliseconds is missing.']),
    );
    expect(problemText(['checks', 'list', 0, 'pattern'], 'No.')).toBe('Check 1, Pattern: No.');
    expect(problemText(['settings', 'checks', 1, 'ms'], 'No.')).toBe('Check 2, Milliseconds: No.');
    expect(problemText(['steps', 0, 'arguments', 'name'], 'No.')).toBe(
      'Step 1, Arguments, name: No.',
    );
    expect(problemText([], 'No.')).toBe('No.');
  });

  test('sends what was changed, and null for what was taken out', () => {
    expect(caseEdit(written, written)).toBeUndefined();
    expect(caseEdit({ ...written, iterations: 3 }, { ...written, title: 'Counts' })).toEqual({
      title: 'Counts',
      iterations: null,
    });
  });

  test('has every field that can be written: what is not on the list would be lost', () => {
    const { body } = operations.updateEvalCase;
    const written = Object.keys(Object(body.def).shape).filter(
      (name) => !name.startsWith('expectedUpdated'),
    );
    expect([...caseFields].sort()).toEqual(written.sort());
    expect(Object.keys(caseVocabulary.labels).sort()).toEqual([...caseFields].sort());
  });

  test('says that a sample was taken out: what is left out of rows stays', () => {
    const data = { key: 'city', rows: [{ city: 'Bonn' }] };
    const sampled = { ...written, data: { ...data, sample: { rows: 1, seed: 1 } } };
    expect(caseEdit(sampled, { ...written, data })).toEqual({ data: { ...data, sample: null } });
    expect(caseEdit({ ...written, data }, sampled)).toEqual({ data: sampled.data });
    expect(caseEdit(sampled, written)).toEqual({ data: null });
  });

  test('names no provider of another model', () => {
    const models = [{ model: 'a/b', provider: 'a' }, { model: 'c' }];
    expect(withModel(models, 0, 'd')).toEqual([{ model: 'd' }, { model: 'c' }]);
  });

  test('begins with what its suite would not say by itself', () => {
    const read = {
      id: 'cas_1',
      title: 'Counts pens',
      steps: [prompt],
      iterations: 2,
      models: [],
      isNegative: false,
      createdAt: 1,
      updatedAt: 1,
    } as unknown as Parameters<typeof caseContent>[0];
    expect(caseContent(read)).toEqual({ ...written, iterations: 2 });
    expect(caseContent({ ...read, iterationsInherited: true })).toEqual(written);
  });

  test('gets steps with ids that are free, and calls that have arguments', () => {
    expect(newStep('toolCall', [prompt], 'Shop')).toEqual({
      id: 'step-2',
      kind: 'toolCall',
      serverName: 'Shop',
      arguments: {},
    });
    const call = { id: 'step-1', kind: 'toolCall' };
    expect(withCallArguments({ steps: [call, prompt] })).toEqual({
      steps: [{ ...call, arguments: {} }, prompt],
    });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9)), (numbers) => {
        const steps = numbers.map((number) => ({ id: `step-${number}` }));
        expect(steps.map(({ id }) => id)).not.toContain(freeStepId(steps));
      }),
    );
  });

  test('loses no step when one is moved, and what has no place to go stays', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(9), fc.constantFrom(-1, 1), (items, from, by) => {
        const next = moved(items, from, by as -1 | 1);
        expect([...next].sort()).toEqual([...items].sort());
        const isMoved = from < items.length && from + by >= 0 && from + by < items.length;
        expect(next[isMoved ? from + by : from]).toBe(items[from]);
      }),
    );
  });
});

describe('the file beside the form', () => {
  const of = (value: Json, id?: string) => caseLanguage(files, suite, value, id);

  test('says what the form says, and is read back as the same', () => {
    const value = {
      ...written,
      iterations: 2,
      checks: { mode: 'replace', list: [{ type: 'noToolErrors' }] },
    };
    const text = of(value).write(value);
    expect(text).toContain('cases:\n  - id: new-case\n    title: Counts pens\n');
    expect(text).toContain('repetitions: 2');
    expect(of(value).read(text)).toEqual({ value });
  });

  test('keeps what a file cannot say, takes what was changed, and an id only of a new case', () => {
    const value = { ...written, scenario: 'Ann counts.' };
    const text = of(value).write(value).replace('Counts pens', 'Counts nails');
    const changed = { ...value, title: 'Counts nails' };
    expect(of(value).read(text)).toEqual({ value: changed });
    expect(of(value).read(text.replace(noCaseId, 'pens'))).toEqual({
      value: { ...changed, id: 'pens' },
    });
    const other = of(value, 'cas_1').write(value).replace('cas_1', 'pens');
    expect(of(value, 'cas_1').read(other)).toEqual({
      problem: 'The id of a case stays as it is: cas_1.',
    });
  });

  test('changes no field that nobody changed in it, whatever the case says', () => {
    const some = <Value>(value: Value) => fc.option(fc.constant(value), { nil: undefined });
    const call = {
      id: 'reset',
      kind: 'toolCall',
      toolName: 'reset',
      serverName: 'Shop',
      arguments: {},
    };
    const anyCase = fc
      .record({
        expectedOutput: some('4 pens: {{item}}'),
        iterations: some(3),
        isNegative: some(true),
        scenario: some('Ann counts.'),
        models: some([{ model: 'a/b', provider: 'a' }, { model: 'c/d' }]),
        matchOptions: some({ toolCallOrder: 'strict' }),
        checks: some({ mode: 'inherit', list: [{ type: 'noToolErrors' }] }),
        advancedConfig: some({ system: 'Be brief.', temperature: 0.5, toolChoice: 'none' }),
        passThreshold: some(0.8),
        failOnToolError: some(false),
        elicitations: some([{ message: 'Sure?', action: 'decline' }]),
        timeoutMs: some(5_000),
        before: some([call]),
        beforeTimeoutMs: some(100),
        after: some([call]),
        afterTimeoutMs: some(100),
        disabled: some(true),
      })
      .map((more) => ({
        ...written,
        ...JSON.parse(JSON.stringify(more)),
        data: { key: 'item', rows: [{ item: 'pens' }], sample: { rows: 1, seed: 2 } },
      }));
    fc.assert(
      fc.property(anyCase, (value) => {
        expect(caseProblems(value, false)).toEqual([]);
        const text = of(value, 'cas_1').write(value);
        expect(of(value, 'cas_1').read(text)).toEqual({ value });
        const renamed = of(value, 'cas_1').read(text.replace('Counts pens', 'Counts nails'));
        expect(renamed).toEqual({ value: { ...value, title: 'Counts nails' } });
      }),
      { numRuns: 30 },
    );
  });

  test('tells what is wrong with the line it stands in', () => {
    const text = of(written).write(written).replace('ask: How', 'aks: How');
    expect(of(written).read(text)).toEqual({
      problem: expect.stringMatching(/Line 4, column 5: cases\[0\]\.aks: .*did you mean ask/),
    });
    expect(of(written).read('cases: [')).toEqual({ problem: expect.stringMatching(/^Line /) });
  });

  test('is written also of a case that is not right yet, and of a suite without a server', () => {
    const bare = { ...suite, environment: { ...suite.environment, servers: [], serverIds: [] } };
    expect(caseLanguage(files, bare, {}, undefined).write({})).toContain('title: ""');
    const text = caseLanguage(files, bare, written, undefined).write(written);
    expect(caseLanguage(files, bare, written, undefined).read(text)).toEqual({ value: written });
  });
});

describe('an assertion', () => {
  test('of every kind can be written: each has words, a group and the fields of its shape', () => {
    const types = Object.keys(assertionKinds);
    expect(Object.keys(assertionWords).sort()).toEqual([...types].sort());
    const listed = assertionGroups('check').flatMap((group) => group.types);
    expect([...listed].sort()).toEqual([...types].sort());
    expect(new Set(Object.values(assertionWords)).size).toBe(types.length);
    for (const [type, { schema }] of Object.entries(assertionKinds)) {
      const names = assertionFields(type).map(({ name }) => name);
      const shape = Object.keys(Object(schema.def).shape ?? {}).filter((name) => name !== 'type');
      expect(names, type).toEqual(expect.arrayContaining(shape));
    }
    expect(assertionFields('nobody')).toEqual([]);
  });

  test('is found by its words, its group and its name', () => {
    const found = (typed: string) => foundGroups('check', typed).flatMap(({ types }) => types);
    expect(found('answer pattern')).toEqual(['responseMatches']);
    expect(found('judges')).toEqual(['goalCompleted', 'scorer']);
    expect(found('noToolErr')).toEqual(['noToolErrors']);
    expect(found('no such check')).toEqual([]);
    expect(found('')).toHaveLength(Object.keys(assertionKinds).length);
  });

  test('offers the tools and servers of the suite, and the arguments of the tool', () => {
    const inputSchema = { properties: { item: { type: 'string' } }, required: ['item'] };
    const listed = {
      servers: ['Shop', 'Bank'],
      tools: [
        { serverName: 'Shop', name: 'weigh', inputSchema },
        { serverName: 'Shop', name: 'count' },
        { serverName: 'Bank', name: 'pay' },
        { serverName: 'Bank', name: 'count', inputSchema },
      ],
    };
    const fieldOf = (assertion: Json, name: string, from: Listed = listed) =>
      withListed(assertionFields(assertion['type']), assertion, from).find(
        (field) => field.name === name,
      );
    const called = { type: 'toolCalledWith', toolName: 'weigh', args: { args: {} } };
    expect(fieldOf(called, 'toolName')).toMatchObject({
      kind: 'choice',
      choices: ['count', 'pay', 'weigh'],
    });
    expect(fieldOf({ ...called, serverName: 'Bank' }, 'toolName')?.choices).toEqual([
      ...['count', 'pay'],
    ]);
    expect(fieldOf(called, 'serverName')?.choices).toEqual(['Shop', 'Bank']);
    expect(fieldOf({ type: 'onlyToolsCalled' }, 'toolNames')?.item?.choices).toHaveLength(3);
    expect(fieldOf(called, 'args')?.fields[0]?.fields).toMatchObject([
      { name: 'item', kind: 'text', required: false },
    ]);
    const two = { ...called, toolName: 'count' };
    expect(fieldOf(two, 'args')?.kind).toBe('json');
    expect(fieldOf({ ...two, serverName: 'Bank' }, 'args')?.kind).toBe('object');
    expect(fieldOf({ ...called, args: '{{args}}' }, 'args')?.kind).toBe('json');
    const unread = { servers: ['Shop'], tools: undefined };
    expect(fieldOf(called, 'toolName', unread)?.kind).toBe('text');
  });

  test('of another kind keeps what both can say', () => {
    const before = { type: 'toolCalledAtLeastOnce', toolName: 'weigh' };
    expect(withType(before, 'toolNeverCalled')).toEqual({ ...before, type: 'toolNeverCalled' });
    expect(withType(before, 'noToolErrors')).toEqual({ type: 'noToolErrors' });
    expect(withType(before, 'toolCalledWith')).toEqual({
      type: 'toolCalledWith',
      toolName: 'weigh',
      args: { args: {} },
    });
    expect(withType({}, 'noEndingQuestion')).toEqual({
      type: 'noEndingQuestion',
      role: 'advisory',
    });
  });
});

describe('a call that was tried', () => {
  const call = {
    serverId: 'srv_1',
    serverName: 'Shop',
    toolName: 'count',
    parameters: { item: 'pens' },
  };
  const checkOf = (content: unknown[], isError = false) =>
    caseOfCall({ ...call, result: { content, isError } as never }, 'Counts').checks?.list?.[0];

  test('is made again, and its answer is expected by its first line', () => {
    const body = caseOfCall({ ...call, result: { content: [], isError: false } }, 'Counts');
    expect(body.steps).toEqual([
      {
        id: 'call',
        kind: 'toolCall',
        serverId: 'srv_1',
        serverName: 'Shop',
        toolName: 'count',
        arguments: { item: 'pens' },
      },
    ]);
    expect(caseProblems(body as unknown as Json, true, whyPatternNeverRuns)).toEqual([]);
    expect(checkOf([])).toEqual({ type: 'noToolErrors' });
    expect(checkOf([{ type: 'image' }, { type: 'text', text: '\n  4 pens \r\nleft' }])).toEqual({
      type: 'toolResultContains',
      toolName: 'count',
      needle: '4 pens',
    });
    expect(checkOf([{ type: 'text', text: '{\n  "pens": 4\n}' }])).toMatchObject({
      needle: '"pens": 4',
    });
    expect(checkOf([{ type: 'text', text: '[]' }])).toMatchObject({ needle: '[]' });
    expect(checkOf([{ type: 'text', text: 'no' }], true)).toEqual({
      type: 'toolCallFails',
      toolName: 'count',
    });
  });

  test('is looked for by a text that stands in it, however long', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '\r', '\u{1f600}', 'é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
        const check = checkOf([{ type: 'text', text }]);
        if (check?.type === 'toolResultContains') {
          expect(text).toContain(check.needle);
          expect(check.needle.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});
