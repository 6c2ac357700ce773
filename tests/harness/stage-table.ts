/**
 * Trials that end at each stage and in each category, as data: the server to start, the case, what the model says,
 * and the chain that must come of it. Whoever plays a row says line n of `model` when the conversation holds n answers
 * of the model already.
 */
import type {
  AttributionEvidence,
  ClientConfig,
  EvalCaseDefinition,
  FailureCategory,
  Stage,
  StageEvidence,
  StageReason,
  ToolPolicy,
  TrialStatus,
} from '@proofmark/domain';
import type { StageServer } from './stage-servers.ts';

export type ModelLine =
  | {
      readonly text?: string;
      readonly calls?: readonly { readonly tool: string; readonly input: object }[];
    }
  /** The provider answers with an error, however often it is asked; or never. */
  | 'fails'
  | 'hangs';

export interface StageRow {
  readonly name: string;
  readonly server: StageServer;
  readonly definition: Omit<EvalCaseDefinition, 'title'>;
  readonly model: readonly ModelLine[];
  /** What the judge answers; absent where none is asked. */
  readonly judge?: string;
  readonly attribution?: AttributionEvidence;
  readonly client?: Partial<ClientConfig>;
  readonly toolPolicy?: ToolPolicy;
  /** False where our own way out is broken too. */
  readonly egressWorks?: boolean;
  readonly trialTimeoutMs?: number;
  readonly expected: {
    readonly status: TrialStatus;
    readonly result: 'passed' | 'failed' | null;
    /** The first failed stage with its reason and evidence; absent where no stage failed. */
    readonly stage?: Stage;
    readonly reason?: StageReason;
    readonly evidence?: StageEvidence;
    readonly category?: FailureCategory;
    /** What some rows say that did not fail. */
    readonly others?: Partial<Record<Stage, StageReason>>;
    /** A part of the sentence in `error`. */
    readonly error?: string;
  };
}

const ask = { id: 'ask', kind: 'prompt', prompt: 'What is the weather in Rome?' } as const;
const expectWeather = {
  id: 'calls-weather',
  kind: 'assert',
  assertion: { type: 'toolCalledWith', toolName: 'weather', args: { args: { city: 'Rome' } } },
} as const;
const expectSunny = {
  id: 'says-sunny',
  kind: 'assert',
  assertion: { type: 'responseContains', needle: 'sunny' },
} as const;
const weatherOfRome = { calls: [{ tool: 'weather', input: { city: 'Rome' } }] };
const sunny = { text: 'It is sunny in Rome.' };
const whole = [ask, expectWeather, expectSunny];
const goalOnly = { steps: [ask], expectedOutput: 'It says that it is sunny.' };
const allStages = (reason: StageReason) =>
  ({
    connection: reason,
    discovery: reason,
    selection: reason,
    call: reason,
    response: reason,
    userValue: reason,
  }) as const;

