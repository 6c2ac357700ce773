/** The suite whose trials are measured: a prompt, the tool that it must call, and what the answer must hold. */
const cases = 100;

export interface TrialSuite {
  readonly name: string;
  readonly serverId: string;
  readonly trials: number;
  readonly sessions: 'trial' | 'run';
  readonly model: string;
}

export function trialSuite({ name, serverId, trials, sessions, model }: TrialSuite): object {
  const repetitions = trials / cases;
  if (!Number.isInteger(repetitions)) throw new Error(`Trials come in multiples of ${cases}.`);
  const called = {
    type: 'toolCalledWith',
    toolName: 'structured',
    args: { args: { city: 'Brno' } },
  };
  const tests = Array.from({ length: cases }, (_, index) => ({
    title: `Warmth ${index}`,
    steps: [
      { id: 'ask', kind: 'prompt', prompt: 'How warm is it in Brno?' },
      { id: 'called', kind: 'assert', assertion: called },
      { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle: '21' } },
    ],
  }));
  const settings = { verdictPolicyDefaults: { repetitions }, sessions };
  return { name, serverIds: [serverId], model, settings, tests };
}
