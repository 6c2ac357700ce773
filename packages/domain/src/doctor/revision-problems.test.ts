import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import {
  completable,
  revisionProblems,
  revisionRules,
  type SeenAtRevision,
  type SeenRefusal,
} from './revision-problems.ts';
import { revisionFinding } from './revision-state.ts';

const serverInfo = { name: 'fake', version: '1' };
const complete = { resultType: 'complete' };
const cached = { ...complete, ttlMs: 0, cacheScope: 'private' };
const discovered: Json = {
  ...cached,
  capabilities: {},
  supportedVersions: ['2026-07-28'],
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
};
const modern: SeenAtRevision = {
  revision: '2026-07-28',
  transport: 'streamable-http',
  opening: { method: 'server/discover', result: discovered },
  answers: [{ method: 'tools/list', result: { ...cached, tools: [] } }],
  tools: [],
};
const legacy: SeenAtRevision = {
  revision: '2025-11-25',
  transport: 'streamable-http',
  opening: { method: 'initialize', result: { protocolVersion: '2025-11-25', serverInfo } },
  answers: [{ method: 'tools/list', result: { tools: [] } }],
  tools: [],
};
const listed = (result: Json) => ({ answers: [{ method: 'tools/list', result }] });
const annotated = (annotations: Json) => ({ tools: [{ name: 'a', annotations }] });
const named = (...names: string[]) => names.map((name) => ({ name }));
const refusal = (seen: Partial<SeenRefusal>) => ({
  refusal: { method: 'server/discover', revision: '2099-12-31', ...seen },
});
const values = (length: number) => ({
  completion: {
    result: { ...complete, completion: { values: Array.from({ length }, () => 'a') } },
  },
});
const withHeader = (name: string) => ({
  name: 'a',
  inputSchema: { properties: { b: { type: 'string', 'x-mcp-header': name } } },
});

describe('a modern revision', () => {
  test.each<[string, Partial<SeenAtRevision>, string[]]>([
    ['nothing wrong', {}, []],
    [
      'no resultType',
      listed({ ttlMs: 0, cacheScope: 'public' }),
      ['result-type-missing tools/list'],
    ],
    ['no ttlMs', listed({ ...complete, cacheScope: 'public' }), ['ttl-missing tools/list']],
    ['a text as ttlMs', listed({ ...cached, ttlMs: '0' }), ['ttl-missing tools/list']],
    ['a negative ttlMs', listed({ ...cached, ttlMs: -1 }), ['ttl-negative tools/list']],
    ['no cacheScope', listed({ ...complete, ttlMs: 0 }), ['cache-scope tools/list']],
    ['another cacheScope', listed({ ...cached, cacheScope: 'shared' }), ['cache-scope tools/list']],
    [
      'an old shape',
      listed({}),
      ['result-type-missing tools/list', 'ttl-missing tools/list', 'cache-scope tools/list'],
    ],
    [
      'an unstable order',
      { tools: named('a', 'b'), toolsAgain: named('b', 'a') },
      ['list-order-unstable tools/list'],
    ],
    ['a changed list', { tools: named('a', 'b'), toolsAgain: named('b', 'c') }, []],
    ['the prescribed refusal', refusal({ code: -32_022, data: { supported: ['2026-07-28'] } }), []],
    ['a refusal without versions', refusal({ code: -32_022 }), ['version-error server/discover']],
    [
      'a refusal with other versions',
      refusal({ code: -32_022, data: { supported: [7] } }),
      ['version-error server/discover'],
    ],
    [
      'another error',
      refusal({ code: -32_602, data: { supported: [] } }),
      ['version-error server/discover'],
    ],
    ['no error', refusal({}), ['version-error server/discover']],
    ['no refusal', refusal({ isAccepted: true }), []],
    [
      'no name',
      { opening: { method: 'server/discover', result: { ...discovered, _meta: {} } } },
      ['server-info-missing server/discover'],
    ],
    ['completions', values(100), []],
    ['too many completions', values(101), ['completion completion/complete']],
    [
      'completions without values',
      { completion: { result: { ...complete } } },
      ['completion completion/complete'],
    ],
    [
      'completions without resultType',
      { completion: { result: { completion: { values: [] } } } },
      ['result-type-missing completion/complete'],
    ],
    ['failing completions', { completion: { failure: 'No.' } }, ['completion completion/complete']],
    ['sound annotations', annotated({ readOnlyHint: true, destructiveHint: false }), []],
    ['a destructive tool', annotated({ readOnlyHint: false, destructiveHint: true }), []],
    ['a text as a hint', annotated({ openWorldHint: 'yes' }), ['annotations tools/list']],
    ['a hint of null', annotated({ idempotentHint: null }), ['annotations tools/list']],
    [
      'hints that contradict each other',
      annotated({ readOnlyHint: true, destructiveHint: true }),
      ['annotations tools/list'],
    ],
    ['a header', { tools: [withHeader('Region')] }, []],
    ['an invalid header', { tools: [withHeader('a b')] }, ['header-parameter-invalid tools/list']],
    ['an invalid header over stdio', { tools: [withHeader('a b')], transport: 'stdio' }, []],
  ])('%s', (_, seen, expected) => {
    expect(told(revisionProblems({ ...modern, ...seen }))).toEqual(expected);
  });
});

