/**
 * Tasks of the extension `io.modelcontextprotocol/tasks`. The result of a task is graded as if the
 * call had answered it, and a task that breaks the protocol is the fault of the server.
 */
import { taskExtension } from '@proofmark/domain';
import {
  completed,
  refusesUndeclared,
  startTaskServer,
  type TaskScript,
  type TaskServer,
} from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { called, calls, promptCase, sunny } from '../cases.ts';
import { failed, passed, setUpFailed } from '../expectations.ts';
import type { Line } from '../lines.ts';
import type {
  AskSituation,
  ExpectedTrial,
  RunSituation,
  SeenRun,
  ServerStart,
  Theme,
} from '../situation.ts';

type Scripts = Readonly<Record<string, TaskScript>>;
type TaskFacts = readonly (readonly [name: string, value: unknown])[];

const able = { clientCapabilities: { sampling: {}, elicitation: { form: {} } } };
const without = { clientCapabilities: { extensions: {} } };
const working = { status: 'working' };
const error = { code: -32_050, message: 'No luck.' };
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const who = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };
const capital = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Which city?' } }],
    maxTokens: 50,
  },
};
const asking = (inputRequests: object) => ({ status: 'input_required', inputRequests });
const answered = (inputs: object) => completed(`Heard ${JSON.stringify(inputs)}.`);

const taskServer =
  (tools: Scripts, more: Parameters<typeof startTaskServer>[1] = {}, saved?: object): ServerStart =>
  async () => ({ ...(await startTaskServer(tools, more)), ...(saved && { saved }) });

interface TaskRow {
  readonly trial: ExpectedTrial;
  readonly server?: ServerStart;
  readonly client?: object;
  readonly test?: object;
  readonly says?: readonly Line[];
  /** What the trace tells of the task; undefined if there was none. */
  readonly task?: TaskFacts | undefined;
  /** How often the server was asked to cancel the task. */
  readonly cancels?: number;
}

function row(name: string, script: TaskScript, wanted: TaskRow): RunSituation {
  const { trial, server, client, test = {}, task, cancels = 0 } = wanted;
  const says = wanted.says ?? [calls(['slow', {}]), sunny];
  const verdict = trial.result ?? 'inconclusive';
  return {
    name,
    servers: { A: server ?? taskServer({ slow: script }) },
    ...(client && { client }),
    cases: [promptCase('Please do it.', [called('slow')], says, test)],
    expected: { verdict, trials: [trial] },
    also: async (seen) => [...(await taskProblems(seen, task)), ...cancelProblems(seen, cancels)],
  };
}

async function taskProblems({ trials, trace }: SeenRun, wanted?: TaskFacts): Promise<string[]> {
  const { spans } = await trace(trials[0]);
  const [span] = spans.filter((one: { category: string }) => one.category === 'tool');
  if (wanted === undefined) return span?.task === undefined ? [] : ['The trace tells of a task.'];
  return wanted
    .filter(([name, value]) => JSON.stringify(span?.task?.[name]) !== JSON.stringify(value))
    .map(([name]) => `The trace tells ${name} of ${JSON.stringify(span?.task)}.`);
}

function cancelProblems({ servers }: SeenRun, wanted: number): string[] {
  const { asked } = servers['A'] as unknown as TaskServer;
  const cancels = asked.filter((one) => one.startsWith('tasks/cancel')).length;
  return cancels === wanted ? [] : [`The server was asked to cancel ${cancels} times.`];
}

const states = (...seen: string[]) => ['states', seen] as const;
const polls = (count: number) => ['polls', count] as const;
const serverData = (...says: (string | RegExp)[]) =>
  failed('call', 'protocolError', 'serverData', { says });

const inTwo: RunSituation = {
  name: 'two at once that end in the other order: each result stands at its call',
  servers: {
    A: taskServer({
      long: { looks: [working, working, working, completed('The long one.')] },
      short: { looks: [completed('The short one.')] },
    }),
  },
  client: { parallelToolCalls: true },
  cases: [
    promptCase(
      'Please do both.',
      [called('long'), called('short')],
      [calls(['long', {}], ['short', {}]), sunny],
    ),
  ],
  expected: { verdict: 'passed', trials: [passed({ rows: { response: 'observed' } })] },
  also: async ({ trials, trace }) => {
    const { messages } = await trace(trials[0]);
    const results = JSON.stringify(
      messages.find(({ role }: { role: string }) => role === 'tool')?.content,
    );
    return /"long".*The long one\..*"short".*The short one\./.test(results)
      ? []
      : [`The results are ${results}.`];
  },
};

