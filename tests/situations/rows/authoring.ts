import { unique } from '@proofmark/harness/reporter.ts';
import { ask, called, contains, expectWeather } from '../cases.ts';
import { says, weather } from '../servers/weather-server.ts';
import type { Answer, AskSituation, Ids, SituationFixture, Theme } from '../situation.ts';

const assert = (assertion: object) => ({ id: 'check', kind: 'assert', assertion });
const plain = { title: 'Weather', steps: [ask, expectWeather] };

function suiteOf(ids: Ids, test: object, more: object = {}) {
  const serverIds = Object.values(ids.servers);
  return { name: unique('Suite'), serverIds, model: 'proofmark/lexical-1', tests: [test], ...more };
}

async function bothWays(fixture: SituationFixture, ids: Ids, test: object) {
  const authored = await fixture.ask('POST', 'eval-suites', suiteOf(ids, test));
  const { name: suiteName, serverIds, tests } = suiteOf(ids, test);
  const launched = await fixture.ask('POST', 'eval-runs', {
    suiteName,
    serverIds,
    tests: tests.map((one) => ({ model: 'proofmark/lexical-1', ...one })),
  });
  return { authored, launched };
}

function refused(what: string, test: object, words: RegExp): AskSituation {
  return {
    name: what,
    servers: { A: weather() },
    expected: { authored: 400, launched: 400, code: 'VALIDATION_ERROR', isNamed: true },
    ask: async (fixture, ids) => {
      const { authored, launched } = await bothWays(fixture, ids, test);
      return {
        authored: authored.status,
        launched: launched.status,
        code: authored.body.code,
        isNamed: words.test(authored.text) && words.test(launched.text),
      };
    },
  };
}

function kept(key: string, value: unknown, shownAs = key): AskSituation {
  return {
    name: `a test may say ${key}`,
    servers: { A: weather() },
    expected: { authored: 201, [shownAs]: value },
    ask: async (fixture, ids) => {
      const test = { ...plain, [key]: value };
      const { status, body } = await fixture.ask('POST', 'eval-suites', suiteOf(ids, test));
      const id = body.caseUpsert?.committed[0].id;
      const authored = await fixture.get(200, 'GET', `eval-suites/${body.suiteId}/cases/${id}`);
      return { authored: status, [shownAs]: authored[shownAs] };
    },
  };
}

const codesOf = (answer: Answer): string[] | undefined =>
  answer?.warnings?.map(({ code }: Answer) => code);

/** Returns a row that checks the warning codes when a suite is written and when it is launched. */
function warned(
  what: string,
  test: object,
  codes: readonly string[],
  more: object = {},
): AskSituation {
  return {
    name: what,
    servers: { A: weather() },
    expected: { authored: codes, launched: codes },
    ask: async (fixture, ids) => {
      // The service knows the tools only after a listing, so the tools are listed first.
      await fixture.get(200, 'POST', `servers/${ids.servers['A']}/tools`, {});
      const suite = await fixture.get(201, 'POST', 'eval-suites', suiteOf(ids, test, more));
      const run = await fixture.get(202, 'POST', 'eval-runs', { suiteId: suite.suiteId });
      return { authored: codesOf(suite), launched: codesOf(run) };
    },
  };
}

const interact = {
  title: 'Widget',
  steps: [
    ask,
    {
      id: 'click',
      kind: 'interact',
      toolName: 'weather',
      action: { kind: 'click', target: { text: 'Go' } },
    },
    assert(contains('sunny')),
  ],
};
const nestedPattern = { type: 'responseMatches', pattern: '(su+)+nny' };

