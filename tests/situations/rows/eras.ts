import { called, calledWith, calls, contains, promptCase, sunny } from '../cases.ts';
import { failed, passed, setUpFailed } from '../expectations.ts';
import { hidden, legacyFake, modernFake, oldShape, onlyModern } from '../servers/eras-servers.ts';
import { everything, fastmcp, modern } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import { asked } from '../servers/weather-server.ts';
import type {
  AskSituation,
  ExpectedTrial,
  RunSituation,
  SeenRun,
  ServerStart,
  SituationCase,
  Theme,
} from '../situation.ts';

const rome = { city: 'Rome' };
const why = [/"weather" is excluded, as clients must do over HTTP: x-mcp-header: .*HTTP token/];
const missing = failed('selection', 'missingToolCall', 'selection', { says: why });
const notCalled = failed('call', 'protocolError', 'serverData', { says: why });
const observed = {
  rows: { selection: 'observed', call: 'observed', response: 'observed' },
} as const;

function row(
  name: string,
  A: ServerStart,
  one: SituationCase,
  trial: ExpectedTrial,
  also?: RunSituation['also'],
): RunSituation {
  const verdict = { passed: 'passed', failed: 'failed' } as const;
  return {
    name,
    servers: { A },
    cases: [one],
    expected: {
      verdict: trial.result === null ? 'inconclusive' : verdict[trial.result as 'passed'],
      trials: [trial],
    },
    ...(also && { also }),
  };
}

const calling = (toolName: string, more: readonly object[] = []): SituationCase => ({
  title: 'Called',
  steps: [{ id: 'call', kind: 'toolCall', serverName: '@A', toolName, arguments: rome }, ...more],
});

/** The trace names the tool, and the server never got a call of it. */
async function isHidden({ trials, trace, servers }: SeenRun): Promise<readonly string[]> {
  const { excludedTools = [] } = await trace(trials[0]);
  const [first, ...others] = excludedTools;
  const isTold =
    others.length === 0 &&
    first?.toolName === 'weather' &&
    first.reason === 'notToken' &&
    first.path === '/inputSchema/properties/city/x-mcp-header' &&
    typeof first.serverName === 'string';
  const got = (servers['A']?.requests ?? []).filter(({ message }) => {
    const { name } = (message['params'] ?? {}) as { name?: string };
    return message['method'] === 'tools/call' && name === hidden.name;
  });
  return [
    ...(isTold ? [] : [`The trace tells ${JSON.stringify(excludedTools)}.`]),
    ...(got.length === 0 ? [] : ['The excluded tool was called.']),
  ];
}

const wanted = (name: string, assertion: object, trial = missing) =>
  row(
    name,
    modernFake(),
    promptCase('The weather in Rome?', [assertion], [sunny]),
    trial,
    isHidden,
  );

function tells(
  name: string,
  A: ServerStart,
  operation: string,
  body: object,
  expected: Readonly<Record<string, unknown>>,
  read: (body: Readonly<Record<string, unknown>>) => object,
): AskSituation {
  return {
    name,
    servers: { A },
    expected,
    ask: async (fixture, { servers }) => {
      const answer = await fixture.ask('POST', `servers/${servers['A']}/${operation}`, body);
      return { status: answer.status, ...read(answer.body ?? {}) };
    },
  };
}

const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const all = (state: string) => revisions.slice(1).map(() => state);

function examined(name: string, A: ServerStart, states: string[], rules: string[] = []) {
  const expected = { status: 200, states: states.join(), rules: rules.join(), doctor: 'ready' };
  return tells(`the doctor and ${name}`, A, 'doctor', {}, expected, (report) => {
    const found = report['revisions'] as { state: string; problems: { rule: string }[] }[];
    const broken = found.flatMap(({ problems }) => problems.map(({ rule }) => rule));
    const told = { states: found.map(({ state }) => state).join() };
    return { ...told, rules: [...new Set(broken)].join(), doctor: report['status'] };
  });
}

const namesOf = (items: unknown) =>
  (items as { name?: string; toolName?: string }[])
    .map(({ name, toolName }) => name ?? toolName)
    .join();
const listedAndExcluded = (list: string) => (body: Readonly<Record<string, unknown>>) => ({
  listed: namesOf(body[list]),
  excluded: namesOf(body['excludedTools']),
});
const told = { status: 200, listed: 'forecast', excluded: 'weather' };
const answered = promptCase(
  'The weather of tomorrow in Rome?',
  [called('forecast'), contains('sunny: Rome')],
  [calls(['forecast', rome]), { echo: true }],
);