export const stageTable: readonly StageRow[] = [
  {
    name: 'everything holds',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'passed',
      others: allStages('observed'),
    },
  },
  {
    name: 'nobody listens at the address',
    server: { kind: 'refused' },
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      stage: 'connection',
      reason: 'connectFailed',
      category: 'setup',
      error: 'could not be reached',
    },
  },
  {
    name: 'the server answers the handshake with HTTP 503',
    server: { kind: 'status', method: 'initialize', status: 503 },
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      stage: 'connection',
      reason: 'connectFailed',
      category: 'setup',
      error: 'HTTP 503',
    },
  },
  {
    name: 'nobody listens, and our own way out is broken',
    server: { kind: 'refused' },
    egressWorks: false,
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      category: 'setup',
      others: { connection: 'egressUnverified', selection: 'setupAborted' },
    },
  },
  {
    name: 'the server wants a grant we do not have',
    server: { kind: 'status', method: 'initialize', status: 401 },
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      category: 'setup',
      others: allStages('setupAborted'),
      error: 'OAuth',
    },
  },
  {
    name: 'the list of tools fails with HTTP 500',
    server: { kind: 'status', method: 'tools/list', status: 500 },
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      stage: 'discovery',
      reason: 'toolsListFailed',
      category: 'setup',
      others: { connection: 'observed', selection: 'earlierStageFailed' },
    },
  },
  {
    name: 'the model calls nothing',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: [sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'selection',
      reason: 'missingToolCall',
      category: 'selection',
      evidence: { promptIndexes: [0] },
    },
  },
  {
    name: 'the model calls nothing, which the whole case asks for',
    server: { kind: 'good' },
    definition: { steps: [ask], checks: { mode: 'replace', list: [expectWeather.assertion] } },
    model: [sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'selection',
      reason: 'missingToolCall',
      category: 'selection',
    },
  },
  {
    name: 'a judge of causes blames the description of the tool',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: [sunny],
    attribution: { category: 'metadata', quotes: ['The description says nothing of cities.'] },
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'selection',
      reason: 'missingToolCall',
      category: 'metadata',
      evidence: {
        promptIndexes: [0],
        predicateReasons: ['The description says nothing of cities.'],
      },
    },
  },
  {
    name: 'the model calls a tool where none is wanted',
    server: { kind: 'good' },
    definition: { steps: [ask], isNegative: true },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'selection',
      reason: 'unexpectedToolCall',
      category: 'selection',
      evidence: { promptIndexes: [0] },
    },
  },
  {
    name: 'the model calls more than is allowed',
    server: { kind: 'good' },
    definition: { steps: whole, matchOptions: { extraToolCalls: 0 } },
    model: [{ calls: [...weatherOfRome.calls, { tool: 'clock', input: {} }] }, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'selection',
      reason: 'unexpectedToolCall',
      category: 'selection',
      evidence: { promptIndexes: [0] },
    },
  },
  {
    name: 'the model passes other arguments',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: [{ calls: [{ tool: 'weather', input: { city: 'Oslo' } }] }, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'argumentMismatch',
      category: 'arguments',
      evidence: { promptIndexes: [0] },
      others: { selection: 'observed' },
    },
  },
  {
    name: 'the model passes other arguments than the whole case asks for',
    server: { kind: 'good' },
    definition: { steps: [ask], checks: { mode: 'replace', list: [expectWeather.assertion] } },
    model: [{ calls: [{ tool: 'weather', input: { city: 'Oslo' } }] }, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'argumentMismatch',
      category: 'arguments',
      others: { selection: 'observed' },
    },
  },
  {
    name: 'the server answers the call with an error of the protocol',
    server: { kind: 'good', weather: { error: { code: -32603, message: 'It broke.' } } },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'protocolError',
      category: 'serverData',
      evidence: { spanIds: ['tool-3'], promptIndexes: [0] },
      error: 'It broke.',
    },
  },
  {
    name: 'the connection is lost during the call',
    server: { kind: 'good', weather: 'cut' },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'protocolError',
      category: 'setup',
      evidence: { spanIds: ['tool-3'], promptIndexes: [0] },
    },
  },
  {
    name: 'the tool answers that it failed',
    server: {
      kind: 'good',
      weather: { result: { content: [{ type: 'text', text: 'No such city.' }], isError: true } },
    },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'response',
      reason: 'toolError',
      category: 'serverData',
      evidence: { spanIds: ['tool-3'], promptIndexes: [0] },
      error: 'No such city.',
    },
  },
  {
    name: 'the answer does not say what it should',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: [weatherOfRome, { text: 'It rains.' }],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'userValue',
      reason: 'predicateFailed',
      category: 'userValue',
      others: { call: 'observed', response: 'observed' },
    },
  },
  {
    name: 'a judge finds half of the goal',
    server: { kind: 'good' },
    definition: goalOnly,
    model: [sunny],
    judge: '{"score": 0.5, "passed": true, "reason": "Half of it.", "rubricHits": []}',
    expected: {
      status: 'completed',
      result: 'passed',
      stage: 'userValue',
      reason: 'judgePartial',
      category: 'userValue',
      evidence: { predicateReasons: ['Half of it.'] },
    },
  },
  {
    name: 'a judge finds nothing of the goal',
    server: { kind: 'good' },
    definition: goalOnly,
    model: [sunny],
    judge: '{"score": 0.1, "passed": true, "reason": "Nothing of it.", "rubricHits": []}',
    expected: {
      status: 'completed',
      result: 'passed',
      stage: 'userValue',
      reason: 'judgeFailed',
      category: 'userValue',
      evidence: { predicateReasons: ['Nothing of it.'] },
    },
  },
  {
    name: 'a judge finds the goal reached',
    server: { kind: 'good' },
    definition: goalOnly,
    model: [sunny],
    judge: '{"score": 0.7, "passed": false, "reason": "All of it.", "rubricHits": ["sunny"]}',
    expected: { status: 'completed', result: 'passed', others: { userValue: 'judgeObserved' } },
  },
  {
    name: 'a judge answers with nonsense',
    server: { kind: 'good' },
    definition: goalOnly,
    model: [sunny],
    judge: '{"score": 7, "reason": "Great.", "rubricHits": []}',
    expected: {
      status: 'completed',
      result: 'passed',
      category: 'evaluator',
      others: { userValue: 'evaluatorError' },
    },
  },
  {
    name: 'nobody asked a judge',
    server: { kind: 'good' },
    definition: goalOnly,
    model: [sunny],
    expected: { status: 'completed', result: 'passed', others: { userValue: 'judgeNotRequested' } },
  },
  {
    name: 'the provider of the model fails',
    server: { kind: 'good' },
    definition: { steps: whole },
    model: ['fails'],
    expected: {
      status: 'failed',
      result: null,
      category: 'setup',
      others: {
        connection: 'observed',
        discovery: 'observed',
        selection: 'providerError',
        call: 'providerError',
        response: 'providerError',
      },
    },
  },
  {
    name: 'the provider of the model fails after a tool has failed',
    server: {
      kind: 'good',
      weather: { result: { content: [], isError: true } },
    },
    definition: { steps: whole },
    model: [weatherOfRome, 'fails'],
    expected: {
      status: 'failed',
      result: null,
      stage: 'response',
      reason: 'toolError',
      category: 'serverData',
      evidence: { spanIds: ['tool-3'], promptIndexes: [0] },
    },
  },
  {
    name: 'the client wants approval before every call',
    server: { kind: 'good' },
    client: { requireToolApproval: true },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'failed',
      result: null,
      others: allStages('blockedByPolicy'),
      error: 'approval',
    },
  },
  {
    name: 'the suite allows only tools that only read',
    server: { kind: 'good' },
    toolPolicy: { mode: 'readOnly' },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'failed',
      result: null,
      others: allStages('blockedByPolicy'),
      error: 'only read',
    },
  },
  {
    name: 'the model never answers',
    server: { kind: 'good' },
    trialTimeoutMs: 300,
    definition: { steps: whole },
    model: ['hangs'],
    expected: {
      status: 'timed_out',
      result: null,
      category: 'setup',
      others: allStages('lifecycleStopped'),
      error: 'took longer than',
    },
  },
  {
    name: 'the case needs a widget',
    server: { kind: 'good' },
    definition: {
      steps: [
        ask,
        {
          id: 'seen',
          kind: 'assert',
          assertion: { kind: 'textVisible', toolName: 'weather', text: 'Rome' },
        },
      ],
    },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      category: 'setup',
      others: { connection: 'setupAborted', userValue: 'setupAborted' },
      error: 'no widget renderer',
    },
  },
];
