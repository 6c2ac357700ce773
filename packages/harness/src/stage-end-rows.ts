/**
 * Stage table rows in which a judge, the model provider, a policy, a time limit or a missing
 * renderer decides.
 */
import {
  allStages,
  ask,
  goalOnly,
  type StageRow,
  sunny,
  weatherOfRome,
  whole,
} from './stage-row.ts';

/**
 * The stages before a refused call: the servers were connected and listed their tools, and the
 * model chose the expected tool.
 */
const seenBefore = {
  connection: 'observed',
  discovery: 'observed',
  selection: 'observed',
} as const;

export const endRows: readonly StageRow[] = [
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
        userValue: 'providerError',
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
      others: { ...allStages('blockedByPolicy'), ...seenBefore },
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
      others: { ...allStages('blockedByPolicy'), ...seenBefore },
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
      error: 'needs a widget to be rendered',
    },
  },
];
