/**
 * Tests each kind of assertion in `kindRows` over the public API against real servers: as a step,
 * in a case, in a suite and in a suite file. Cases without a prompt are in server contracts, suites
 * that use no model.
 */
import { nextAction, trialAdvice } from '@proofmark/domain';
import {
  type EndedRun,
  type EvalFixture,
  startEvalFixture,
} from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KindRow, kindRows } from './kind-rows.ts';
import { sayingServer, silentServer } from './kind-servers.ts';

type Saved = { readonly id: string; readonly name: string };
const levels = ['step', 'case'] as const;
type Level = (typeof levels)[number];

/** A model that makes the calls in the prompt and then ends its answer. */
const obedient: ModelScript = ({ messages }) => {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  const text = typeof asked === 'string' ? asked : (asked?.[0]?.text ?? '[]');
  if (messages.some(({ role }) => role === 'tool')) return { text: 'All is done.' };
  const names = JSON.parse(text) as string[];
  return { toolCalls: names.map((name) => ({ name, arguments: { q: 'tea' } })) };
};

let fixture: EvalFixture;
let servers: Readonly<Record<'saying' | 'silent', Saved>>;
const ended = new Map<string, EndedRun>();

beforeAll(async () => {
  fixture = await startEvalFixture({ obedient });
  servers = {
    saying: await fixture.mcpServer(sayingServer),
    silent: await fixture.mcpServer(silentServer),
  };
  for (const [server, asked] of groups) {
    const suiteId = await makeSuite(server, asked);
    ended.set(`${server} ${asked}`, await runWhole(suiteId));
  }
}, 400_000);
afterAll(() => fixture?.stop());

async function runWhole(suiteId: string): Promise<EndedRun> {
  const run = await fixture.run(suiteId);
  const path = `eval-runs/${run.runId}`;
  const { items } = await fixture.get(200, 'GET', `${path}/iterations?limit=200`);
  const summary = await fixture.get(200, 'GET', `${path}/decision-summary?limit=200`);
  return { ...run, trials: items, summary };
}

const groups = [
  ['saying', false],
  ['saying', true],
  ['silent', false],
  ['silent', true],
] as const;

const titleOf = (row: KindRow, level: Level) => `${kindRows.indexOf(row)} ${level}`;

function rowsOf(server: 'saying' | 'silent', asked: boolean) {
  return kindRows.filter(
    (row) => (row.server ?? 'saying') === server && (row.asked ?? false) === asked,
  );
}

async function makeSuite(server: 'saying' | 'silent', asked: boolean): Promise<string> {
  const tests = rowsOf(server, asked).flatMap((row) =>
    levelsOf(row).map((level) => caseOf(row, level)),
  );
  const made = await fixture.get(201, 'POST', 'eval-suites', {
    name: `${server} ${asked}`,
    serverIds: [servers[server].id],
    tests,
    ...(asked ? { model: 'local/obedient' } : { mode: 'serverContract' }),
  });
  return made.suiteId;
}

function caseOf(row: KindRow, level: Level) {
  const assert = { id: 'assert', kind: 'assert', assertion: row.assertion };
  const steps = [...callsOf(row), ...(level === 'step' ? [assert] : [])];
  return {
    title: titleOf(row, level),
    // A case needs a step, so an empty list gets a step that always holds.
    steps:
      steps.length > 0
        ? steps
        : [{ ...assert, assertion: { type: 'noToolErrors', role: 'advisory' } }],
    ...(level === 'case' && { checks: { mode: 'replace', list: [row.assertion] } }),
    ...(row.failOnToolError === false && { failOnToolError: false }),
  };
}

function callsOf({ calls, asked, server = 'saying' }: KindRow): object[] {
  if (asked) return [{ id: 'ask', kind: 'prompt', prompt: JSON.stringify(calls) }];
  return calls.map((spelledCall, index) => {
    const [toolName, number] = spelledCall.split(':');
    const q = number === undefined ? 'tea' : Number(number);
    const named = { serverName: servers[server].name, toolName };
    return { id: `call-${index}`, kind: 'toolCall', ...named, arguments: { q } };
  });
}

function trialOf(row: KindRow, level: Level) {
  const run = ended.get(`${row.server ?? 'saying'} ${row.asked ?? false}`);
  const trial = run?.trials.find(({ title }) => title === titleOf(row, level));
  if (run === undefined || trial === undefined) throw new Error('The row was not run.');
  return { ...run, trial };
}

/** Inside a turn, an assertion covers only that turn, and each turn of a case makes one call. */
const levelsOf = ({ asked, calls }: KindRow) =>
  asked || calls.length < 2 ? levels : (['case'] as const);

const named = kindRows.flatMap((row) =>
  levelsOf(row).map((level) => {
    const { type, ...rest } = row.assertion;
    const words = `${type} ${JSON.stringify(rest)} ${row.outcome} on ${row.calls.join(', ')}`;
    return [`${words} as ${level}`, row, level] as const;
  }),
);

