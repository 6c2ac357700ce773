const cases = 100;

export interface TrialSuite {
  readonly name: string;
  readonly serverId: string;
  readonly trials: number;
  readonly sessions: 'trial' | 'run';
  readonly model: string;
  /**
   * Number of assertions of each case. If absent, each case has two assertions, written as steps.
   */
  readonly assertions?: 1 | 10;
}

const responseAssertion = { type: 'responseContains', needle: '21' };
const ofTool = { toolName: 'structured' };

const ten: readonly object[] = [
  responseAssertion,
  { type: 'toolNamesUnique' },
  { type: 'toolCalledAtLeastOnce', ...ofTool },
  { type: 'toolCallCountUnder', count: 3 },
  { type: 'argumentsMatchToolSchema' },
  { type: 'noRepeatedIdenticalCall' },
  { type: 'toolLatencyUnder', ms: 20_000 },
  { type: 'toolResultSizeUnder', maxBytes: 10_000 },
  { type: 'toolResultContains', needle: 'degrees' },
  { type: 'toolResultPath', pointer: '/degrees', exists: true },
];

export function trialSuite(suite: TrialSuite): object {
  const { name, serverId, trials, sessions, model, assertions } = suite;
  const repetitions = trials / cases;
  if (!Number.isInteger(repetitions)) throw new Error(`Trials come in multiples of ${cases}.`);
  const called = {
    type: 'toolCalledWith',
    toolName: 'structured',
    args: { args: { city: 'Brno' } },
  };
  const asserted = [
    { id: 'called', kind: 'assert', assertion: called },
    { id: 'said', kind: 'assert', assertion: responseAssertion },
  ];
  const tests = Array.from({ length: cases }, (_, index) => ({
    title: `Warmth ${index}`,
    steps: [
      { id: 'ask', kind: 'prompt', prompt: 'How warm is it in Brno?' },
      ...(assertions === undefined ? asserted : []),
    ],
    ...(assertions !== undefined && { assertions: ten.slice(0, assertions) }),
  }));
  const settings = { verdictPolicyDefaults: { repetitions }, sessions };
  return { name, serverIds: [serverId], model, settings, tests };
}
