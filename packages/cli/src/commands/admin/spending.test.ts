import { expect, test } from 'vitest';
import { describeSpending } from './spending.ts';

const tokens = { inputTokens: 60_000, outputTokens: 1 };

test('used and allowed stand beside each other, and what is counted is named', () => {
  const lines = describeSpending({
    day: '2026-03-04',
    counters: [
      { name: 'agentTurnsPerDay', used: 6, reserved: 0, allowed: null },
      { name: 'credits', used: 9, reserved: 1.5, allowed: 30 },
      { name: 'uploadsPerDay', used: 2, reserved: 0 },
    ],
    ledger: [
      { kind: 'trial_step', model: 'm', steps: 3, ...tokens, credits: 9, unpriced: 0 },
      { kind: 'agent_step', model: 'm', steps: 1, ...tokens, credits: 1, unpriced: 1 },
      { kind: 'judge', model: 'm', steps: 4, ...tokens, credits: 0, unpriced: 2 },
      { kind: 'persona_turn', model: 'm', steps: 2, ...tokens, credits: 0, unpriced: 0 },
    ],
  });
  expect(lines).toEqual([
    '2026-03-04 (UTC)',
    '  Agent turns: 6, no limit',
    '  Credits: 9 of 30, and 1.5 reserved',
    '  uploadsPerDay: 2',
    '  Trials on m',
    '    3 trials, 60,000 tokens in, 1 out',
    '    9 credits',
    '  Agent on m',
    '    1 call, 60,000 tokens in, 1 out',
    '    1 credit; the cost is not known',
    '  Judges on m',
    '    4 calls, 60,000 tokens in, 1 out',
    '    0 credits; of 2 the cost is not known',
    '  Simulated users on m',
    '    2 calls, 60,000 tokens in, 1 out',
    '    0 credits',
  ]);
});