describe.each(named)('%s', (_name, row, level) => {
  test('the trial says so, at its stage', () => {
    const { trial, summary } = trialOf(row, level);
    expectPublishedSummary(summary);
    const score = trial.scores.find(({ scorerId }: { scorerId: string }) =>
      scorerId.startsWith(`predicate:${row.assertion.type}#`),
    );
    const at = trial.stageResults.find(({ stage }: { stage: string }) => stage === row.stage);
    expect(trial.status).toBe('completed');
    if (row.outcome === 'error') {
      expect({ result: trial.result, score: score.status }).toEqual({
        result: null,
        score: 'error',
      });
      expect(['evaluatorError', 'earlierStageFailed']).toContain(at.reason);
      return;
    }
    expect(score.status).toBe('scored');
    if (row.outcome !== 'fails') {
      expect({ result: trial.result, error: trial.error }).toEqual({
        result: 'passed',
        error: null,
      });
      if (row.outcome === 'holds') expect(at).toMatchObject({ state: 'passed' });
      return;
    }
    expect(trial.result).toBe('failed');
    expect({
      stage: trial.firstFailedStage,
      reason: at.reason,
      category: trial.failureCategory,
      version: trial.stageAnalyzerVersion,
    }).toEqual({ stage: row.stage, reason: row.reason, category: row.category, version: 2 });
    expect(at.evidence.predicateReasons).toContain(score.rationale);
    const restsOnCall = ['unexpectedToolCall', 'argumentMismatch', 'toolError'];
    if (restsOnCall.includes(at.reason)) expect(at.evidence.spanIds).toBeDefined();
    const item = summary.diagnostics.items.find(
      ({ iterationId }: { iterationId: string }) => iterationId === trial.id,
    );
    expect(item.chain.status).toBe('verified');
    expect(item.nextAction).toBe(nextAction(row.category));
    expect(item.advice).toBe(trialAdvice(row.category, trial.stageResults));
  });
});