export const eras: Theme = {
  theme: 'two eras',
  situations: [
    wanted('a model is to call an excluded tool', called('weather')),
    wanted('a model is to call an excluded tool with arguments', calledWith('weather', rome)),
    wanted('a model is to call an excluded tool first', {
      type: 'firstToolWas',
      toolName: 'weather',
    }),
    row(
      'a model calls an excluded tool that it was not offered',
      modernFake(),
      promptCase('The weather?', [called('weather')], [calls(['weather', rome]), sunny]),
      missing,
      isHidden,
    ),
    row('a step calls an excluded tool', modernFake(), calling('weather'), notCalled, isHidden),
    row(
      'a step calls an excluded tool that is to fail',
      modernFake(),
      calling('weather', [
        { id: 'fails', kind: 'assert', assertion: { type: 'toolCallFails', toolName: 'weather' } },
      ]),
      notCalled,
      isHidden,
    ),
    row(
      'a step calls an excluded tool in a case whose tools may fail',
      modernFake(),
      { ...calling('weather'), failOnToolError: false },
      notCalled,
      isHidden,
    ),
    row(
      'an excluded tool is called before the case',
      modernFake(),
      {
        ...answered,
        before: [
          { id: 'sow', kind: 'toolCall', serverName: '@A', toolName: 'weather', arguments: rome },
        ],
      },
      setUpFailed({ says: [/"weather" is excluded/] }),
      isHidden,
    ),
    row(
      'an excluded tool that nobody wants, and another whose argument is a header',
      modernFake(),
      answered,
      passed(observed),
      isHidden,
    ),
    row(
      'a tool that was never listed is missing for another reason',
      modernFake(),
      promptCase('The tides?', [called('tides')], [sunny]),
      failed('selection', 'missingToolCall', 'selection', { never: [/excluded/] }),
    ),
    row(
      'the same list at a legacy revision has all its tools',
      legacyFake(),
      calling('weather'),
      passed({ rows: { call: 'observed', response: 'observed' } }),
      ({ servers }) => (asked(servers['A']?.requests) === 1 ? [] : ['The tool was not called.']),
    ),
    row(
      'modern requests that are answered in the old shape',
      oldShape(),
      answered,
      passed(observed),
    ),
    row(
      'a server of the 2.x package that speaks the modern era alone',
      onlyModern(),
      promptCase(
        'Say hello.',
        [called('echo'), contains('hello')],
        [calls(['echo', { text: 'hello' }]), { echo: true }],
      ),
      passed(observed),
    ),
    tells(
      'the list without an excluded tool',
      modernFake(),
      'tools',
      {},
      told,
      listedAndExcluded('items'),
    ),
    tells('the export without one', modernFake(), 'export', {}, told, listedAndExcluded('tools')),
    tells('the doctor without one', modernFake(), 'doctor', {}, told, listedAndExcluded('tools')),
    tells(
      'an excluded tool called over the API',
      modernFake(),
      'tools/call',
      { toolName: 'weather', parameters: rome },
      { status: 422, code: 'FEATURE_NOT_SUPPORTED', reason: 'TOOL_EXCLUDED' },
      ({ code, details }) => ({ code, reason: (details as { reason?: string })?.reason }),
    ),
    tells(
      'lint, which tells the excluded tool as an error',
      modernFake(),
      'lint',
      {},
      { status: 200, found: 'weather error' },
      ({ findings }) => ({
        found: (findings as Record<string, string>[])
          .filter(({ rule }) => rule === 'header-parameter-invalid')
          .map(({ toolName, severity }) => `${toolName} ${severity}`)
          .join(),
      }),
    ),
    examined('a server of the 1.x package', sdk(), ['refused', ...all('spoken')]),
    examined('a server of the 1.x package over SSE', sdk('sse'), ['refused', ...all('spoken')]),
    examined('a FastMCP server', fastmcp(), ['refused', ...all('spoken')]),
    examined('server-everything', everything(), ['refused', ...all('spoken')]),
    examined('a server of the 2.x package of both eras', modern(), ['spoken', ...all('spoken')]),
    examined('a server of the 2.x package of the modern era', onlyModern(), [
      'spoken',
      ...all('refused'),
    ]),
    examined(
      'modern requests that are answered in the old shape',
      oldShape(),
      ['broken', ...all('refused')],
      ['result-type-missing', 'ttl-missing', 'cache-scope'],
    ),
    examined(
      'a list with an excluded tool',
      modernFake(),
      ['broken', ...all('refused')],
      ['header-parameter-invalid'],
    ),
  ],
};
