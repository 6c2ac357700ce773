import { expect, test } from 'vitest';
import { checkPartModels } from './check-part-models.ts';

const builtIn = {
  insightsModel: 'proofmark/narrator-1',
  agentModel: 'proofmark/lexical-agent-1',
  judgeModel: null,
  generationModel: 'proofmark/drafter-1',
};

test.each([
  {},
  { agentModel: 'off', insightsModel: 'off' },
  { agentModel: 'local/big', insightsModel: 'local/big', generationModel: 'local/big' },
])('a part asks what is built in or hosted: %j', (changed) => {
  expect(checkPartModels({ ...builtIn, ...changed }, ['local/big'])).toEqual([]);
});

test('a model that may be added later is warned of, by the name of its variable', () => {
  expect(checkPartModels({ ...builtIn, agentModel: 'local/small' }, ['local/big'])).toEqual([
    'PROOFMARK_AGENT_MODEL (agentModel) is local/small, which no provider offers here; add it with `proofmark admin model set`.',
  ]);
});

test.each([
  { generationModel: 'off' },
  { generationModel: 'proofmark/lexical-agent-1' },
  { insightsModel: 'gpt' },
])('what can be no model stops the start: %j', (changed) => {
  const check = () => checkPartModels({ ...builtIn, ...changed }, ['local/big']);
  expect(check).toThrow(/^PROOFMARK_(GENERATION|INSIGHTS)_MODEL .*neither one of/);
});