describe('a server contract', () => {
  test('is run without any model, and no model is shown', () => {
    const { trials, run, summary } = ended.get('saying false') as EndedRun;
    expect(trials.length).toBeGreaterThan(0);
    for (const { model, provider } of trials) expect([model, provider]).toEqual([null, null]);
    for (const one of run.verdictSummary.cases) expect(one).not.toHaveProperty('executionVariant');
    expect(summary).toMatchObject({
      verdictSource: 'policyV2',
      counts: { measurementUnit: 'caseVariant' },
    });
    expect(summary.counts.total).toBe(trials.length);
    expect(JSON.stringify(trials)).not.toContain('local/');
  });

  const call = (toolName: string, id = 'call') => {
    const named = { serverName: servers.saying.name, toolName };
    return { id, kind: 'toolCall', ...named, arguments: { q: 'tea' } };
  };
  const assert = (assertion: object, id = 'assert') => ({ id, kind: 'assert', assertion });
  const contract = (tests: readonly object[], more: object = {}) => ({
    name: 'Contract',
    mode: 'serverContract',
    serverIds: [servers.saying.id],
    tests,
    ...more,
  });
  const playContract = async (tests: readonly object[], more: object = {}) => {
    const { suiteId } = await fixture.get(201, 'POST', 'eval-suites', contract(tests, more));
    const { trials } = await fixture.run(suiteId);
    return (title: string) => trials.find((trial) => trial.title === title);
  };

  test('has no prompt, no model and no judge', async () => {
    const held = { title: 'One', steps: [call('find')] };
    const asking = { title: 'Asks', steps: [{ id: 'p', kind: 'prompt', prompt: 'Hello' }] };
    const refused = async (body: object, path: string) => {
      const { details } = await fixture.get(400, 'POST', 'eval-suites', body);
      expect(details).toMatchObject({ path, reason: 'CONTRACT_ASKS_NO_MODEL' });
    };
    await refused(contract([held, asking]), 'body.tests[1].steps[0]');
    await refused(contract([held], { model: 'local/obedient' }), 'body.model');
    await refused(contract([{ ...held, model: 'local/obedient' }]), 'body.tests[0].models');
    await refused(
      contract([held], { settings: { judge: { enabled: true } } }),
      'body.settings.judge',
    );
    const { mode: _, ...plain } = contract([held]);
    const missing = await fixture.get(400, 'POST', 'eval-suites', plain);
    expect(missing.details).toMatchObject({ path: 'body.model', reason: 'MODEL_REQUIRED' });
    const { suiteId, caseUpsert } = await fixture.get(201, 'POST', 'eval-suites', contract([held]));
    const path = `eval-suites/${suiteId}`;
    expect(await fixture.get(200, 'GET', path)).toMatchObject({
      mode: 'serverContract',
      executionConfig: null,
    });
    await fixture.get(400, 'POST', `${path}/cases`, asking);
    await fixture.get(400, 'PATCH', `${path}/cases/${caseUpsert.committed[0].id}`, {
      steps: asking.steps,
    });
    await fixture.get(400, 'PATCH', path, { executionConfig: { model: 'local/obedient' } });
    const batch = await fixture.ask('POST', `${path}/cases/batch`, { cases: [asking] });
    expect(batch.body.failed).toMatchObject([{ code: 'INVALID_CASE' }]);
  });

  test('may hold every case to what its suite asks, and is written as a file that runs alike', async () => {
    const checks = [
      { type: 'toolNamesUnique' },
      { type: 'toolResultContains', needle: 'tea' },
      { type: 'toolCallFails', toolName: 'refuse' },
    ];
    const tests = [
      { title: 'Both', steps: [call('find'), call('refuse', 'other')] },
      { title: 'One', steps: [call('find')] },
    ];
    const body = contract(tests, { settings: { checks } });
    const { suiteId } = await fixture.get(201, 'POST', 'eval-suites', body);
    const results = async (id: string) => {
      const { trials } = await fixture.run(id);
      return trials.map(({ title, result, firstFailedStage }) => [title, result, firstFailedStage]);
    };
    const expected = [
      ['Both', 'passed', undefined],
      ['One', 'failed', 'response'],
    ];
    expect(await results(suiteId)).toEqual(expected);
    const { content } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/export`);
    expect(content).toContain('mode: serverContract');
    const renamed = content.replace(suiteId, 'another');
    const imported = await fixture.get(201, 'POST', 'eval-suites/import', { content: renamed });
    expect(await results(imported.suiteId)).toEqual(expected);
  });

  test('an error that is stated counts for nothing, and any other one as ever', async () => {
    const noErrors = assert({ type: 'noToolErrors' }, 'clean');
    const fails = (toolName: string, more: object = {}) =>
      assert({ type: 'toolCallFails', toolName, ...more });
    const trialNamed = await playContract([
      { title: 'stated', steps: [call('broken'), fails('broken'), noErrors] },
      {
        title: 'of the case',
        steps: [call('refuse'), noErrors],
        assertions: [{ type: 'toolCallFails', toolName: 'refuse' }],
      },
      { title: 'unstated', steps: [call('broken'), noErrors] },
      {
        title: 'of another turn',
        steps: [call('refuse'), call('refuse', 'again'), fails('refuse')],
      },
      {
        title: 'advised',
        steps: [
          call('refuse'),
          assert({ type: 'toolCallFails', toolName: 'refuse', role: 'advisory' }),
        ],
      },
      { title: 'lost', steps: [call('lost'), fails('lost')] },
    ]);
    const outcomeOf = (title: string) => {
      const { result, firstFailedStage, failureCategory } = trialNamed(title);
      return [result, firstFailedStage, failureCategory];
    };
    expect(outcomeOf('stated')).toEqual(['passed', undefined, undefined]);
    expect(trialNamed('stated').stageResults[4]).toMatchObject({
      state: 'passed',
      reason: 'observed',
    });
    expect(outcomeOf('of the case')).toEqual(['passed', undefined, undefined]);
    expect(outcomeOf('unstated')).toEqual(['failed', 'call', 'serverData']);
    expect(outcomeOf('of another turn')).toEqual(['failed', 'response', 'serverData']);
    expect(outcomeOf('advised')).toEqual(['failed', 'response', 'serverData']);
    // If the service lost the answer to a call, the call counts as unanswered, and the trial fails
    // with the category `setup`.
    expect(outcomeOf('lost')).toEqual(['failed', 'call', 'setup']);
  });

  test('a failure beside a row without an answer is a failure, in whichever order', async () => {
    const cut = { type: 'toolResultContains', toolName: 'huge', needle: 'coffee' };
    const small = { type: 'toolResultSizeUnder', maxBytes: 10 };
    const steps = [call('huge', 'a'), call('huge', 'b'), call('huge', 'c')];
    const trialNamed = await playContract([
      { title: 'first', steps, assertions: [cut, small] },
      { title: 'last', steps, assertions: [small, cut] },
      { title: 'alone', steps, assertions: [cut] },
      {
        title: 'beside a tool error',
        steps: [call('refuse'), ...steps.slice(0, 1)],
        assertions: [cut],
        failOnToolError: true,
      },
    ]);
    for (const title of ['first', 'last']) {
      expect(trialNamed(title)).toMatchObject({
        result: 'failed',
        firstFailedStage: 'response',
        failureCategory: 'serverData',
      });
    }
    expect(trialNamed('alone')).toMatchObject({ result: null, failureCategory: 'evaluator' });
    expect(trialNamed('beside a tool error').result).toBe('failed');
  });
});