const inDiagnostics: AskSituation = {
  name: 'in diagnostics a task that needs input is cancelled',
  servers: { A: taskServer({ slow: { looks: [asking({ who })] } }) },
  expected: { status: 502, reason: 'INPUT_REQUIRED', cancels: 1 },
  ask: async (fixture, { servers, started }) => {
    const body = { toolName: 'slow', parameters: {} };
    const answer = await fixture.ask('POST', `servers/${servers['A']}/tools/call`, body);
    const { asked } = started['A'] as unknown as TaskServer;
    // The cancellation is sent beside the answer, so it may arrive a moment later.
    for (let waits = 0; waits < 100 && !asked.some(isCancel); waits += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { reason } = answer.body.details ?? {};
    return { status: answer.status, reason, cancels: asked.filter(isCancel).length };
  },
};

const isCancel = (one: string) => one.startsWith('tasks/cancel');

export const tasks: Theme = {
  theme: 'tasks of the newer era',
  situations: [
    row(
      'immediate: completed at the first look',
      { looks: [completed('Done.')] },
      {
        trial: passed({ rows: { response: 'observed' } }),
        task: [states('working', 'completed'), polls(1)],
      },
    ),
    row(
      'immediate: the plain result in place of a task',
      { instead: { resultType: 'complete', content: [{ type: 'text', text: 'Done.' }] } },
      { trial: passed({ rows: { response: 'observed' } }) },
    ),
    row(
      'a result without a type is complete',
      { instead: { content: [{ type: 'text', text: 'Done.' }] } },
      { trial: passed({ rows: { response: 'observed' } }) },
    ),
    row(
      'a result of an unknown type',
      { instead: { resultType: 'later', content: [] } },
      { trial: serverData(/type that the protocol does not define/) },
    ),
    row(
      'slow: working several times',
      { looks: [working, working, working, completed('Done.')] },
      { trial: passed(), task: [states('working', 'completed'), polls(4)] },
    ),
    row(
      'failing with an error',
      { looks: [working, { status: 'failed', error }] },
      {
        trial: serverData(/-32050/, 'No luck.'),
        task: [states('working', 'failed'), polls(2), ['cancelled', false]],
      },
    ),
    row(
      'completed with isError',
      { looks: [completed('No such thing.', { isError: true })] },
      {
        trial: failed('response', 'toolError', 'serverData', { says: ['No such thing.'] }),
        task: [states('working', 'completed')],
      },
    ),
    row(
      'cancelled by the server',
      { looks: [{ status: 'cancelled' }] },
      {
        trial: serverData('The server cancelled the task of the call.'),
        task: [states('working', 'cancelled'), ['cancelled', false]],
      },
    ),
    row(
      'needing input that the case has: it is answered once',
      { looks: [asking({ who }), asking({ who }), answered] },
      {
        trial: passed({ rows: { response: 'observed' } }),
        client: able,
        test: { elicitations: [{ action: 'accept', content: { name: 'Ada' } }] },
        says: [calls(['slow', {}]), { echo: true }],
        task: [states('working', 'input_required', 'completed'), polls(3), ['updates', 1]],
      },
    ),
    row(
      'needing input that the case does not have: it is declined',
      {
        looks: [
          asking({ who }),
          (inputs) =>
            JSON.stringify(inputs).includes('"decline"')
              ? completed('Declined, then.')
              : { status: 'failed', error },
        ],
      },
      { trial: passed(), client: able, task: [['updates', 1]] },
    ),
    row(
      'needing a model: it is answered by the model of the trial',
      { looks: [asking({ capital }), (inputs) => answered(inputs)] },
      {
        trial: passed(),
        client: able,
        test: { sampled: { text: 'Paris.' } },
        task: [['updates', 1]],
      },
    ),
    row(
      'never ending',
      { looks: [working] },
      {
        trial: failed('call', 'protocolError', 'setup'),
        server: taskServer({ slow: { looks: [working] } }, {}, { timeout: 1_000 }),
        task: [states('working'), ['cancelled', true]],
        cancels: 1,
      },
    ),
    row(
      'lost: the look is answered with an error',
      { looks: [working, { error: { code: -32_602, message: 'Task not found' } }] },
      { trial: serverData('Task not found'), task: [states('working')] },
    ),
    row(
      'lost: the look is answered with the code of a lost connection',
      { looks: [{ error: { code: -32_000, message: 'Task not found' } }] },
      { trial: serverData('Task not found'), task: [states('working')] },
    ),
    ...(
      [
        ['an unknown word', { looks: [{ status: 'dreaming' }] }, ['working']],
        [
          'completed without a result',
          { looks: [{ status: 'completed' }] },
          ['working', 'completed'],
        ],
        ['another id', { looks: [{ ...working, taskId: 'other' }] }, ['working']],
        [
          'back from a final state',
          { first: { status: 'completed' }, looks: [working] },
          ['completed', 'working'],
        ],
      ] as const
    ).map(([what, script, seen]) =>
      row(`wrong state: ${what}`, script, {
        trial: serverData(/The server sent /),
        task: [['states', seen], polls(1)],
      }),
    ),
    row(
      'no id',
      { first: { taskId: 7 } },
      { trial: serverData('The server sent a task without an id.') },
    ),
    inTwo,
    row(
      'ended before it was asked: one look',
      { first: { status: 'completed' }, looks: [completed('Done.')] },
      { trial: passed(), task: [states('completed'), polls(1)] },
    ),
    row(
      'a server that requires the extension of a client that does not declare it',
      {},
      {
        trial: setUpFailed({ says: [taskExtension], next: [/declare what the tool needs/] }),
        server: taskServer({ slow: {} }, { 'tools/call': refusesUndeclared }),
        client: without,
      },
    ),
    row(
      'a server that requires the extension although the client declares it',
      {},
      {
        trial: serverData('Tasks are required.'),
        server: taskServer({ slow: {} }, { 'tools/call': refusesUndeclared }),
      },
    ),
    row(
      'a task that comes although the client does not declare it',
      { looks: [completed('Done.')] },
      { trial: serverData(/a task, which the client does not declare/), client: without },
    ),
    inDiagnostics,
  ],
};