export const authoring: Theme = {
  theme: 'authoring',
  situations: [
    refused('an unknown key in a test', { ...plain, assertion: [] }, /assertion/),
    refused(
      'a misspelled key in a test names the one that was meant',
      { ...plain, isNegatveTest: true },
      /isNegativeTest/,
    ),
    refused('a misspelled number of runs', { ...plain, iteration: 3 }, /iteration/),
    refused(
      'an unknown key in the advanced configuration',
      { ...plain, advancedConfig: { temprature: 1 } },
      /temprature/,
    ),
    refused('an unknown key in a step', { ...plain, steps: [{ ...ask, text: 'x' }] }, /text/),
    refused(
      'an unknown key in an assertion',
      { ...plain, steps: [ask, assert({ ...called('weather'), tool: 'x' })] },
      /tool/,
    ),
    refused(
      'a pattern that does not compile',
      { ...plain, steps: [ask, assert({ type: 'responseMatches', pattern: '(' })] },
      /pattern/,
    ),
    refused(
      'a pattern of the whole case that does not compile',
      { ...plain, checks: { mode: 'replace', list: [{ type: 'responseMatches', pattern: '[' }] } },
      /pattern/,
    ),
    {
      name: 'a pattern with a nested quantifier',
      servers: { A: weather() },
      expected: { authored: 201 },
      ask: async (fixture, ids) => {
        const test = { ...plain, steps: [ask, assert(nestedPattern)] };
        return { authored: (await fixture.ask('POST', 'eval-suites', suiteOf(ids, test))).status };
      },
    },
    kept('checks', { mode: 'extend', list: [contains('sunny')] }),
    kept('matchOptions', { extraToolCalls: 0 }),
    kept('isNegativeTest', true, 'isNegative'),
    kept('isNegative', true),
    kept('models', [{ model: 'proofmark/lexical-1', provider: 'proofmark' }]),
    kept('repetitions', 2, 'iterations'),
    kept('iterations', 2),
    kept('runs', 2, 'iterations'),
    kept('passThreshold', 0.5),
    kept('disabled', true),
    kept('failOnToolError', false),
    warned('a case that asserts nothing', { title: 'Weather', steps: [ask] }, [
      'CASE_ASSERTS_NOTHING',
    ]),
    warned(
      'an expected output without a judge asserts nothing',
      { title: 'Weather', steps: [ask], expectedOutput: 'Sunny.' },
      ['CASE_ASSERTS_NOTHING'],
    ),
    warned('a case that asserts something', plain, []),
    warned(
      'an expected output with a judge asserts something',
      { title: 'Weather', steps: [ask], expectedOutput: 'Sunny.' },
      [],
      { settings: { judge: { enabled: true, autoRun: true, model: 'proofmark/lexical-1' } } },
    ),
    warned(
      'an assertion that names a tool nobody lists',
      { title: 'Weather', steps: [ask, assert(called('wether'))] },
      ['TOOL_NOT_LISTED'],
    ),
    {
      name: 'toolNeverCalled of a tool nobody lists asserts nothing',
      servers: { A: weather() },
      expected: { authored: ['CASE_ASSERTS_NOTHING', 'TOOL_NOT_LISTED'] },
      ask: async (fixture, ids) => {
        await fixture.get(200, 'POST', `servers/${ids.servers['A']}/tools`, {});
        const test = {
          title: 'Weather',
          steps: [ask, assert({ type: 'toolNeverCalled', toolName: 'wether' })],
        };
        const suite = await fixture.get(201, 'POST', 'eval-suites', suiteOf(ids, test));
        return { authored: codesOf(suite)?.sort() };
      },
    },
    {
      name: 'a negative case on a server without tools',
      servers: { A: weather({ tools: [] }) },
      expected: { authored: ['NEGATIVE_WITHOUT_TOOLS'] },
      ask: async (fixture, ids) => {
        await fixture.get(200, 'POST', `servers/${ids.servers['A']}/tools`, {});
        const test = { title: 'Hello', steps: [ask], isNegativeTest: true };
        return {
          authored: codesOf(await fixture.get(201, 'POST', 'eval-suites', suiteOf(ids, test))),
        };
      },
    },
    {
      name: 'an interaction is warned of where nothing can render',
      servers: { A: weather() },
      expected: { isWarned: true, saysRenderer: true },
      ask: async (fixture, ids) => {
        const { warnings = [] } = await fixture.get(
          201,
          'POST',
          'eval-suites',
          suiteOf(ids, interact),
        );
        const found = warnings.find(({ path }: Answer) => /steps/.test(String(path)));
        return { isWarned: found !== undefined, saysRenderer: /render/i.test(found?.message) };
      },
    },
    {
      name: 'a server that a suite uses is not deleted',
      servers: { A: weather({ weather: says('It is sunny.') }) },
      expected: { status: 409, code: 'CONFLICT', isNamed: true },
      ask: async (fixture, ids) => {
        const suite = suiteOf(ids, plain);
        await fixture.get(201, 'POST', 'eval-suites', suite);
        const { status, body, text } = await fixture.ask('DELETE', `servers/${ids.servers['A']}`);
        return { status, code: body.code, isNamed: text.includes(suite.name) };
      },
    },
    {
      name: 'provenance of a suite file is accepted and kept',
      servers: { A: weather() },
      expected: { isKept: true },
      ask: async (fixture, ids) => {
        const { suiteId } = await fixture.get(201, 'POST', 'eval-suites/import', {
          content: JSON.stringify(fileOf(unique('file'))),
          serverIds: { weather: ids.servers['A'] },
        });
        const { content } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/export`);
        const isKept = Object.keys(provenance).every((key) => content.includes(key));
        return { isKept };
      },
    },
  ],
};

const provenance = {
  sourceHash: 'a'.repeat(64),
  sourceFormat: 'other',
  reportHash: 'b'.repeat(64),
  sourceFormatVersion: '3',
  converter: 'to-proofmark',
  converterVersion: '1.2.0',
  model: 'small-1',
  discoverySnapshotHash: 'c'.repeat(64),
  importedAt: '2026-11-01T10:00:00Z',
};

function fileOf(id: string) {
  return {
    schemaVersion: '1',
    mode: 'agentWorkflow',
    reportingMode: 'standard',
    suite: { id, name: id },
    target: { servers: [{ name: 'weather' }] },
    defaults: { model: 'proofmark/lexical-1', repetitions: 1, passThreshold: 1, validity: {} },
    provenance,
    cases: [{ id: 'weather', title: 'Weather', steps: [ask, expectWeather] }],
  };
}