describe('a legacy revision', () => {
  test.each<[string, Partial<SeenAtRevision>, string[]]>([
    ['nothing wrong', {}, []],
    ['an invalid header, which has no meaning', { tools: [withHeader('a b')] }, []],
    [
      'no name',
      { opening: { method: 'initialize', result: {} } },
      ['server-info-missing initialize'],
    ],
    ['failing completions', { completion: { failure: 'No.' } }, ['completion completion/complete']],
    ['a text as a hint', annotated({ readOnlyHint: 'yes' }), ['annotations tools/list']],
    [
      'a text as a hint, before there were hints',
      { ...annotated({ readOnlyHint: 'yes' }), revision: '2024-11-05' },
      [],
    ],
    [
      'an unstable order',
      { tools: named('a', 'b'), toolsAgain: named('b', 'a') },
      ['list-order-unstable tools/list'],
    ],
  ])('%s', (_, seen, expected) => {
    expect(told(revisionProblems({ ...legacy, ...seen }))).toEqual(expected);
  });
});

test('a rule is told once for each method, in the order of the rules', () => {
  const anyResult = fc.record(
    {
      resultType: fc.constant('complete'),
      ttlMs: fc.constantFrom(0, -1),
      cacheScope: fc.constantFrom('public', 'other'),
    },
    { requiredKeys: [] },
  );
  const method = fc.constantFrom('tools/list', 'prompts/list', 'completion/complete');
  const anyAnswers = fc.array(fc.record({ method, result: anyResult }), { maxLength: 8 });
  fc.assert(
    fc.property(anyAnswers, (answers) => {
      const keys = (list: typeof answers) => told(revisionProblems({ ...modern, answers: list }));
      const all = keys(answers);
      expect(new Set(all).size).toBe(all.length);
      const rank = (key: string) => revisionRules.findIndex((rule) => key.startsWith(`${rule} `));
      expect(all.map(rank)).toEqual(all.map(rank).sort((one, other) => one - other));
      expect(new Set(keys([...answers].reverse()))).toEqual(new Set(all));
    }),
  );
});

describe('the state of a revision', () => {
  const opened = (seen: Partial<SeenAtRevision>, failure?: string) =>
    revisionFinding('2026-07-28', { kind: 'opened', seen: { ...modern, ...seen }, failure }, true);

  test('is spoken without problems', () => {
    expect(opened({ tools: named('a') })).toEqual({
      revision: '2026-07-28',
      era: 'modern',
      state: 'spoken',
      detail: 'It answers with 1 tool.',
      problems: [],
    });
  });

  test('is broken with one, and if a list cannot be read', () => {
    expect(opened(listed({}))).toMatchObject({
      state: 'broken',
      detail: 'It answers, but breaks 3 rules.',
    });
    expect(opened({}, 'It failed.')).toMatchObject({ state: 'broken', detail: 'It failed.' });
  });

  test.each<[string, boolean, Partial<SeenRefusal> | undefined, string, number]>([
    ['a server of the legacy era may refuse as it likes', false, { code: -32_601 }, 'refused', 0],
    ['but must keep the form of the code it uses', false, { code: -32_022 }, 'refused', 1],
    ['a server of the modern era must keep it always', true, { code: -32_601 }, 'refused', 1],
    ['nothing is known of a refusal that was not seen', true, undefined, 'refused', 0],
  ])('%s', (_, isModernServer, refused, state, problems) => {
    const of = refused && { method: 'initialize', revision: '2025-06-18', ...refused };
    const seen = { kind: 'refused', detail: 'No.', refusal: of } as const;
    const finding = revisionFinding('2025-06-18', seen, isModernServer);
    expect([finding.state, finding.problems.length]).toEqual([state, problems]);
  });

  test('an error in answer to the older handshake is a refusal by a modern server alone', () => {
    const refused = { method: 'initialize', revision: '2025-06-18', code: -32_603 };
    const seen = { kind: 'failed', detail: 'It broke.', refusal: refused } as const;
    expect(revisionFinding('2025-06-18', seen, true).state).toBe('refused');
    expect(revisionFinding('2025-06-18', seen, false).state).toBe('broken');
    expect(revisionFinding('2025-06-18', { kind: 'failed', detail: 'Late.' }, true).state).toBe(
      'broken',
    );
  });
});

test('completions are requested for the first argument, else for the first variable', () => {
  const prompts = [{ name: 'bare' }, { name: 'greet', arguments: [{ name: 'who' }] }];
  const templates = [{ uriTemplate: 'a://b' }, { uriTemplate: 'a://{?id}' }];
  expect(completable(prompts, templates)).toEqual({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: '' },
  });
  expect(completable([], templates)).toEqual({
    ref: { type: 'ref/resource', uri: 'a://{?id}' },
    argument: { name: 'id', value: '' },
  });
  expect(completable([{ name: 'bare' }], [])).toBeUndefined();
});

function told(problems: ReturnType<typeof revisionProblems>): string[] {
  for (const { message } of problems) expect(message).toMatch(/^.{10,}\.$/);
  return problems.map(({ rule, method }) => `${rule} ${method}`);
}
